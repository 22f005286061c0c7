//! The words under which a quote is found: cut here, written to the full-text index here. The lists that use them are in `queue`.

use std::borrow::Cow;
use std::iter;
use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;
use rusqlite::{Connection, Row, params};

use super::quotes::columns;
use super::{Result, Store};
use crate::domain::quote::Status;

/// The words of a text: runs of letters and digits, with the accents that may follow them. Texts are cut here both before they are indexed and before they
/// are searched for, and only at characters that the index's own tokenizer (`unicode61`) agrees on: it never cuts one of these words again.
pub(super) fn searchable(text: &str) -> impl Iterator<Item = &str> {
    // The same in less time for what most texts are.
    let plain = text.is_ascii().then(|| {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
    });
    let any = (!text.is_ascii()).then(|| cut(text));
    plain.into_iter().flatten().chain(any.into_iter().flatten())
}

fn cut(text: &str) -> impl Iterator<Item = &str> {
    #[expect(clippy::expect_used, reason = "a constant; every test compiles it")]
    static WORD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x) [\p{L}\p{N}--\x{19B0}-\x{19C9}\x{1CF2}\x{1CF3}]
                   [\p{L}\p{N}\x{300}-\x{304}\x{306}-\x{30C}\x{30F}\x{311}\x{31B}\x{323}-\x{328}\x{32D}\x{32E}\x{330}\x{331}--\x{19B0}-\x{19C9}\x{1CF2}\x{1CF3}]*",
        )
        .expect("the pattern of a word")
    });
    WORD.find_iter(text).map(|word| word.as_str())
}

/// The status as a word of the index; no visitor's text makes this word.
pub(super) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "qqstatuspending",
        Status::InProgress => "qqstatusinprogress",
        Status::Completed => "qqstatuscompleted",
        Status::Cancelled => "qqstatuscancelled",
    }
}

/// The newest quote whose words are in the index: quotes are indexed in their order, so what comes after it is not.
macro_rules! indexed {
    () => {
        "SELECT coalesce(max(id), 0) FROM quote_words_docsize"
    };
}

/// Quotes that are indexed in one transaction: as long as a few dozen posts take.
const SLICE: i64 = 2000;

/// Whether quotes wait to be indexed.
pub(super) fn behind(conn: &Connection) -> rusqlite::Result<bool> {
    let mut compare = conn.prepare_cached(concat!(
        "SELECT coalesce(max(seq), 0) > (",
        indexed!(),
        ") FROM quotes"
    ))?;
    compare.query_row([], |row| row.get(0))
}

/// Indexes the quotes that wait for it, a slice of them. A transaction's words become a piece of the index of their own, however few they are, and the pieces
/// have to be joined again: many quotes at a time cost a fraction of one at a time. So this is no part of storing a quote: the writer does it a moment later,
/// and a search asks for it first.
pub(super) fn catch_up(conn: &Connection) -> rusqlite::Result<()> {
    let mut quotes = conn.prepare_cached(concat!(
        "SELECT ",
        columns!(),
        ", seq FROM quotes WHERE seq > (",
        indexed!(),
        ") ORDER BY seq LIMIT ?1"
    ))?;
    let mut quotes = quotes.query([SLICE])?;
    while let Some(quote) = quotes.next()? {
        index(conn, quote)?;
    }
    Ok(())
}

/// Indexes one quote at once where the order requires it: it is older than the newest one indexed, for the clock has been set back.
pub(super) fn index_late(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    let indexed: i64 = conn
        .prepare_cached(indexed!())?
        .query_row([], |row| row.get(0))?;
    if seq > indexed {
        return Ok(());
    }
    let mut find = conn.prepare_cached(concat!(
        "SELECT ",
        columns!(),
        ", seq FROM quotes WHERE seq = ?1"
    ))?;
    find.query_row([seq], |quote| index(conn, quote))
}

fn index(conn: &Connection, quote: &Row<'_>) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT INTO quote_words (rowid, words) VALUES (?1, ?2)")?
        .execute(params![quote.get::<_, i64>(16)?, text(quote)?])?;
    Ok(())
}

/// Writes a quote's words anew; its status is one of them.
pub(super) fn index_again(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    let mut find = conn.prepare_cached(concat!(
        "SELECT ",
        columns!(),
        " FROM quotes WHERE seq = ?1"
    ))?;
    let words = find.query_row([seq], text)?;
    // One that still waits to be indexed is not there yet, and will be indexed as it stands then.
    conn.prepare_cached("UPDATE quote_words SET words = ?2 WHERE rowid = ?1")?
        .execute(params![seq, words])?;
    Ok(())
}

/// Where a quote's searchable texts stand in `columns!`; the phone is the last.
const TEXTS: [usize; 8] = [3, 4, 5, 7, 8, 11, 12, 6];

/// What a dispatcher may search for: every word of the quote, the phone number also as bare digits, and the status as a word of its own, so that a search
/// within a status does not walk over the others.
pub(super) fn words<'a>(
    quote: &'a Row<'_>,
) -> rusqlite::Result<impl Iterator<Item = Cow<'a, str>>> {
    let status = Status::parse(quote.get_ref(13)?.as_str()?).unwrap_or(Status::Pending);
    let mut texts = [""; TEXTS.len()];
    for (text, column) in texts.iter_mut().zip(TEXTS) {
        *text = quote.get_ref(column)?.as_str_or_null()?.unwrap_or_default();
    }
    let phone = texts[TEXTS.len() - 1];
    let digits = move || phone.chars().filter(char::is_ascii_digit).collect();
    Ok(iter::once(status_word(status))
        .chain(texts.into_iter().flat_map(searchable))
        .map(Cow::Borrowed)
        .chain(iter::once_with(move || Cow::Owned(digits()))))
}

/// The words as one text, for the index.
fn text(quote: &Row<'_>) -> rusqlite::Result<String> {
    let mut text = String::new();
    for word in words(quote)? {
        text.push_str(&word);
        text.push(' ');
    }
    Ok(text)
}

/// Pieces of the index that are left alone while they are small: SQLite itself joins them by fours, and every search looks into each.
const PIECES: i64 = 8;
/// The share of the largest piece that the others may make up together: less, and the same pages would be written again and again.
const SHARE: i64 = 8;
/// Pages of the index that are joined in one commit: as long as a few dozen posts take. SQLite finds the beginning of a word sooner where few steps met.
const STEP: i64 = 256;
/// How often the number of pieces is looked at.
const LOOK: Duration = Duration::from_secs(600);
/// Pause where visitors write.
const BREATH: Duration = Duration::from_millis(200);

impl Store {
    /// Has the words of every quote written that is stored by now.
    ///
    /// # Errors
    /// What the database says; what was written before stays so.
    pub(super) async fn ensure_indexed(&self) -> Result<()> {
        let slice = |conn: &Connection| {
            catch_up(conn)?;
            Ok(behind(conn)?)
        };
        while self.write(slice).await? {}
        Ok(())
    }

    /// Joins the pieces of the search index again and again, for as long as the server runs.
    pub async fn run_index_merge(self) {
        loop {
            if let Err(error) = self.merge_index().await {
                tracing::warn!(%error, "the search index could not be joined");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Joins the pieces of the search index where they have become many, in small steps between the visitors' writes.
    ///
    /// # Errors
    /// What the database says; what was joined before stays so.
    pub async fn merge_index(&self) -> Result<()> {
        if self.read(|conn| Ok(behind(conn)?)).await? {
            self.ensure_indexed().await?;
        }
        if self.read(|conn| Ok(is_together(conn)?)).await? {
            return Ok(());
        }
        // A negative number of pages says that all pieces are meant (FTS5, "The 'merge' Command").
        let mut step = -STEP;
        while self.write(move |conn| Ok(join(conn, step)?)).await? {
            step = STEP;
            while self.pending_writes() > 0 {
                tokio::time::sleep(BREATH).await;
            }
        }
        Ok(())
    }
}

/// Whether the index lies in few enough pieces, most of it in one: each transaction makes one, until they are joined.
fn is_together(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row(
        "SELECT count(*) <= ?1 AND coalesce(sum(pages) - max(pages), 0) <= coalesce(max(pages), 0) / ?2
         FROM (SELECT count(*) AS pages FROM quote_words_idx GROUP BY segid)",
        [PIECES, SHARE],
        |row| row.get(0),
    )
}

/// Joins about `step` pages; says whether there is more to join.
fn join(conn: &Connection, step: i64) -> rusqlite::Result<bool> {
    let before = conn.total_changes();
    conn.prepare_cached("INSERT INTO quote_words (quote_words, rank) VALUES ('merge', ?1)")?
        .execute([step])?;
    // A merge that finds nothing to do changes one row.
    Ok(conn.total_changes() - before >= 2)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{is_together, searchable};
    use crate::store::Store;
    use rusqlite::Connection;

    /// Indexes, under the number of each character that we take for a part of a word, a word with it in the middle.
    pub(in crate::store) fn index_each_character(conn: &Connection) -> rusqlite::Result<()> {
        let mut index = conn.prepare("INSERT INTO quote_words (rowid, words) VALUES (?1, ?2)")?;
        for c in (1..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = around(c);
            if searchable(&text).eq([text.as_str()]) {
                index.execute((u32::from(c), &text))?;
            }
        }
        Ok(())
    }

    /// The word that `index_each_character` makes of `c`.
    pub(in crate::store) fn around(c: char) -> String {
        format!("qa{c}zq")
    }

    #[tokio::test]
    async fn the_index_cuts_no_word_that_we_have_cut() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let cut_again = |conn: &Connection| {
            index_each_character(conn)?;
            let pieces = "SELECT count(*) FROM quote_words WHERE quote_words MATCH 'qa'";
            let all = "SELECT count(*) FROM quote_words";
            let count = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
            Ok((count(pieces)?, count(all)?))
        };
        let (cut_again, words) = store.write(cut_again).await.unwrap();
        assert!(words > 100_000, "{words} letters, digits and accents");
        assert_eq!(cut_again, 0);
        let words: Vec<_> =
            searchable("O’Brien & Sons, “N\u{303}a”: 713-555 किसान a\u{24b6}b").collect();
        assert_eq!(
            words,
            [
                "O",
                "Brien",
                "Sons",
                "N\u{303}a",
                "713",
                "555",
                "क",
                "स",
                "न",
                "a",
                "b"
            ]
        );
    }

    #[tokio::test]
    async fn many_pieces_become_one_and_every_word_is_found_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        for turn in 0..40_u32 {
            let some = move |conn: &Connection| {
                let mut index =
                    conn.prepare("INSERT INTO quote_words (rowid, words) VALUES (?1, ?2)")?;
                for n in 0..100 {
                    let row = turn * 100 + n;
                    index.execute((row, format!("houston lot{row}")))?;
                }
                Ok(())
            };
            store.write(some).await.unwrap();
        }
        let look = |conn: &Connection| {
            let found = |word| {
                let sql = "SELECT count(*) FROM quote_words WHERE quote_words MATCH ?1";
                conn.query_row(sql, [word], |row| row.get::<_, i64>(0))
            };
            let pieces = "SELECT count(DISTINCT segid) FROM quote_words_idx";
            let pieces: i64 = conn.query_row(pieces, [], |row| row.get(0))?;
            let together = is_together(conn)?;
            Ok((pieces == 1, together, found("houston")?, found("lot1234")?))
        };
        assert_eq!(store.read(look).await.unwrap(), (false, false, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(look).await.unwrap(), (true, true, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(look).await.unwrap(), (true, true, 4000, 1));
    }
}

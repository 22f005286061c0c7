//! The full-text index of requests: splits texts into words, indexes requests, and merges the
//! segments of the index. The queries are in `search`.

use std::borrow::Cow;
use std::iter;
use std::sync::LazyLock;
use std::time::Duration;

use regex::Regex;
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};

use super::prefix::Prefix;
use super::request_columns::{IndexedColumns, message_columns, quote_columns, read_seq};
use super::{Result, Store};
use crate::domain::quote::Status;
use crate::domain::request::RequestKind;
use crate::domain::us_state;

/// The words of a text: runs of letters and digits, with combining accents. Indexed texts and
/// search terms are both split here, and only at characters at which the tokenizer of the index
/// (`unicode61`) splits too: it never splits one of these words again.
pub(super) fn split_words(text: &str) -> impl Iterator<Item = &str> {
    // Most texts are ASCII, for which this is faster than the pattern.
    let ascii = text.is_ascii().then(|| {
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
    });
    let any = (!text.is_ascii()).then(|| split_unicode(text));
    ascii.into_iter().flatten().chain(any.into_iter().flatten())
}

fn split_unicode(text: &str) -> impl Iterator<Item = &str> {
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

/// Words that start with this are properties of a request. Those in visitors' texts are left out,
/// so that no text changes the lists that a request is in.
const PROPERTY: &str = "qqf";

/// The status as a word of the index.
pub(super) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "qqfpending",
        Status::InProgress => "qqfinprogress",
        Status::Completed => "qqfcompleted",
        Status::Cancelled => "qqfcancelled",
    }
}

/// In contact messages only.
pub(super) const MESSAGE: &str = "qqfmessage";
/// In requests whose customer was reached.
pub(super) const ANSWERED: &str = "qqfanswered";
/// In requests with a reply that could not be delivered.
pub(super) const REPLY_FAILED: &str = "qqfreplyfailed";
/// In quotes that ask for a call right away.
pub(super) const EMERGENCY: &str = "qqfemergency";
/// In requests that are held as spam.
pub(super) const HELD: &str = "qqfheld";
/// In requests that somebody has taken.
pub(super) const ASSIGNED: &str = "qqfassigned";

/// In requests of one person.
pub(super) fn assignee_word(user_id: &str) -> String {
    let id = user_id.chars().filter(char::is_ascii_alphanumeric);
    format!("qqfassignee{}", id.collect::<String>())
}

/// In requests for this service.
pub(super) fn service_word(service: &str) -> String {
    let name = service.chars().filter(char::is_ascii_alphanumeric);
    format!(
        "qqfservice{}",
        name.collect::<String>().to_ascii_lowercase()
    )
}

/// In requests from this email address.
fn email_word(email: &str) -> String {
    let hash = Sha256::digest(email.to_ascii_lowercase());
    format!("qqfemail{}", hex::encode(&hash[..5]))
}

/// In quotes for a location in this state.
pub(super) fn state_word(code: &str) -> String {
    format!("qqfstate{}", code.to_ascii_lowercase())
}

/// The `seq` of the newest indexed request. Requests are indexed in order, so later ones are
/// pending.
macro_rules! newest_indexed {
    () => {
        "SELECT coalesce(max(id), 0) FROM request_words_docsize"
    };
}

/// Requests indexed in one transaction: takes as long as a few dozen posts.
const SLICE: i64 = 2000;

/// Whether requests are waiting to be indexed.
pub(super) fn is_pending(conn: &Connection) -> rusqlite::Result<bool> {
    let mut compare = conn.prepare_cached(concat!(
        "SELECT max(coalesce((SELECT max(seq) FROM quotes), 0), coalesce((SELECT max(seq) \
         FROM contact_messages), 0)) > (",
        newest_indexed!(),
        ")"
    ))?;
    compare.query_row([], |row| row.get(0))
}

/// The requests that are waiting, oldest first: two tables, merged without sorting.
const PENDING: &str = concat!(
    "SELECT ",
    quote_columns!(),
    " FROM quotes WHERE seq > (",
    newest_indexed!(),
    ") UNION ALL SELECT ",
    message_columns!(),
    " FROM contact_messages WHERE seq > (",
    newest_indexed!(),
    ") ORDER BY seq LIMIT ?1"
);

/// Indexes up to `SLICE` pending requests. Each transaction adds a segment to the index, however
/// few its words are, and segments have to be merged: indexing many requests at a time costs a
/// fraction of one at a time. So storing a request does not index it: the writer does that a moment
/// later, and a search requests it first.
pub(super) fn index_pending(conn: &Connection) -> rusqlite::Result<()> {
    let mut requests = conn.prepare_cached(PENDING)?;
    let mut requests = requests.query([SLICE])?;
    while let Some(request) = requests.next()? {
        index(conn, request)?;
    }
    Ok(())
}

/// Indexes a request immediately if its `seq` is below the newest indexed one, as after the clock
/// was set back: `index_pending` would skip it.
pub(super) fn index_out_of_order(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    let newest_indexed: i64 = conn
        .prepare_cached(newest_indexed!())?
        .query_row([], |row| row.get(0))?;
    if seq > newest_indexed {
        return Ok(());
    }
    let mut find = conn.prepare_cached(ONE)?;
    find.query_row([seq], |request| index(conn, request))
}

const ONE: &str = concat!(
    "SELECT ",
    quote_columns!(),
    " FROM quotes WHERE seq = ?1 UNION ALL SELECT ",
    message_columns!(),
    " FROM contact_messages WHERE seq = ?1"
);

fn index(conn: &Connection, request: &Row<'_>) -> rusqlite::Result<()> {
    conn.prepare_cached("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?
        .execute(params![read_seq(request)?, indexed_text(request)?])?;
    Ok(())
}

/// Replaces the indexed words of a request after a change. A pending request has no row yet; it is
/// indexed later as it is at that time.
pub(super) fn reindex(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    let mut find = conn.prepare_cached(ONE)?;
    let words = find.query_row([seq], indexed_text)?;
    conn.prepare_cached("UPDATE request_words SET words = ?2 WHERE rowid = ?1")?
        .execute(params![seq, words])?;
    Ok(())
}

/// The `seq` of each request whose words include this reference, or that is pending.
pub(super) fn seqs_with_reference(
    conn: &Connection,
    reference: &str,
) -> rusqlite::Result<Vec<i64>> {
    let word = split_words(reference).last().unwrap_or_default();
    let mut find = conn.prepare_cached(concat!(
        "SELECT rowid FROM request_words WHERE request_words MATCH ?1
         UNION ALL SELECT seq FROM quotes WHERE seq > (",
        newest_indexed!(),
        ") AND reference = ?2
         UNION ALL SELECT seq FROM contact_messages WHERE seq > (",
        newest_indexed!(),
        ") AND reference = ?2"
    ))?;
    let rows = find.query_map([&format!("\"{word}\""), reference], |row| row.get(0))?;
    rows.collect()
}

/// The `seq` of some accepted or answered requests of this email address, and perhaps of one with
/// the same hash.
pub(super) fn accepted_of(conn: &Connection, email: &str) -> rusqlite::Result<Vec<i64>> {
    let [accepted, done] = [Status::InProgress, Status::Completed].map(status_word);
    let email = email_word(email);
    let terms = format!("{email} AND ({accepted} OR {done} OR {ANSWERED})");
    let mut find = conn
        .prepare_cached("SELECT rowid FROM request_words WHERE request_words MATCH ?1 LIMIT 8")?;
    let rows = find.query_map([terms], |row| row.get(0))?;
    rows.collect()
}

/// The indexed words of a request: its properties, the words of its texts, and the phone number as
/// bare digits.
pub(super) fn words<'a>(
    request: &'a Row<'_>,
) -> rusqlite::Result<impl Iterator<Item = Cow<'a, str>>> {
    let request = IndexedColumns::read(request)?;
    let phone = request.phone;
    let digits = move || phone.chars().filter(char::is_ascii_digit).collect();
    let texts = request.texts;
    Ok(properties(&request)
        .chain(
            texts
                .into_iter()
                .flat_map(split_words)
                .filter(|word| !is_property(word))
                .map(Cow::Borrowed),
        )
        .chain(iter::once_with(move || Cow::Owned(digits()))))
}

/// The properties of a request as words, so that a list by them skips all other requests.
fn properties<'a>(request: &IndexedColumns<'_>) -> impl Iterator<Item = Cow<'a, str>> + use<'a> {
    let flags = [
        (request.kind == RequestKind::Message, MESSAGE),
        (request.emergency, EMERGENCY),
        (request.answered, ANSWERED),
        (request.reply_failed, REPLY_FAILED),
        (request.held, HELD),
        (request.assignee.is_some(), ASSIGNED),
    ];
    let set = flags
        .into_iter()
        .filter_map(|(is_set, word)| is_set.then_some(word));
    let service = service_word(request.service);
    let assignee = request.assignee.map(assignee_word);
    let state = us_state::of_location(request.location).map(state_word);
    let email = email_word(request.email);
    iter::once(status_word(request.status))
        .chain(set)
        .map(Cow::Borrowed)
        .chain(
            iter::once(service)
                .chain(assignee)
                .chain(state)
                .chain([email])
                .map(Cow::Owned),
        )
}

/// Whether the index would take a word of a text for a property.
fn is_property(word: &str) -> bool {
    let is_candidate = word.starts_with(['q', 'Q']) || !word.is_ascii();
    is_candidate && Prefix::of(PROPERTY).is_some_and(|prefix| prefix.matches(word))
}

/// The words of `words`, joined by spaces.
fn indexed_text(request: &Row<'_>) -> rusqlite::Result<String> {
    let mut text = String::new();
    for word in words(request)? {
        text.push_str(&word);
        text.push(' ');
    }
    Ok(text)
}

/// Segments of the index that are not merged while they are small: SQLite itself merges four at a
/// time, and every search reads each segment.
const MAX_SEGMENTS: i64 = 8;
/// The other segments together may have the size of the largest one divided by this. A smaller part
/// would rewrite the same pages again and again.
const LARGEST_DIVISOR: i64 = 8;
/// Index pages merged in one commit: takes as long as a few dozen posts. SQLite finds a prefix
/// sooner in an index that was merged in few steps.
const MERGE_PAGES: i64 = 256;
/// How often the number of segments is checked.
const MERGE_INTERVAL: Duration = Duration::from_secs(600);
/// Pause of the merge while other writes are pending.
const BATCH_PAUSE: Duration = Duration::from_millis(200);

impl Store {
    /// Indexes every request that is stored by now.
    ///
    /// # Errors
    /// The error of the database; requests indexed before it stay indexed.
    pub(super) async fn ensure_indexed(&self) -> Result<()> {
        let slice = |conn: &Connection| {
            index_pending(conn)?;
            Ok(is_pending(conn)?)
        };
        while self.write(slice).await? {}
        Ok(())
    }

    /// Merges the search index at intervals for as long as the server runs.
    pub async fn run_index_merge(self) {
        loop {
            if let Err(error) = self.merge_index().await {
                tracing::warn!(%error, "the search index could not be merged");
            }
            tokio::time::sleep(MERGE_INTERVAL).await;
        }
    }

    /// Merges the segments of the search index if there are too many, in small steps between other
    /// writes.
    ///
    /// # Errors
    /// The error of the database; steps before it stay done.
    pub async fn merge_index(&self) -> Result<()> {
        if self.read(|conn| Ok(is_pending(conn)?)).await? {
            self.ensure_indexed().await?;
        }
        if self.read(|conn| Ok(is_merged(conn)?)).await? {
            return Ok(());
        }
        self.merge_segments().await
    }

    /// Merges all segments, so that no page holds a word of a deleted entry, and empties the log of
    /// the database, which holds earlier versions of the pages.
    ///
    /// # Errors
    /// The error of the database.
    pub(super) async fn purge_index(&self) -> Result<()> {
        self.merge_segments().await?;
        self.truncate_log().await
    }

    /// Merges all segments into one, in small steps between other writes.
    async fn merge_segments(&self) -> Result<()> {
        // A negative number of pages selects all segments (FTS5, "The 'merge' Command").
        let mut pages = -MERGE_PAGES;
        while self.write(move |conn| Ok(merge(conn, pages)?)).await? {
            pages = MERGE_PAGES;
            while self.pending_writes() > 0 {
                tokio::time::sleep(BATCH_PAUSE).await;
            }
        }
        Ok(())
    }
}

/// Merges all segments at once, for a database that no other process has open.
pub(super) fn optimize(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("INSERT INTO request_words (request_words) VALUES ('optimize')")
}

/// Whether the index has few segments and most of it is in one. Each transaction adds a segment.
fn is_merged(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row(
        "SELECT count(*) <= ?1 AND coalesce(sum(pages) - max(pages), 0) <= coalesce(max(pages),
            0) / ?2
         FROM (SELECT count(*) AS pages FROM request_words_idx GROUP BY segid)",
        [MAX_SEGMENTS, LARGEST_DIVISOR],
        |row| row.get(0),
    )
}

/// Merges about `pages` pages; returns whether there is more to merge.
fn merge(conn: &Connection, pages: i64) -> rusqlite::Result<bool> {
    let before = conn.total_changes();
    conn.prepare_cached("INSERT INTO request_words (request_words, rank) VALUES ('merge', ?1)")?
        .execute([pages])?;
    // A merge that finds nothing to do changes one row.
    Ok(conn.total_changes() - before >= 2)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{is_merged, split_words};
    use crate::store::Store;
    use rusqlite::Connection;

    /// Indexes a word around each character that `split_words` takes as part of a word; the row id
    /// is the code point of the character.
    pub(in crate::store) fn index_each_character(conn: &Connection) -> rusqlite::Result<()> {
        let mut index = conn.prepare("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?;
        for c in (1..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = word_with(c);
            if split_words(&text).eq([text.as_str()]) {
                index.execute((u32::from(c), &text))?;
            }
        }
        Ok(())
    }

    /// The word that `index_each_character` makes of `c`.
    pub(in crate::store) fn word_with(c: char) -> String {
        format!("qa{c}zq")
    }

    #[tokio::test]
    async fn the_tokenizer_of_the_index_splits_no_word_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let split_again = |conn: &Connection| {
            index_each_character(conn)?;
            let parts = "SELECT count(*) FROM request_words WHERE request_words MATCH 'qa'";
            let all = "SELECT count(*) FROM request_words";
            let count = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
            Ok((count(parts)?, count(all)?))
        };
        let (split_again, words) = store.write(split_again).await.unwrap();
        assert!(words > 100_000, "{words} letters, digits and accents");
        assert_eq!(split_again, 0);
        let words: Vec<_> =
            split_words("O’Brien & Sons, “N\u{303}a”: 713-555 किसान a\u{24b6}b").collect();
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
    async fn many_segments_become_one_and_every_word_is_found_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        for batch in 0..40_u32 {
            let insert = move |conn: &Connection| {
                let mut index =
                    conn.prepare("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?;
                for n in 0..100 {
                    let row = batch * 100 + n;
                    index.execute((row, format!("houston lot{row}")))?;
                }
                Ok(())
            };
            store.write(insert).await.unwrap();
        }
        let inspect = |conn: &Connection| {
            let found = |word| {
                let sql = "SELECT count(*) FROM request_words WHERE request_words MATCH ?1";
                conn.query_row(sql, [word], |row| row.get::<_, i64>(0))
            };
            let segments = "SELECT count(DISTINCT segid) FROM request_words_idx";
            let segments: i64 = conn.query_row(segments, [], |row| row.get(0))?;
            let merged = is_merged(conn)?;
            Ok((segments == 1, merged, found("houston")?, found("lot1234")?))
        };
        assert_eq!(store.read(inspect).await.unwrap(), (false, false, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(inspect).await.unwrap(), (true, true, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(inspect).await.unwrap(), (true, true, 4000, 1));
    }
}

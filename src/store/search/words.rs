//! The words that the search index holds of a request: those of its texts.

use std::sync::LazyLock;

use regex::Regex;
use rusqlite::{CachedStatement, Connection, Row, params};

use crate::inbox::columns::{DUPLICATES, read_phone, read_quote_id, read_seq, searched_texts};
use domain::ids;
use domain::phone;

/// Bytes of the indexed words of most requests.
const TEXT_CAPACITY: usize = 512;

/// The words of a text: runs of letters and digits, with combining accents. Indexed texts and
/// search terms are both split here, and only at characters at which the tokenizer of the index
/// (`unicode61`) splits too: it never splits one of these words again.
pub(crate) fn split_words(text: &str) -> impl Iterator<Item = &str> {
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
                   [\p{L}\p{N}
                    \x{300}-\x{304}\x{306}-\x{30C}\x{30F}\x{311}\x{31B}
                    \x{323}-\x{328}\x{32D}\x{32E}\x{330}\x{331}
                    --\x{19B0}-\x{19C9}\x{1CF2}\x{1CF3}]*",
        )
        .expect("the pattern of a word")
    });
    WORD.find_iter(text).map(|word| word.as_str())
}

/// Notes, calls, replies and messages of a request, and the names of their files.
pub(super) const EVENTS: &str = "SELECT detail ->> 'text', detail ->> 'note', detail ->> 'subject',
       (SELECT group_concat(value ->> 'name', ' ') FROM json_each(detail, '$.files')), \
       verb FROM events
     WHERE seq = ?1 AND (verb IN ('noted', 'called', 'wrote')
       OR verb = 'replied' AND detail ->> 'state' <> 'undone')";

/// The files of a request.
pub(super) const FILES: &str = "SELECT name, user_metadata ->> 'name' FROM objects
     WHERE bucket_id = 'quotes' AND name > ?1 || '/' AND name < ?1 || '0'";

/// Whether a request after `?1`, whose ids are `?2` at the lowest, may have any of these or
/// duplicates. Ids from before they encoded `seq` do not sort by it: while there are some, it may.
const ANY_RELATED: &str = "SELECT 1 WHERE
     EXISTS (SELECT 1 FROM events
       WHERE seq > ?1 AND verb IN ('noted', 'called', 'wrote', 'replied'))
     OR EXISTS (SELECT 1 FROM requests WHERE merged_into > ?1)
     OR EXISTS (SELECT 1 FROM old_request_ids)
     OR EXISTS (SELECT 1 FROM objects WHERE bucket_id = 'quotes' AND name > ?2)";

/// Reads the indexed words of requests, with statements that are looked up once for all of them.
pub(crate) struct WordReader<'conn>(Option<Related<'conn>>);

/// Reads what other rows hold of a request.
struct Related<'conn> {
    conn: &'conn Connection,
    events: CachedStatement<'conn>,
    files: CachedStatement<'conn>,
    duplicates: CachedStatement<'conn>,
}

impl<'conn> WordReader<'conn> {
    pub(crate) fn new(conn: &'conn Connection) -> rusqlite::Result<Self> {
        Ok(Self(Some(Related {
            conn,
            events: conn.prepare_cached(EVENTS)?,
            files: conn.prepare_cached(FILES)?,
            duplicates: conn.prepare_cached(DUPLICATES)?,
        })))
    }

    /// For the requests after `seq`. New ones mostly have nothing in other rows: one look at all of
    /// them saves three for each.
    pub(crate) fn after(conn: &'conn Connection, seq: i64) -> rusqlite::Result<Self> {
        let lowest_id = ids::lowest_at(ids::time_of_seq(seq)).to_string();
        match conn
            .prepare_cached(ANY_RELATED)?
            .exists(params![seq, lowest_id])?
        {
            true => Self::new(conn),
            false => Ok(Self(None)),
        }
    }

    /// The indexed words of a request, separated by spaces: the words of its texts and of notes,
    /// calls and replies, and the phone number in each way to write it.
    pub(crate) fn read(&mut self, row: &Row<'_>) -> rusqlite::Result<String> {
        let mut text = String::with_capacity(TEXT_CAPACITY);
        let mut add = |word: &str| {
            text.push_str(word);
            text.push(' ');
        };
        self.add_texts(row, &mut add)?;
        Ok(text)
    }

    /// Adds the words of the texts of a request and of the duplicates that are shown in it.
    fn add_texts(&mut self, row: &Row<'_>, add: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        for text in searched_texts(row)? {
            add_words(text, add);
        }
        if let Some(related) = &mut self.0 {
            related.add_texts(row, add)?;
        }
        phone::search_words(read_phone(row)?)
            .iter()
            .for_each(|word| add(word));
        if let Some(related) = &mut self.0 {
            related.add_duplicates(row, add)?;
        }
        Ok(())
    }
}

impl Related<'_> {
    /// Adds the words of notes, calls, replies and messages of a request, and of the names of its
    /// files.
    fn add_texts(&mut self, row: &Row<'_>, add: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        let mut events = self.events.query([read_seq(row)?])?;
        while let Some(event) = events.next()? {
            for column in 0..4 {
                add_words(
                    event.get_ref(column)?.as_str_or_null()?.unwrap_or_default(),
                    add,
                );
            }
        }
        if let Some(id) = read_quote_id(row)? {
            let mut files = self.files.query([id])?;
            while let Some(file) = files.next()? {
                let key = file.get_ref(0)?.as_str()?;
                add_words(key.rsplit('/').next().unwrap_or_default(), add);
                add_words(file.get_ref(1)?.as_str_or_null()?.unwrap_or_default(), add);
            }
        }
        Ok(())
    }

    fn add_duplicates(&mut self, row: &Row<'_>, add: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        let mut duplicates = self.duplicates.query([read_seq(row)?])?;
        while let Some(duplicate) = duplicates.next()? {
            // The statements of this reader are in use.
            WordReader::new(self.conn)?.add_texts(duplicate, add)?;
        }
        Ok(())
    }
}

fn add_words(text: &str, add: &mut dyn FnMut(&str)) {
    split_words(text).for_each(add);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::split_words;
    use crate::Store;
    use rusqlite::Connection;

    /// Indexes a word around each character that `split_words` takes as part of a word; the row id
    /// is the code point of the character.
    pub(crate) fn index_each_character(conn: &Connection) -> rusqlite::Result<()> {
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
    pub(crate) fn word_with(c: char) -> String {
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
}

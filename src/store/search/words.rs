//! The words that the search index holds of a request: those of its texts, and its properties.

use std::sync::LazyLock;

use regex::Regex;
use rusqlite::{CachedStatement, Connection, Row};
use sha2::{Digest, Sha256};

use super::prefix::Prefix;
use crate::domain::phone;
use crate::domain::request::RequestKind;
use crate::domain::request::outcome::Outcome;
use crate::domain::request::quote::Status;
use crate::domain::us_state;
use crate::store::inbox::columns::{
    DUPLICATES, IndexedColumns, read_quote_id, read_seq, searched_texts,
};

/// Bytes of the indexed words of most requests.
const TEXT_CAPACITY: usize = 512;

/// The words of a text: runs of letters and digits, with combining accents. Indexed texts and
/// search terms are both split here, and only at characters at which the tokenizer of the index
/// (`unicode61`) splits too: it never splits one of these words again.
pub(in crate::store) fn split_words(text: &str) -> impl Iterator<Item = &str> {
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

/// Prefix of property words. Visitors' words with this prefix are left out, so that no text changes
/// the lists that a request is in.
const PROPERTY: &str = "qqf";

/// The status as a word of the index.
pub(in crate::store) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Pending => "qqfpending",
        Status::InProgress => "qqfinprogress",
        Status::Completed => "qqfcompleted",
        Status::Cancelled => "qqfcancelled",
    }
}

/// In contact messages only.
pub(in crate::store) const MESSAGE: &str = "qqfmessage";
/// In requests whose customer was reached.
pub(in crate::store) const ANSWERED: &str = "qqfanswered";
/// In requests with a reply that could not be delivered.
pub(in crate::store) const REPLY_FAILED: &str = "qqfreplyfailed";
/// In requests whose customer waits for an answer to a further message.
pub(in crate::store) const WRITTEN: &str = "qqfwritten";
/// In requests with an unopened message.
pub(in crate::store) const UNREAD: &str = "qqfunread";
/// In quotes that ask for a call right away.
pub(in crate::store) const EMERGENCY: &str = "qqfemergency";
/// In requests that are held as spam.
pub(in crate::store) const HELD: &str = "qqfheld";
/// In requests that were merged into another one, which are held too.
pub(in crate::store) const MERGED: &str = "qqfmerged";
/// In assigned requests.
pub(in crate::store) const ASSIGNED: &str = "qqfassigned";

/// In requests with a reminder set for later.
pub(in crate::store) const WAITING: &str = "qqfwaiting";
/// In requests that are back from that.
pub(in crate::store) const FOLLOW_UP_DUE: &str = "qqffollowupdue";
/// In closed requests whose outcome is known.
pub(in crate::store) const OUTCOME: &str = "qqfoutcome";

/// In requests that are back because this person wanted to be reminded.
pub(in crate::store) fn follow_up_word(user_id: &str) -> String {
    let id = user_id.chars().filter(char::is_ascii_alphanumeric);
    format!("qqffollowup{}", id.collect::<String>())
}

/// In requests with this outcome.
pub(in crate::store) const fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "qqfwon",
        Outcome::Lost => "qqflost",
        Outcome::NotCustomer => "qqfnotcustomer",
    }
}

/// In requests of one person.
pub(in crate::store) fn assignee_word(user_id: &str) -> String {
    let id = user_id.chars().filter(char::is_ascii_alphanumeric);
    format!("qqfassignee{}", id.collect::<String>())
}

/// In requests for this service.
pub(in crate::store) fn service_word(service: &str) -> String {
    let name = service.chars().filter(char::is_ascii_alphanumeric);
    format!(
        "qqfservice{}",
        name.collect::<String>().to_ascii_lowercase()
    )
}

/// In requests from this email address.
pub(in crate::store) fn email_word(email: &str) -> String {
    let hash = Sha256::digest(email.to_ascii_lowercase());
    format!("qqfemail{}", hex::encode(&hash[..5]))
}

/// In requests with this phone number in the international form.
pub(in crate::store) fn phone_word(e164: &str) -> String {
    let hash = Sha256::digest(e164);
    format!("qqfphone{}", hex::encode(&hash[..5]))
}

/// In quotes for a location in this state.
pub(in crate::store) fn state_word(code: &str) -> String {
    format!("qqfstate{}", code.to_ascii_lowercase())
}

/// In quotes for a location in this state with this status: one row list, where the two words would
/// be two long ones to intersect.
pub(in crate::store) fn state_status_word(code: &str, status: Status) -> String {
    let status = status_word(status).trim_start_matches(PROPERTY);
    format!("{}{status}", state_word(code))
}

/// Notes, calls, replies and messages of a request.
const EVENTS: &str = "SELECT detail ->> 'text', detail ->> 'note', detail ->> 'subject' FROM events
     WHERE seq = ?1 AND (verb IN ('noted', 'called', 'wrote')
       OR verb = 'replied' AND detail ->> 'state' <> 'undone')";

/// The files of a request.
const FILES: &str = "SELECT name, user_metadata ->> 'name' FROM objects
     WHERE bucket_id = 'quotes' AND name > ?1 || '/' AND name < ?1 || '0'";

/// Reads the indexed words of requests, with statements that are looked up once for all of them.
pub(in crate::store) struct WordReader<'conn> {
    conn: &'conn Connection,
    events: CachedStatement<'conn>,
    files: CachedStatement<'conn>,
    duplicates: CachedStatement<'conn>,
}

impl<'conn> WordReader<'conn> {
    pub(in crate::store) fn new(conn: &'conn Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            conn,
            events: conn.prepare_cached(EVENTS)?,
            files: conn.prepare_cached(FILES)?,
            duplicates: conn.prepare_cached(DUPLICATES)?,
        })
    }

    /// The indexed words of a request, separated by spaces: its properties, the words of its texts
    /// and of notes, calls and replies, and the phone number in each way to write it.
    pub(in crate::store) fn read(&mut self, row: &Row<'_>) -> rusqlite::Result<String> {
        let request = IndexedColumns::read(row)?;
        let mut text = String::with_capacity(TEXT_CAPACITY);
        let mut add = |word: &str| {
            text.push_str(word);
            text.push(' ');
        };
        add_properties(&request, &mut add);
        self.add_texts(row, &mut add)?;
        Ok(text)
    }

    /// Adds the words of the texts of a request and of the duplicates that are shown in it.
    fn add_texts(&mut self, row: &Row<'_>, add: &mut dyn FnMut(&str)) -> rusqlite::Result<()> {
        let texts = searched_texts(row)?;
        let words = texts.into_iter().flat_map(split_words);
        words.filter(|word| !is_property(word)).for_each(&mut *add);
        for written in self.written_texts(row)? {
            let words = split_words(&written).filter(|word| !is_property(word));
            words.for_each(&mut *add);
        }
        phone::search_words(IndexedColumns::read(row)?.phone)
            .iter()
            .for_each(|word| add(word));
        let mut duplicates = self.duplicates.query([read_seq(row)?])?;
        while let Some(duplicate) = duplicates.next()? {
            // The statements of this reader are in use.
            Self::new(self.conn)?.add_texts(duplicate, add)?;
        }
        Ok(())
    }

    /// Notes, calls, replies and messages of a request, and the names of its files.
    fn written_texts(&mut self, row: &Row<'_>) -> rusqlite::Result<Vec<String>> {
        let mut texts = Vec::new();
        let mut events = self.events.query([read_seq(row)?])?;
        while let Some(event) = events.next()? {
            for column in 0..3 {
                texts.extend(event.get::<_, Option<String>>(column)?);
            }
        }
        if let Some(id) = read_quote_id(row)? {
            let mut files = self.files.query([id])?;
            while let Some(file) = files.next()? {
                let key = file.get_ref(0)?.as_str()?;
                texts.extend(key.rsplit('/').next().map(str::to_owned));
                texts.extend(file.get::<_, Option<String>>(1)?);
            }
        }
        Ok(texts)
    }
}

/// Adds the properties of a request as words, so that a list by them skips all other requests.
fn add_properties(request: &IndexedColumns<'_>, add: &mut impl FnMut(&str)) {
    add(status_word(request.status));
    let flags = [
        (request.kind == RequestKind::Message, MESSAGE),
        (request.emergency, EMERGENCY),
        (request.answered, ANSWERED),
        (request.reply_failed, REPLY_FAILED),
        (request.unanswered.is_some(), WRITTEN),
        (request.unread, UNREAD),
        (request.held, HELD),
        (request.merged, MERGED),
        (request.assignee.is_some(), ASSIGNED),
        (request.follow_up.is_some_and(|it| !it.is_due), WAITING),
        (request.follow_up.is_some_and(|it| it.is_due), FOLLOW_UP_DUE),
        (request.outcome.is_some(), OUTCOME),
    ];
    for (is_set, word) in flags {
        if is_set {
            add(word);
        }
    }
    add(&service_word(request.service));
    if let Some(user_id) = request.assignee {
        add(&assignee_word(user_id));
    }
    if let Some(follow_up) = request.follow_up.filter(|it| it.is_due) {
        add(&follow_up_word(follow_up.by));
    }
    if let Some(outcome) = request.outcome.and_then(Outcome::parse) {
        add(outcome_word(outcome));
    }
    if let Some(code) = us_state::of_location(request.location) {
        add(&state_word(code));
        add(&state_status_word(code, request.status));
    }
    if !request.email.is_empty() {
        add(&email_word(request.email));
    }
    if let Some(number) = phone::e164(request.phone) {
        add(&phone_word(&number));
    }
}

/// Whether a word of a text could be mistaken for a property.
fn is_property(word: &str) -> bool {
    let is_candidate = word.starts_with(['q', 'Q']) || !word.is_ascii();
    is_candidate && Prefix::of(PROPERTY).is_some_and(|prefix| prefix.matches(word))
}

#[cfg(test)]
pub(in crate::store) mod tests {
    use super::split_words;
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
}

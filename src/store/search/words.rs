//! The words that the search index holds of a request: those of its texts.

use std::sync::LazyLock;

use regex::Regex;
use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

use domain::phone;

/// The words of a text: runs of letters and digits, with combining accents. Search terms are split
/// only at characters at which the tokenizer of the index (`unicode61`) splits too: it never splits
/// one of these words again.
pub(crate) fn split_words(text: &str) -> impl Iterator<Item = &str> {
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

/// The texts of the request `listed` and of the duplicates that are shown in it: its own, those of
/// its history, and the names of its files, with the phone number in each way to write it.
pub(super) const WORDS: &str = "(
  WITH RECURSIVE shown (request) AS (
    SELECT listed.seq
    UNION SELECT duplicates.seq FROM shown JOIN requests AS duplicates ON merged_into = request
  )
  SELECT group_concat(concat_ws(' ', reference, first_name, last_name, email, phone,
      phone_words(phone), company, service, location, description, extra_fields,
      iif(open = 0 OR outcome = 'won', outcome_words, NULL),
      (SELECT group_concat(concat_ws(' ', detail ->> 'text', detail ->> 'note',
           detail ->> 'subject',
           (SELECT group_concat(value ->> 'name', ' ') FROM json_each(detail, '$.files'))), ' ')
       FROM events WHERE events.seq = requests.seq AND (verb IN ('noted', 'called', 'wrote')
         OR verb = 'replied' AND detail ->> 'state' <> 'undone')),
      (SELECT group_concat(concat_ws(' ', substr(name, length(requests.id) + 2),
           user_metadata ->> 'name'), ' ')
       FROM objects WHERE bucket_id = 'quotes' AND kind = 'quote'
         AND name > requests.id || '/' AND name < requests.id || '0')), ' ')
  FROM shown JOIN requests ON requests.seq = request)";

/// Adds the function that `WORDS` calls.
pub(crate) fn add_function(conn: &Connection) -> rusqlite::Result<()> {
    let words = |arguments: &Context<'_>| {
        let phone = arguments.get_raw(0).as_str_or_null()?;
        Ok(phone::search_words(phone.unwrap_or_default()).join(" "))
    };
    conn.create_scalar_function("phone_words", 1, FunctionFlags::SQLITE_UTF8, words)
}

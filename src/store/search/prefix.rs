//! Prefixes of indexed words: which words of the index have a prefix, and whether a given word
//! does. Written by hand because FTS5's own prefix query gathers all rows first: 262 ms for "hou"
//! among a million requests, and its `prefix` index would double the file (docs/decisions.md).

use rusqlite::Connection;

/// Maximum number of words searched one by one; each costs one index lookup.
const MAX_WORDS: u32 = 12;

/// A prefix in the form of the index: lowercase letters without accents, and digits.
pub(crate) struct Prefix(String);

impl Prefix {
    /// None if it has letters without a base letter in ASCII.
    pub(crate) fn of(term: &str) -> Option<Self> {
        letters(term).collect::<Option<_>>().map(Self)
    }

    /// Whether the index would find `word` by this prefix.
    pub(crate) fn matches(&self, word: &str) -> bool {
        let prefix = self.0.as_bytes();
        if word.is_ascii() {
            let word = word.as_bytes().get(..prefix.len());
            return word.is_some_and(|word| word.eq_ignore_ascii_case(prefix));
        }
        let mut letters = letters(word);
        self.0.chars().all(|c| letters.next() == Some(Some(c)))
    }

    pub(crate) fn is(&self, words: &[String]) -> bool {
        matches!(words, [word] if *word == self.0)
    }

    /// The words of the index with this prefix, in order; none if there are more than `MAX_WORDS`.
    pub(crate) fn words(&self, conn: &Connection) -> rusqlite::Result<Option<Vec<String>>> {
        let mut find = conn.prepare_cached(EACH_WORD)?;
        let end = format!("{}{}", self.0, char::MAX);
        let words = find.query_map((&self.0, end, MAX_WORDS + 1), |row| row.get(0))?;
        let words = words.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok((words.len() <= MAX_WORDS as usize).then_some(words))
    }
}

/// Steps from one word to the next: the view has a row for each quote that contains the word, so
/// each step seeks the first row after it. A bare `LIMIT ?3` would be prepared again at each
/// execution.
const EACH_WORD: &str = "WITH RECURSIVE each (word) AS (
       SELECT (SELECT term FROM request_words_each WHERE term >= ?1 LIMIT 1)
       UNION ALL
       SELECT (SELECT term FROM request_words_each WHERE term >= each.word || char(1) LIMIT 1)
       FROM each WHERE each.word < ?2
     )
     SELECT word FROM each WHERE word < ?2 LIMIT ?3 + 0";

/// The letters of a word in the form of the index, `None` for each of another alphabet.
fn letters(word: &str) -> impl Iterator<Item = Option<char>> {
    word.chars()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_accent(*c))
        .map(|c| {
            if c.is_ascii() {
                Some(c)
            } else {
                base_letter(c)
            }
        })
}

/// Combining accents (`words::split_words` accepts no others).
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{331}').contains(&c)
}

fn base_letter(c: char) -> Option<char> {
    let (base, _) = ACCENTED.iter().find(|(_, accented)| accented.contains(c))?;
    Some(*base)
}

/// Every letter that the index stores as its base letter (`remove_diacritics 2`).
const ACCENTED: &[(char, &str)] = &[
    ('a', "àáâãäåāăąǎǟǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ('b', "ḃḅḇ"),
    ('c', "çćĉċčḉ"),
    ('d', "ďḋḍḏḑḓ"),
    ('e', "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ('f', "ḟ"),
    ('g', "ĝğġģǧǵḡ"),
    ('h', "ĥȟḣḥḧḩḫẖ"),
    ('i', "ìíîïĩīĭįǐȉȋḭḯỉị"),
    ('j', "ĵǰ"),
    ('k', "ķǩḱḳḵ"),
    ('l', "ĺļľḷḹḻḽ"),
    ('m', "ḿṁṃ"),
    ('n', "ñńņňǹṅṇṉṋ"),
    ('o', "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ('p', "ṕṗ"),
    ('r', "ŕŗřȑȓṙṛṝṟ"),
    ('s', "śŝşšſșṡṣṥṧṩẛ"),
    ('t', "ţťțṫṭṯṱẗ"),
    ('u', "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ('v', "ṽṿ"),
    ('w', "ŵẁẃẅẇẉẘ"),
    ('x', "ẋẍ"),
    ('y', "ýÿŷȳẏẙỳỵỷỹ"),
    ('z', "źżžẑẓẕ"),
];

#[cfg(test)]
mod tests {
    use super::{MAX_WORDS, Prefix, letters};
    use crate::Store;
    use crate::search::words::tests::{index_each_character, word_with};
    use rusqlite::Connection;

    #[tokio::test]
    async fn words_are_normalized_as_the_index_normalizes_them() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let compare = |conn: &Connection| {
            index_each_character(conn)?;
            let mut terms = conn.prepare("SELECT doc, term FROM request_words_each")?;
            let mut terms = terms.query([])?;
            let mut accented = 0;
            while let Some(row) = terms.next()? {
                let (c, term): (u32, String) = (row.get(0)?, row.get(1)?);
                let c = char::from_u32(c).unwrap();
                match letters(&word_with(c)).collect::<Option<String>>() {
                    Some(letters) => assert_eq!(letters, term, "{c}"),
                    None => assert!(!term.is_ascii(), "{c}"),
                }
                accented += u32::from(!c.is_ascii() && term.is_ascii());
            }
            Ok(accented)
        };
        assert!(store.write(compare).await.unwrap() > 400);
    }

    #[tokio::test]
    async fn the_words_with_a_prefix_are_listed_if_they_are_few() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let find = |conn: &Connection| {
            let mut index =
                conn.prepare("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?;
            for row in 0..100_u32 {
                let lot = row % (MAX_WORDS + 1);
                index.execute((
                    row,
                    format!("House Houston Hôtel houses{row} lot{lot} zebra"),
                ))?;
            }
            let of = |term| Ok(Prefix::of(term).unwrap().words(conn)?);
            let cases = ["hous", "HOÛSTO", "hot", "hox", "zz", "lot", "lot3", "a"];
            cases.map(of).into_iter().collect::<crate::Result<Vec<_>>>()
        };
        let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(
            store.write(find).await.unwrap(),
            [
                None,
                words(&["houston"]),
                words(&["hotel"]),
                words(&[]),
                words(&[]),
                None,
                words(&["lot3"]),
                words(&[]),
            ]
        );
        assert!(Prefix::of("пет").is_none());
    }
}

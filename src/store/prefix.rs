//! The beginning of a word, as far as a dispatcher has typed it: which words of the index begin so, and whether a given word does. The searches that
//! ask are in `search`.

use rusqlite::Connection;

use super::quote_list::limit_plus_one;

/// Words that are looked for one by one; each costs as much as a look into the index.
const FEW: usize = 12;

/// A beginning as the index would keep it: small letters without accents, and digits.
pub(super) struct Prefix(String);

impl Prefix {
    /// None where it holds letters that have no plain one in ASCII.
    pub(super) fn of(term: &str) -> Option<Self> {
        letters(term).collect::<Option<_>>().map(Self)
    }

    /// Whether the index would find `word` by this beginning.
    pub(super) fn begins(&self, word: &str) -> bool {
        let beginning = self.0.as_bytes();
        if word.is_ascii() {
            let word = word.as_bytes().get(..beginning.len());
            return word.is_some_and(|word| word.eq_ignore_ascii_case(beginning));
        }
        let mut letters = letters(word);
        self.0.chars().all(|c| letters.next() == Some(Some(c)))
    }

    /// Whether it is the only one of `words`.
    pub(super) fn is(&self, words: &[String]) -> bool {
        matches!(words, [word] if *word == self.0)
    }

    /// The words of the index that begin so, in their order; none where they are not few.
    pub(super) fn words(&self, conn: &Connection) -> rusqlite::Result<Option<Vec<String>>> {
        let mut find = conn.prepare_cached(EACH)?;
        let end = format!("{}{}", self.0, char::MAX);
        let words = find.query_map((&self.0, end, limit_plus_one(FEW)), |row| row.get(0))?;
        let words = words.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok((words.len() <= FEW).then_some(words))
    }
}

/// From one word to the next: the view has a row for each quote that holds the word, so each step looks for the first one after it.
const EACH: &str = "WITH RECURSIVE each (word) AS (
       SELECT (SELECT term FROM quote_words_each WHERE term >= ?1 LIMIT 1)
       UNION ALL
       SELECT (SELECT term FROM quote_words_each WHERE term >= each.word || char(1) LIMIT 1) FROM each WHERE each.word < ?2
     )
     SELECT word FROM each WHERE word < ?2 LIMIT ?3";

/// The letters of a word as the index keeps them, `None` for each that it keeps in another alphabet.
fn letters(word: &str) -> impl Iterator<Item = Option<char>> {
    word.chars()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_accent(*c))
        .map(|c| if c.is_ascii() { Some(c) } else { plain(c) })
}

/// The accents that follow a letter as characters of their own (`search_index::searchable` takes no others).
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{331}').contains(&c)
}

fn plain(c: char) -> Option<char> {
    let (plain, _) = ACCENTED.iter().find(|(_, accented)| accented.contains(c))?;
    Some(*plain)
}

/// Every letter that the index keeps as a plain one (`remove_diacritics 2`).
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
    use super::{FEW, Prefix, letters};
    use crate::store::Store;
    use crate::store::search_index::tests::{around, index_each_character};
    use rusqlite::Connection;

    #[tokio::test]
    async fn a_word_has_the_letters_that_the_index_keeps_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let compare = |conn: &Connection| {
            index_each_character(conn)?;
            let mut kept = conn.prepare("SELECT doc, term FROM quote_words_each")?;
            let mut kept = kept.query([])?;
            let mut accented = 0;
            while let Some(row) = kept.next()? {
                let (c, kept): (u32, String) = (row.get(0)?, row.get(1)?);
                let c = char::from_u32(c).unwrap();
                match letters(&around(c)).collect::<Option<String>>() {
                    Some(letters) => assert_eq!(letters, kept, "{c}"),
                    None => assert!(!kept.is_ascii(), "{c}"),
                }
                accented += u32::from(!c.is_ascii() && kept.is_ascii());
            }
            Ok(accented)
        };
        assert!(store.write(compare).await.unwrap() > 400);
    }

    #[tokio::test]
    async fn the_words_that_begin_so_are_given_where_they_are_few() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let look = |conn: &Connection| {
            let mut index =
                conn.prepare("INSERT INTO quote_words (rowid, words) VALUES (?1, ?2)")?;
            for row in 0..100_u32 {
                let lot = row as usize % (FEW + 1);
                index.execute((
                    row,
                    format!("ServerState Houston Hôtel houses{row} lot{lot} zebra"),
                ))?;
            }
            let of = |term| Ok(Prefix::of(term).unwrap().words(conn)?);
            let cases = ["hous", "HOÛSTO", "hot", "hox", "zz", "lot", "lot3", "a"];
            cases
                .map(of)
                .into_iter()
                .collect::<crate::store::Result<Vec<_>>>()
        };
        let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(
            store.write(look).await.unwrap(),
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

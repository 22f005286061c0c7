//! What a search without a hit may have meant: the words of the index that are nearest to those
//! that it lacks.

use rusqlite::Connection;

use super::expressions;
use crate::{Result, query};

/// Letters of the shortest word that is corrected.
const MIN_LETTERS: usize = 4;
/// Letters from which a word may differ in two places.
const LONG: usize = 7;

/// Words of the index from `?1` up to `?2`. Steps from one word to the next: the view has a row for
/// each request with the word, and each step seeks the first row after it.
const WORDS: &str = "WITH RECURSIVE each (word, number) AS (
    SELECT (SELECT term FROM request_words_each WHERE term >= ?1 LIMIT 1), 1
    UNION ALL
    SELECT (SELECT term FROM request_words_each WHERE term >= each.word || char(1) LIMIT 1),
      number + 1
    FROM each WHERE each.word < ?2 AND number < 2000)
  SELECT word FROM each WHERE word < ?2";

/// The terms with words of the index in place of those that it lacks; `None` if it has all, or none
/// that is near.
pub(crate) fn nearest(conn: &Connection, terms: &[String]) -> Result<Option<String>> {
    let mut found = Vec::new();
    for (nth, term) in terms.iter().enumerate() {
        let is_last = nth + 1 == terms.len();
        let words = expressions(std::slice::from_ref(term));
        let words = words.map(|[exact, prefix]| if is_last { prefix } else { exact });
        let has = "SELECT 1 FROM request_words WHERE request_words MATCH ?1";
        let word = match query::exists(conn, has, [words])? {
            true => Some(term.clone()),
            false => nearest_word(conn, &term.to_lowercase())?,
        };
        let Some(word) = word else {
            return Ok(None);
        };
        found.push(word);
    }
    Ok((found != terms).then(|| found.join(" ")))
}

/// The nearest word that begins with the same letter.
fn nearest_word(conn: &Connection, term: &str) -> Result<Option<String>> {
    let letters = term.chars().filter(|c| c.is_alphabetic()).count();
    // A number with another digit is another one.
    let is_word = letters >= MIN_LETTERS && letters == term.chars().count();
    let Some(first) = term.get(..1).filter(|_| is_word) else {
        return Ok(None);
    };
    let most = if letters < LONG { 1 } else { 2 };
    let values = [first, &format!("{first}{}", char::MAX)];
    let words: Vec<String> = query::all(conn, WORDS, values, |row| row.get(0))?;
    let near = words.into_iter().filter_map(|word| {
        let distance = strsim::osa_distance(&word, term);
        (distance <= most).then_some((distance, word))
    });
    Ok(near.min().map(|(_, word)| word))
}

//! Where a search has found a request, if what the list shows of it lacks the words: the text that
//! has them.

use poem_openapi::{Enum, Object};
use rusqlite::Connection;

use super::words::{EVENTS, FILES, split_words};
use crate::{Result, query};
use domain::phone;
use domain::request::event::Verb;
use domain::request::{Request, RequestKind};

/// The kind of a text that the list does not show.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename_all = "snake_case")]
pub enum FoundPart {
    Reference,
    Email,
    Phone,
    /// The description, the text of a contact message, or a further field of the form.
    Words,
    Note,
    Call,
    Reply,
    /// An email of the customer.
    Message,
    /// The name of a file.
    File,
    /// That of a duplicate or of the outcome.
    Other,
}

/// Where a search has found a request.
#[derive(Clone, Debug, Object)]
pub struct FoundIn {
    /// The id of the request.
    request: String,
    part: FoundPart,
    /// The text around the word; empty for `other`.
    excerpt: String,
}

/// Bytes of a text that are shown on both sides of a word.
const AROUND: usize = 48;

/// Whether a term of a search begins a word. A letter with an accent counts as any letter without.
fn begins(term: &str, word: &str) -> bool {
    let is_same = |one: char, other: char| one == other || one.is_ascii() != other.is_ascii();
    let mut letters = letters(word);
    self::letters(term).all(|c| letters.next().is_some_and(|letter| is_same(c, letter)))
}

/// The letters of a word in lower case, without combining accents.
fn letters(word: &str) -> impl Iterator<Item = char> {
    let lower = word.chars().flat_map(char::to_lowercase);
    lower.filter(|c| !('\u{300}'..='\u{331}').contains(c))
}

fn is_in(term: &str, text: &str) -> bool {
    split_words(text).any(|word| begins(term, word))
}

/// Where the terms were found. `None` if the list shows all of them.
pub(crate) fn found_in(
    conn: &Connection,
    request: &Request,
    terms: &[String],
) -> Result<Option<FoundIn>> {
    let company = request.company.as_deref().unwrap_or_default();
    let location = request.location.as_deref().unwrap_or_default();
    let (first, last) = (request.first_name.as_str(), request.last_name.as_str());
    let shown = [first, last, company, location, request.service.as_str()];
    let is_shown = |term: &String| shown.iter().any(|text| is_in(term, text));
    let phones = phone::search_words(&request.phone);
    let asked = terms.iter().filter(|text| phones.contains(text)).count();
    let found = |part, excerpt| {
        let request = request.id.clone();
        Ok(Some(FoundIn {
            request,
            part,
            excerpt,
        }))
    };
    if asked > 0 && asked == terms.len() {
        return found(FoundPart::Phone, request.phone.clone());
    }
    let missing: Vec<&String> = terms.iter().filter(|term| !is_shown(term)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    let mut most = 0;
    let mut best = None;
    for (part, text) in texts(conn, request)? {
        let has = missing.iter().filter(|term| is_in(term, &text)).count();
        if has > most {
            most = has;
            best = Some((part, excerpt(&text, &missing)));
        }
    }
    let (part, excerpt) = best.unwrap_or((FoundPart::Other, String::new()));
    found(part, excerpt)
}

/// What the list does not show: facts, then notes, calls, replies and messages, newest first, then
/// files.
fn texts(conn: &Connection, request: &Request) -> Result<Vec<(FoundPart, String)>> {
    let mut texts = vec![
        (FoundPart::Reference, request.reference.clone()),
        (FoundPart::Email, request.email.clone()),
        (FoundPart::Phone, request.phone.clone()),
        (
            FoundPart::Words,
            request.description.clone().unwrap_or_default(),
        ),
    ];
    let fields = request.extra_fields.values();
    texts.extend(fields.map(|text| (FoundPart::Words, text.clone())));
    let facts = texts.len();
    query::each(conn, EVENTS, [request.seq], |row| {
        let part = match Verb::parse(&row.get::<_, String>(4)?) {
            Some(Verb::Noted) => FoundPart::Note,
            Some(Verb::Called) => FoundPart::Call,
            Some(Verb::Replied) => FoundPart::Reply,
            _ => FoundPart::Message,
        };
        for column in 0..4 {
            let part = if column == 3 { FoundPart::File } else { part };
            let text: Option<String> = row.get(column)?;
            texts.insert(facts, (part, text.unwrap_or_default()));
        }
        Ok(())
    })?;
    if request.kind == RequestKind::Quote {
        query::each(conn, FILES, [&request.id], |row| {
            let (key, name): (String, Option<String>) = row.try_into()?;
            let stored = key.rsplit('/').next().unwrap_or_default().to_owned();
            texts.push((FoundPart::File, name.unwrap_or(stored)));
            Ok(())
        })?;
    }
    Ok(texts)
}

/// The text around the first word that one of the terms begins, in whole words.
fn excerpt(text: &str, terms: &[&String]) -> String {
    let found = split_words(text).find(|word| terms.iter().any(|term| begins(term, word)));
    let at = found.map_or(0, |word| word.as_ptr().addr() - text.as_ptr().addr());
    let word_end = at + found.map_or(0, str::len);
    let (head, tail) = (&text[..at], &text[word_end..]);
    let begin = head.floor_char_boundary(at.saturating_sub(AROUND));
    let end = tail.ceil_char_boundary(AROUND.min(tail.len()));
    let is_space = char::is_whitespace;
    let (begin, before) = match begin {
        0 => (0, ""),
        _ => (begin + head[begin..].find(is_space).unwrap_or(0), "…"),
    };
    let (end, after) = match end == tail.len() {
        true => (end, ""),
        false => (tail[..end].rfind(is_space).unwrap_or(end), "…"),
    };
    let words = text[begin..word_end + end].split_whitespace();
    let words = words.collect::<Vec<_>>().join(" ");
    format!("{before}{words}{after}")
}

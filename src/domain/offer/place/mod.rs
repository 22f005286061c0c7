//! City and state of a location as people type it: `Nashville, TN, Gulch site` or
//! `4400 Bellaire Blvd, Houston 77025`.

mod table;
#[cfg(test)]
mod tests;

use crate::us_state;

/// The most words of a city.
const MAX_CITY_WORDS: usize = 3;

/// What follows the name of a state where it is that of a street.
const STREETS: &str = "ave avenue blvd boulevard dr drive ln parkway pkwy rd road st street way";

/// Words after the state and the postal code.
const COUNTRY: [&str; 2] = ["us", "usa"];

/// Where a post is, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// May be empty.
    pub city: String,
    /// The code of the state.
    pub state: Option<&'static str>,
}

/// A part of a location between commas.
type Part<'a> = Vec<&'a str>;

impl Place {
    /// The place that a location names.
    pub fn of_location(location: &str) -> Self {
        let parts: Vec<Part<'_>> = location
            .split([',', ';', '\n', '(', ')'])
            .map(words)
            .filter(|words| !words.is_empty())
            .collect();
        match written_state(&parts).or_else(|| zip_state(&parts)) {
            Some(found) => Self {
                city: city_before(&parts, &found),
                state: Some(found.code),
            },
            None => Self::by_city(&parts),
        }
    }

    /// The place of a city that is known, or of a state that is named in passing.
    fn by_city(parts: &[Part<'_>]) -> Self {
        if let Some(city) = parts.iter().rev().find_map(|part| table::city_at_end(part)) {
            let state = match city.states.as_slice() {
                [one] => us_state::parse_code(one),
                // Columbus is in Ohio and in Georgia.
                _ => None,
            };
            let city = city.name.clone();
            return Self { city, state };
        }
        let state = parts.iter().rev().find_map(|part| named_in_passing(part));
        let city = String::new();
        Self { city, state }
    }
}

/// The words of a part, without the punctuation around them.
fn words(part: &str) -> Part<'_> {
    let trimmed = part
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let mut words: Part<'_> = trimmed.filter(|word| !word.is_empty()).collect();
    while words
        .last()
        .is_some_and(|word| COUNTRY.iter().any(|name| word.eq_ignore_ascii_case(name)))
    {
        words.pop();
    }
    words
}

/// A state, and which words of which part name it.
struct Found {
    code: &'static str,
    part: usize,
    first: usize,
}

/// The last state that is written as such: a code in capitals, or a code or a name at the end of a
/// part.
fn written_state(parts: &[Part<'_>]) -> Option<Found> {
    let has_lower = |part: &Part<'_>| part.iter().any(|word| word.contains(char::is_lowercase));
    let is_mixed = parts.iter().any(has_lower);
    (0..parts.len()).rev().find_map(|part| {
        let is_last = part + 1 == parts.len();
        let words = &parts[part];
        let end = words.len()
            - words
                .iter()
                .rev()
                .take_while(|word| zip(word).is_some())
                .count();
        let words = &words[..end];
        let found = |first, code| Found { code, part, first };
        if let Some(last) = words.last().filter(|_| is_last || end == 1)
            && let Some(code) = us_state::parse_code(last)
        {
            return Some(found(end - 1, code));
        }
        if let Some((length, code)) = name_at_end(words) {
            return Some(found(end - length, code));
        }
        // In a text in capitals only, `IN` is a word.
        let code = |word: &str| {
            let is_upper = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
            us_state::parse_code(word).filter(|_| is_upper)
        };
        let mut places = (0..end).rev().filter(|place| is_mixed || place + 1 == end);
        places.find_map(|place| Some(found(place, code(words[place])?)))
    })
}

/// The state of a postal code at the end of a part.
fn zip_state(parts: &[Part<'_>]) -> Option<Found> {
    (0..parts.len()).rev().find_map(|part| {
        let first = parts[part].len() - 1;
        let code = table::state_of_zip(zip(parts[part][first])?)?;
        Some(Found { code, part, first })
    })
}

/// The first three digits of a postal code as `77025` or `77025-1234`.
fn zip(word: &str) -> Option<u16> {
    let (five, rest) = word.split_once('-').unwrap_or((word, "0000"));
    let is =
        |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zip = is(five, 5) && is(rest, 4);
    is_zip.then(|| five[..3].parse().ok()).flatten()
}

/// The number of the last words that name a state, and its code.
fn name_at_end(words: &[&str]) -> Option<(usize, &'static str)> {
    let mut lengths = (1..=words.len().min(3)).rev();
    lengths.find_map(|length| {
        let name = words[words.len() - length..].join(" ");
        Some((length, us_state::parse_name(&name)?))
    })
}

/// The state that a part names anywhere, but not as a street or a part of the name of a city.
fn named_in_passing(words: &[&str]) -> Option<&'static str> {
    (1..=words.len()).rev().find_map(|end| {
        let (_, code) = name_at_end(&words[..end])?;
        let next = words.get(end).map(|word| word.to_lowercase());
        let is_street = next.is_some_and(|next| ends_street(&next));
        (!is_street).then_some(code)
    })
}

/// The city before a state or a postal code.
fn city_before(parts: &[Part<'_>], found: &Found) -> String {
    let within = &parts[found.part][..found.first];
    let before = match (within, found.part) {
        ([], 0) => &[][..],
        ([], part) => &parts[part - 1][..],
        (words, _) => words,
    };
    if let Some(city) = table::city_of_state_at_end(before, found.code) {
        return city;
    }
    // A city that has the name of its state.
    if let Some(city) = table::city_of_state_at_end(&parts[found.part], found.code) {
        return city;
    }
    let is_street = before
        .first()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        || before
            .last()
            .is_some_and(|word| ends_street(&word.to_lowercase()));
    if !is_street && (1..=MAX_CITY_WORDS).contains(&before.len()) {
        return before.join(" ");
    }
    let mut others = parts.iter().rev();
    let known = others.find_map(|part| table::city_of_state_at_end(part, found.code));
    known.unwrap_or_default()
}

/// Whether a word, in lower case, ends the name of a street.
fn ends_street(word: &str) -> bool {
    STREETS.split(' ').any(|street| street == word)
}

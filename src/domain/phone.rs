//! Phone numbers in the international form (E.164), so that two ways to write one number are equal.

/// The number as `+` and digits, with +1 if it has no country code; `None` if it is not one
/// complete number, such as one with an extension, which would make it a longer, wrong one.
pub fn e164(phone: &str) -> Option<String> {
    let is_more = |c: char| c.is_alphabetic() || "#*;,".contains(c);
    if phone.contains(is_more) {
        return None;
    }
    // The zero of calls within a country, as in +44 (0)20, is no part of the international form.
    let phone = phone.replace("(0)", "");
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let international = if phone.trim_start().starts_with('+') {
        Some(digits.as_str())
    } else {
        // International dialing prefixes, of North America and of most other countries.
        ["011", "00"]
            .iter()
            .find_map(|exit| digits.strip_prefix(exit))
    };
    let number = match (international, digits.len()) {
        (Some(number), _) => number.to_owned(),
        (None, 10) => format!("1{digits}"),
        (None, 11) if digits.starts_with('1') => digits,
        (None, _) => return None,
    };
    let is_complete = match number.starts_with('1') {
        true => number.len() == 11,
        false => (7..=15).contains(&number.len()),
    };
    is_complete.then(|| format!("+{number}"))
}

/// Digits by which a number without its area code is found.
const LOCAL_DIGITS: usize = 7;

/// The words by which a stored number is found: its digits as written, those of the
/// international form, those without the country code of North America, and the last seven.
pub fn search_words(phone: &str) -> Vec<String> {
    let written: String = phone.chars().filter(char::is_ascii_digit).collect();
    let number = e164(phone);
    let international = number
        .as_deref()
        .map(|number| number.trim_start_matches('+'));
    let national = international.and_then(|digits| {
        let rest = digits.strip_prefix('1')?;
        (rest.len() == 10).then_some(rest)
    });
    let full = national.or(international).unwrap_or(&written);
    let local = full
        .len()
        .checked_sub(LOCAL_DIGITS)
        .map(|start| &full[start..]);
    let mut words = vec![written.clone()];
    for word in [international, national, local].into_iter().flatten() {
        if !word.is_empty() && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// The word to search for if a search is a phone number, or its last seven digits or more, with the
/// usual separators. Fewer than ten digits in groups separated only by spaces are words: an area
/// code and the last four digits look the same.
pub fn searched_number(search: &str) -> Option<String> {
    let search = search.trim();
    let is_phone = |c: char| c.is_ascii_digit() || " +-.()/\u{a0}".contains(c);
    let digits: String = search.chars().filter(char::is_ascii_digit).collect();
    if !search.chars().all(is_phone) || digits.len() < LOCAL_DIGITS {
        return None;
    }
    let is_words = |c: char| c.is_ascii_digit() || c == ' ';
    if digits.len() < 10 && search.contains(' ') && search.chars().all(is_words) {
        return None;
    }
    Some(e164(search).map_or(digits, |number| number.trim_start_matches('+').to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{e164, search_words, searched_number};

    #[test]
    fn eleven_digits_without_a_prefix_are_a_number_of_north_america_or_none() {
        assert_eq!(e164("1 713 555 0188").as_deref(), Some("+17135550188"));
        assert_eq!(e164("2 713 555 0188"), None);
    }

    #[test]
    fn a_number_with_an_extension_or_a_second_one_is_never_a_longer_one() {
        for wrong in [
            "+1 713 555 0111 ext. 22",
            "+1 713 555 0111 x22",
            "+1 713 555 0111 #22",
            "+1 713 555 0111,,22",
            "+1 713 555 0111 22",
            "+1 713 555 0111/0112",
            "+1 (713) 555-0111 or 0112",
            "713 555 0111 ext 22",
        ] {
            assert_eq!(e164(wrong), None, "{wrong}");
        }
        assert_eq!(
            e164("+44 (0)20 7946 0958").as_deref(),
            Some("+442079460958")
        );
        assert_eq!(
            e164("(713)\u{a0}555\u{2011}0142").as_deref(),
            Some("+17135550142")
        );
    }

    #[test]
    fn a_stored_number_has_the_word_of_every_way_to_search_for_it() {
        let searches = [
            "+17135550188",
            "1 713 555 0188",
            "(713) 555-0188",
            "713.555.0188",
            "001 713 555 0188",
            "555-0188",
            "5550188",
        ];
        for stored in [
            "(713) 555-0188",
            "+1 713.555.0188",
            "1-713-555-0188",
            "0017135550188",
        ] {
            let words = search_words(stored);
            for search in searches {
                let word = searched_number(search).unwrap();
                assert!(words.contains(&word), "{stored}: {search}");
            }
        }
        assert_eq!(
            search_words("+44 20 7946 0958"),
            ["442079460958", "9460958"]
        );
        for search in ["77077", "Maria 7135550188", "GP-2K7Q", "12 Main 77077", ""] {
            assert_eq!(searched_number(search), None, "{search}");
        }
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        let links: BTreeMap<String, String> =
            serde_json::from_str(include_str!("../../seeds/forms/phone-links.json")).unwrap();
        let complete = |link: &String| link.starts_with("tel:+");
        assert!(links.values().filter(|link| complete(link)).count() >= 6);
        for (phone, link) in links {
            let number = complete(&link).then(|| link.trim_start_matches("tel:").to_owned());
            assert_eq!(e164(&phone), number, "{phone}");
        }
    }
}

//! Phone numbers in the international form (E.164), so that two ways to write one number are equal.

/// The number as `+` and digits, with +1 if it has no country code; `None` if it is not a complete
/// number.
pub fn e164(phone: &str) -> Option<String> {
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
    (7..=15)
        .contains(&number.len())
        .then(|| format!("+{number}"))
}

/// The digits as which the number may have been written.
pub fn spellings(e164: &str) -> Vec<String> {
    let digits = e164.trim_start_matches('+');
    let national = digits.strip_prefix('1').filter(|rest| rest.len() == 10);
    let prefixed = ["", "00", "011"].map(|exit| format!("{exit}{digits}"));
    prefixed
        .into_iter()
        .chain(national.map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{e164, spellings};

    #[test]
    fn eleven_digits_without_a_prefix_are_a_number_of_north_america_or_none() {
        assert_eq!(e164("1 713 555 0188").as_deref(), Some("+17135550188"));
        assert_eq!(e164("2 713 555 0188"), None);
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
            if let Some(number) = number {
                let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
                assert!(spellings(&number).contains(&digits), "{phone}");
            }
        }
    }
}

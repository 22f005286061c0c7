//! The US state in a location as visitors type it: `Houston, TX 77002`, `Columbus, Ohio`.

/// Postal codes and names of the states and the District of Columbia (USPS Publication 28, B).
const STATES: [(&str, &str); 51] = [
    ("AL", "alabama"),
    ("AK", "alaska"),
    ("AZ", "arizona"),
    ("AR", "arkansas"),
    ("CA", "california"),
    ("CO", "colorado"),
    ("CT", "connecticut"),
    ("DE", "delaware"),
    ("DC", "district of columbia"),
    ("FL", "florida"),
    ("GA", "georgia"),
    ("HI", "hawaii"),
    ("ID", "idaho"),
    ("IL", "illinois"),
    ("IN", "indiana"),
    ("IA", "iowa"),
    ("KS", "kansas"),
    ("KY", "kentucky"),
    ("LA", "louisiana"),
    ("ME", "maine"),
    ("MD", "maryland"),
    ("MA", "massachusetts"),
    ("MI", "michigan"),
    ("MN", "minnesota"),
    ("MS", "mississippi"),
    ("MO", "missouri"),
    ("MT", "montana"),
    ("NE", "nebraska"),
    ("NV", "nevada"),
    ("NH", "new hampshire"),
    ("NJ", "new jersey"),
    ("NM", "new mexico"),
    ("NY", "new york"),
    ("NC", "north carolina"),
    ("ND", "north dakota"),
    ("OH", "ohio"),
    ("OK", "oklahoma"),
    ("OR", "oregon"),
    ("PA", "pennsylvania"),
    ("RI", "rhode island"),
    ("SC", "south carolina"),
    ("SD", "south dakota"),
    ("TN", "tennessee"),
    ("TX", "texas"),
    ("UT", "utah"),
    ("VT", "vermont"),
    ("VA", "virginia"),
    ("WA", "washington"),
    ("WV", "west virginia"),
    ("WI", "wisconsin"),
    ("WY", "wyoming"),
];

/// The time zone of most of a state (IANA).
pub fn time_zone(code: &str) -> &'static str {
    match code {
        "AL" | "AR" | "IL" | "IA" | "KS" | "LA" | "MN" | "MS" | "MO" | "NE" | "ND" | "OK"
        | "SD" | "TN" | "TX" | "WI" => "America/Chicago",
        "CO" | "ID" | "MT" | "NM" | "UT" | "WY" => "America/Denver",
        "CA" | "NV" | "OR" | "WA" => "America/Los_Angeles",
        "AZ" => "America/Phoenix",
        "AK" => "America/Anchorage",
        "HI" => "Pacific/Honolulu",
        _ => "America/New_York",
    }
}

/// The code of the District of Columbia, which is no state.
const DISTRICT: &str = "DC";

/// Postal codes and names, in lower case, of the 50 states.
pub fn states() -> impl Iterator<Item = (&'static str, &'static str)> {
    STATES.into_iter().filter(|(code, _)| *code != DISTRICT)
}

/// The name of the state with this postal code, as it is written: `North Dakota`.
pub fn title(code: &str) -> Option<String> {
    let (_, name) = states().find(|(known, _)| *known == code)?;
    let words = name.split(' ').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The state with this postal code, in any case.
pub fn parse_code(code: &str) -> Option<&'static str> {
    STATES
        .iter()
        .map(|(known, _)| *known)
        .find(|known| known.eq_ignore_ascii_case(code))
}

/// The code of the state with this name, in any case.
pub fn parse_name(name: &str) -> Option<&'static str> {
    let mut states = STATES.iter();
    let found = states.find(|(_, known)| known.eq_ignore_ascii_case(name));
    found.map(|(code, _)| *code)
}

/// The postal code of the state that a location names: the last upper-case code or name in it, or a
/// code in any case at its end. `None` if it names none.
pub fn of_location(location: &str) -> Option<&'static str> {
    let is_separator = |c: char| !c.is_alphanumeric();
    let words: Vec<&str> = location
        .split(is_separator)
        .filter(|word| !word.is_empty())
        .collect();
    let is_suffix =
        |word: &&&str| word.bytes().all(|b| b.is_ascii_digit()) || matches!(**word, "USA" | "US");
    let suffixes = words.iter().rev().take_while(is_suffix).count();
    let words = &words[..words.len() - suffixes];
    if let Some(code) = words.last().and_then(|word| parse_code(word)) {
        return Some(code);
    }
    (0..words.len()).rev().find_map(|first| {
        let rest = &words[first..];
        let is_upper = rest[0].len() == 2 && rest[0].bytes().all(|b| b.is_ascii_uppercase());
        let by_code = is_upper.then(|| parse_code(rest[0])).flatten();
        by_code.or_else(|| by_name(&words[..first], rest))
    })
}

/// The state whose name `rest` starts with, unless the word before makes it another one.
fn by_name(before: &[&str], rest: &[&str]) -> Option<&'static str> {
    let starts_with = |name: &str| {
        let mut rest = rest.iter();
        name.split(' ').all(|part| {
            rest.next()
                .is_some_and(|word| word.eq_ignore_ascii_case(part))
        })
    };
    let (code, _) = STATES.iter().find(|(_, name)| starts_with(name))?;
    let is_west = before
        .last()
        .is_some_and(|word| word.eq_ignore_ascii_case("west"));
    Some(if *code == "VA" && is_west { "WV" } else { code })
}

#[cfg(test)]
mod tests {
    use super::{of_location, parse_code};

    #[test]
    fn the_state_of_a_location_is_found_as_people_write_it() {
        for (location, state) in [
            ("Houston, TX", Some("TX")),
            ("Houston, TX 77002", Some("TX")),
            ("Houston TX 77002-1234, USA", Some("TX")),
            ("1200 Main Street, houston tx", Some("TX")),
            ("Columbus, Ohio", Some("OH")),
            ("Charleston, West Virginia 25301", Some("WV")),
            ("Richmond, Virginia", Some("VA")),
            ("Kansas City, MO", Some("MO")),
            ("Texas, near the border with Louisiana", Some("LA")),
            ("Portland, OR, at the harbor", Some("OR")),
            ("Washington, DC", Some("DC")),
            ("new york city", Some("NY")),
            ("a warehouse in town or the lot", None),
            ("Main Street", None),
            ("77002", None),
            ("", None),
        ] {
            assert_eq!(of_location(location), state, "{location:?}");
        }
    }

    #[test]
    fn a_code_is_read_in_any_case() {
        assert_eq!(parse_code("tx"), Some("TX"));
        assert_eq!(parse_code("Texas"), None);
    }
}

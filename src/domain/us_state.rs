//! The US states: their postal codes, names and time zones.

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

#[cfg(test)]
mod tests {
    use super::{parse_code, states, title};

    #[test]
    fn a_state_is_written_with_capitals() {
        assert_eq!(title("TX").as_deref(), Some("Texas"));
        assert_eq!(title("WV").as_deref(), Some("West Virginia"));
        for (code, name) in states() {
            let title = title(code).unwrap();
            let is_capital = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase());
            assert!(title.split(' ').all(is_capital), "{name}: {title}");
        }
    }

    #[test]
    fn a_code_is_read_in_any_case() {
        assert_eq!(parse_code("tx"), Some("TX"));
        assert_eq!(parse_code("Texas"), None);
    }
}

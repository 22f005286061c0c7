//! Checks texts: their length and characters, the facts that they name, choices and formats.

use super::Check;
use crate::domain::content::shape::{Choices, Format};
use crate::domain::email_address::is_mailable;
use crate::domain::promises::promises;
use crate::domain::text::is_invisible;
use crate::domain::us_state;

/// The company facts that a text may name, as in `{{company.city}}`, besides the promises.
const FACTS: [&str; 11] = [
    "name",
    "legal_name",
    "phone",
    "email",
    "media_email",
    "street",
    "city",
    "region",
    "postal_code",
    "address",
    "hours",
];

/// The section of the facts, which cannot name themselves.
const FACTS_SECTION: &str = "facts";

impl Check<'_> {
    pub(super) fn text(
        &mut self,
        text: &str,
        (min, max, lines): (usize, usize, bool),
        format: Option<Format>,
        path: &str,
    ) {
        let length = text.chars().count();
        if length < min {
            return self.fault(path, "is empty");
        }
        if length > max {
            let rule = format!("has {length} characters; at most {max} are allowed");
            return self.fault(path, rule);
        }
        if text.trim() != text {
            return self.fault(path, "starts or ends with white space");
        }
        if text
            .chars()
            .any(|c| is_invisible(c) || c == '\t' || (c == '\n' && !lines))
        {
            let rule = "has a line break or a character that cannot be seen";
            return self.fault(path, rule);
        }
        if self.section == FACTS_SECTION && text.contains("{{") {
            return self.fault(path, "cannot contain {{");
        }
        if let Some(unknown) = unknown_fact(text) {
            let rule = format!("names a fact that does not exist: {unknown}");
            return self.fault(path, rule);
        }
        if let Some(format) = format
            && !text.is_empty()
            && !format.holds(text)
        {
            self.fault(path, format.rule());
        }
    }
}

impl Choices {
    pub(super) fn contain(&self, text: &str) -> bool {
        match self {
            Self::Values(values) => values.iter().any(|value| value == text),
            Self::Named(_) => us_state::states().any(|(_, name)| name.replace(' ', "-") == text),
        }
    }

    pub(super) fn rule(&self) -> String {
        match self {
            Self::Values(values) => format!("must be one of {}", values.join(", ")),
            Self::Named(_) => "must be a state, as in new-york".to_owned(),
        }
    }
}

impl Format {
    fn holds(self, text: &str) -> bool {
        match self {
            Self::Email => is_mailable(text),
            Self::Phone => {
                let digits = text.chars().filter(char::is_ascii_digit).count();
                let known = |c: char| c.is_ascii_digit() || " ()+-.".contains(c);
                (10..=15).contains(&digits) && text.chars().all(known)
            }
            Self::Url => text
                .strip_prefix("https://")
                .is_some_and(|rest| rest.contains('.') && rest.bytes().all(is_url_byte)),
            Self::StateCode => us_state::states().any(|(code, _)| code == text),
            Self::Zip => {
                let digits =
                    |part: &str, n| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
                match text.split_once('-') {
                    Some((five, four)) => digits(five, 5) && digits(four, 4),
                    None => digits(text, 5),
                }
            }
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Self::Email => "must be an email address, as in office@company.example",
            Self::Phone => "must be a phone number of 10 to 15 digits",
            Self::Url => "must be an address that starts with https://",
            Self::StateCode => "must be the two capital letters of a state, as in TX",
            Self::Zip => "must be a ZIP code, as in 77077 or 77077-1234",
        }
    }
}

/// The first fact that a text names and that does not exist, as in `{{company.json}}`.
fn unknown_fact(text: &str) -> Option<String> {
    let named = text.split("{{company.").skip(1);
    let mut keys = named.map(|rest| rest.split("}}").next().unwrap_or_default());
    let promises = promises();
    let is_promise = |key: &str| {
        let named = key.strip_prefix("promise_");
        named.is_some_and(|key| promises.contains_key(key))
    };
    let unknown = keys.find(|key| !FACTS.contains(key) && !is_promise(key))?;
    Some(format!(
        "{{{{company.{}}}}}",
        unknown.chars().take(20).collect::<String>()
    ))
}

fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)
}

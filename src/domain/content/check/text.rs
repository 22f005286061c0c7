//! Checks texts: their length and characters, the facts that they name, choices and formats.

use std::ops::RangeInclusive;

use super::Check;
use crate::content::shape::{Choices, Format};
use crate::email::email_address::is_mailable_everywhere;
use crate::promises::promises;
use crate::text::is_invisible;
use crate::us_state;

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

/// The name of the list of state codes.
const STATE_CODES: &str = "state_codes";

/// The section of the facts, which cannot name themselves.
const FACTS_SECTION: &str = "facts";

impl Check<'_> {
    pub(super) fn text(
        &mut self,
        text: &str,
        lengths: RangeInclusive<usize>,
        lines: bool,
        format: Option<Format>,
        path: &str,
    ) {
        let length = text.chars().count();
        if length < *lengths.start() {
            return self.fault(path, "is empty");
        }
        let max = *lengths.end();
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
        if let Some(unknown) = unknown_name(text) {
            let known = known_names().join(", ");
            let rule = format!("names {unknown}, which does not exist; write one of {known}");
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
            Self::Values(values) => values.iter().any(|one| one.value == text),
            Self::Named(list) if list == STATE_CODES => {
                us_state::states().any(|(code, _)| code == text)
            }
            Self::Named(_) => us_state::states().any(|(_, name)| name.replace(' ', "-") == text),
        }
    }

    pub(super) fn rule(&self) -> String {
        match self {
            Self::Values(values) => {
                let values: Vec<_> = values.iter().map(|one| one.value.as_str()).collect();
                format!("must be one of {}", values.join(", "))
            }
            Self::Named(list) if list == STATE_CODES => {
                "must be the two capital letters of a state, as in TX".to_owned()
            }
            Self::Named(_) => "must be a state, as in new-york".to_owned(),
        }
    }
}

impl Format {
    fn holds(self, text: &str) -> bool {
        match self {
            Self::Email => is_mailable_everywhere(text),
            Self::Phone => {
                let digits = text.chars().filter(char::is_ascii_digit).count();
                let known = |c: char| c.is_ascii_digit() || " ()+-.".contains(c);
                (10..=15).contains(&digits) && text.chars().all(known)
            }
            Self::Url => text
                .strip_prefix("https://")
                .is_some_and(|rest| rest.contains('.') && rest.bytes().all(is_url_byte)),
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
            Self::Zip => "must be a ZIP code, as in 77077 or 77077-1234",
        }
    }
}

/// Every name that a text may have in double braces, as it is written.
fn known_names() -> Vec<String> {
    let facts = FACTS.iter().map(|key| format!("{{{{company.{key}}}}}"));
    let promises = promises().keys();
    facts
        .chain(promises.map(|key| format!("{{{{company.promise_{key}}}}}")))
        .collect()
}

/// The first name in double braces that a text has and that does not exist, as in
/// `{{company.json}}`, at most 40 characters of it.
fn unknown_name(text: &str) -> Option<String> {
    if !text.contains("{{") {
        return None;
    }
    let known = known_names();
    let names = text.split("{{").skip(1);
    let mut names = names.filter_map(|rest| Some(format!("{{{{{}}}}}", rest.split_once("}}")?.0)));
    let unknown = names.find(|name| !known.contains(name))?;
    Some(unknown.chars().take(40).collect())
}

fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)
}

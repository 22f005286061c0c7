//! What an email says of a quote request, by plain rules: values for the fields of the form, which
//! a person checks. Lines with a label, as portals write them (`Phone: 713-555-0177`), come before
//! the words. What is not said, or not surely, stays empty.

mod dates;
mod labels;
mod places;
mod services;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use self::labels::Labels;
use crate::email::email_address::is_mailable;
use crate::phone;
use crate::text::{clean, one_line};

/// Maximum code points of a description.
const MAX_DESCRIPTION: usize = 2000;
/// Maximum code points of a value in one line.
const MAX_LINE: usize = 200;

/// An email, as its reader has understood it.
#[derive(Clone, Copy, Debug)]
pub struct EmailedWords<'a> {
    /// The display name of the person to answer.
    pub name: &'a str,
    /// The address of the person to answer.
    pub address: &'a str,
    pub subject: &'a str,
    pub text: &'a str,
    /// Quoted history and the signature.
    pub folded: &'a str,
    /// The day of the office on which it came.
    pub day: Date,
}

/// The values of the quote form's fields that an email says, by `snake_case` key.
pub fn fields(email: &EmailedWords<'_>) -> BTreeMap<&'static str, String> {
    let labels = Labels::read(email.text);
    let words = format!("{}\n{}", email.subject, email.text);
    let label = |field: &str| labels.get(field);
    let (first_name, last_name) = names(&labels, email.name);
    let location = places::location(&labels, email.text);
    let said = |field: &str| label(field).unwrap_or(&words).to_owned();
    let found = [
        ("first_name", Some(first_name)),
        ("last_name", Some(last_name)),
        ("email", address(&labels, email)),
        ("phone", phone_number(&labels, email)),
        ("company", label("company").map(str::to_owned)),
        (
            "service_type",
            services::service(&said("service")).map(str::to_owned),
        ),
        ("location", location),
        ("start_date", dates::start(&said("start"), email.day)),
        (
            "duration",
            dates::duration(&words, label("duration")).map(str::to_owned),
        ),
        ("description", Some(description(email))),
    ];
    let found = found.into_iter().filter_map(|(key, value)| {
        let value = value.filter(|value| !value.trim().is_empty())?;
        let max = match key {
            "description" => MAX_DESCRIPTION,
            _ => MAX_LINE,
        };
        let value: String = value.chars().take(max).collect();
        Some((key, value.trim().to_owned()))
    });
    found.collect()
}

/// First and last name.
fn names(labels: &Labels, shown: &str) -> (String, String) {
    let label = |field: &str| labels.get(field).unwrap_or_default().to_owned();
    let (first, last) = (label("first_name"), label("last_name"));
    if !first.is_empty() {
        return (first, last);
    }
    let name = labels.get("name").unwrap_or(shown);
    let name = one_line(name, MAX_LINE);
    // A mailbox is no name.
    if name.contains('@') {
        return Default::default();
    }
    if let Some((last, first)) = name.split_once(',') {
        return (first.trim().to_owned(), last.trim().to_owned());
    }
    match name.split_once(' ') {
        Some((first, last)) => (first.to_owned(), last.trim().to_owned()),
        None => (name, String::new()),
    }
}

fn address(labels: &Labels, email: &EmailedWords<'_>) -> Option<String> {
    let labelled = labels.get("email").and_then(|value| {
        let mut words = value.split(|c: char| c.is_whitespace() || "<>()".contains(c));
        words.find(|word| is_mailable(word))
    });
    let found = labelled.unwrap_or(email.address);
    is_mailable(found).then(|| found.to_owned())
}

/// The first complete number of North America, in the text or else in the signature, but in no line
/// of a fax or of quoted history.
fn phone_number(labels: &Labels, email: &EmailedWords<'_>) -> Option<String> {
    let number = NUMBER.as_ref()?;
    let is_theirs = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with('>') && !line.to_lowercase().starts_with("fax")
    };
    let lines = email.text.lines().chain(email.folded.lines());
    let mut all = labels
        .get("phone")
        .into_iter()
        .chain(lines.filter(is_theirs));
    all.find_map(|line| {
        let found = number.captures(line)?;
        let digits = format!("{}-{}-{}", &found[1], &found[2], &found[3]);
        phone::e164(&digits).map(|_| digits)
    })
}

/// The words, with the quotes and dashes that the form accepts.
fn description(email: &EmailedWords<'_>) -> String {
    let text = match email.text.trim() {
        "" => email.subject,
        text => text,
    };
    let mut is_open = false;
    let quoted = clean(text, true).replace("--", "–");
    let typed = quoted.chars().map(|c| match c {
        '\'' => '’',
        ';' => ',',
        '"' => {
            is_open = !is_open;
            if is_open { '“' } else { '”' }
        }
        other => other,
    });
    typed.collect()
}

/// Ten digits, with or without the country code, that are part of no longer number.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:^|[^0-9A-Za-z/.-])(?:\+?1[\s.‑–-]?)?\(?([2-9][0-9]{2})\)?[\s.‑–-]{0,2}",
        r"([2-9][0-9]{2})[\s.‑–-]?([0-9]{4})(?:$|[^0-9])",
    ))
    .ok()
});

#[cfg(test)]
mod tests;

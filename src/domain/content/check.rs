//! Checks content by its rules.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Map, Value};

use super::Sections;
use super::shape::{Choices, Field, Format, Section, Shape};
use crate::domain::text::is_invisible;
use crate::domain::us_state;

/// The company facts that a text may name, as in `{{company.city}}`.
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

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The key of the section.
    pub section: String,
    /// Where in it, as a JSON pointer (RFC 6901); empty: the section as a whole.
    pub path: String,
    /// The rule, as half a sentence.
    pub rule: String,
}

impl Fault {
    pub(super) fn new(section: &str, path: &str, rule: impl Into<String>) -> Self {
        Self {
            section: section.to_owned(),
            path: path.to_owned(),
            rule: rule.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{}.json: {}", self.section, self.rule),
            path => write!(f, "{}.json: {path}: {}", self.section, self.rule),
        }
    }
}

/// Everything that is wrong with the form of a section.
pub(super) fn section(section: &Section, value: &Value, default: &Value) -> Vec<Fault> {
    let mut check = Check {
        section: &section.key,
        faults: Vec::new(),
    };
    check.value(value, Some(default), &section.shape, "");
    check.faults
}

struct Check<'a> {
    section: &'a str,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, path: &str, rule: impl Into<String>) {
        self.faults.push(Fault::new(self.section, path, rule));
    }

    fn value(&mut self, value: &Value, default: Option<&Value>, shape: &Shape, path: &str) {
        match shape {
            Shape::Object { fields } => match value.as_object() {
                Some(object) => self.object(object, default, fields, path),
                None => self.fault(path, "must be an object"),
            },
            Shape::List { .. } => match value.as_array() {
                Some(list) => self.list(list, default, shape, path),
                None => self.fault(path, "must be a list"),
            },
            Shape::Text {
                min,
                max,
                lines,
                format,
            } => match value.as_str() {
                Some(text) => self.text(text, (*min, *max, *lines), *format, path),
                None => self.fault(path, "must be a text"),
            },
            Shape::Number { min, max } => {
                if !value.as_i64().is_some_and(|n| (*min..=*max).contains(&n)) {
                    self.fault(path, format!("must be a whole number from {min} to {max}"));
                }
            }
            Shape::Flag | Shape::Sample => {
                if !value.is_boolean() {
                    self.fault(path, "must be true or false");
                }
            }
            Shape::Picture => {
                if !value.as_str().is_some_and(is_picture_name) {
                    self.fault(path, "needs a picture");
                }
            }
            Shape::Date => {
                let day =
                    |text: &str| text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
                if !value.as_str().is_some_and(day) {
                    self.fault(path, "must be a day, as in 2026-11-22");
                }
            }
            Shape::Choice { choices } => {
                if !value.as_str().is_some_and(|text| choices.contain(text)) {
                    self.fault(path, choices.rule());
                }
            }
            Shape::Slug => {
                if !value.as_str().is_some_and(is_slug) {
                    let rule = "must be 1 to 60 lower-case letters, digits and hyphens";
                    self.fault(path, rule);
                }
            }
            Shape::Fixed => {
                if default != Some(value) {
                    self.fault(path, "belongs to the program and cannot be changed");
                }
            }
        }
    }

    fn object(
        &mut self,
        object: &Map<String, Value>,
        default: Option<&Value>,
        fields: &[Field],
        path: &str,
    ) {
        for key in object.keys() {
            if !fields.iter().any(|field| field.key == *key) {
                self.fault(&at(path, key), "is not a field");
            }
        }
        for field in fields {
            let (path, default) = (
                at(path, &field.key),
                default.and_then(|it| it.get(&field.key)),
            );
            match object.get(&field.key) {
                None | Some(Value::Null) if field.optional => {
                    if matches!(field.shape, Shape::Fixed) && default.is_some() {
                        self.fault(&path, "is missing");
                    }
                }
                None => self.fault(&path, "is missing"),
                Some(value) => self.value(value, default, &field.shape, &path),
            }
        }
        self.width(object, fields, path);
    }

    /// Lists that are as wide as a sibling: the rows of a table.
    fn width(&mut self, object: &Map<String, Value>, fields: &[Field], path: &str) {
        for field in fields {
            let Shape::List { of, .. } = &field.shape else {
                continue;
            };
            let Shape::List {
                as_wide_as: Some(other),
                ..
            } = &**of
            else {
                continue;
            };
            let length = |value: &Value| value.as_array().map(Vec::len);
            let wanted = object.get(other).and_then(length);
            let rows = object.get(&field.key).and_then(Value::as_array);
            for (nth, row) in rows.into_iter().flatten().enumerate() {
                if length(row).is_some() && length(row) != wanted {
                    let rule = format!("must have as many entries as `{other}`");
                    self.fault(&format!("{path}/{}/{nth}", field.key), rule);
                }
            }
        }
    }

    fn list(&mut self, list: &[Value], default: Option<&Value>, shape: &Shape, path: &str) {
        let Shape::List {
            of,
            min,
            max,
            fixed,
            unique,
            ..
        } = shape
        else {
            return;
        };
        let shipped = default.and_then(Value::as_array).filter(|_| *fixed);
        if shipped.is_some_and(|shipped| shipped.len() != list.len()) {
            return self.fault(path, "must have as many entries as shipped");
        }
        if list.len() < *min || list.len() > *max {
            self.fault(
                path,
                format!("has {} entries; {min} to {max} are allowed", list.len()),
            );
        }
        let mut seen = HashSet::new();
        for (nth, entry) in list.iter().enumerate() {
            let path = at(path, &nth.to_string());
            self.value(
                entry,
                shipped.and_then(|shipped| shipped.get(nth)),
                of,
                &path,
            );
            let Some(key) = unique else { continue };
            if !entry
                .get(key)
                .is_none_or(|value| seen.insert(value.to_string()))
            {
                self.fault(&at(&path, key), "is given twice");
            }
        }
    }

    fn text(
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
    fn contain(&self, text: &str) -> bool {
        match self {
            Self::Values(values) => values.iter().any(|value| value == text),
            Self::Named(_) => us_state::states().any(|(_, name)| name.replace(' ', "-") == text),
        }
    }

    fn rule(&self) -> String {
        match self {
            Self::Values(values) => format!("must be one of {}", values.join(", ")),
            Self::Named(_) => "must be a state, as in new-york".to_owned(),
        }
    }
}

impl Format {
    fn holds(self, text: &str) -> bool {
        match self {
            Self::Email => email_address::EmailAddress::is_valid(text),
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
            Self::Email => "must be an email address",
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
    let unknown = keys.find(|key| !FACTS.contains(key))?;
    Some(format!(
        "{{{{company.{}}}}}",
        unknown.chars().take(20).collect::<String>()
    ))
}

/// What a sample invents; a release is known by its title.
const INVENTED: [&str; 5] = ["name", "company", "text", "excerpt", "content"];

/// A shipped sample stays as it is, goes, or becomes a real entry: what carries no mark has nothing
/// that a shipped sample invents (16 CFR 465: no invented reviews).
pub(super) fn samples(section: &str, value: &Value, default: &Value) -> Vec<Fault> {
    let (Some(entries), Some(shipped)) = (value.as_array(), default.as_array()) else {
        return Vec::new();
    };
    let is_sample = |entry: &Value| entry.get("sample").and_then(Value::as_bool);
    let mut faults = Vec::new();
    for (nth, entry) in entries.iter().enumerate() {
        let mut fault = |key: &str, rule: &str| {
            faults.push(Fault::new(section, &format!("/{nth}/{key}"), rule));
        };
        match is_sample(entry) {
            Some(true) if !shipped.contains(entry) => {
                fault(
                    "sample",
                    "is changed; take its mark off to make it a real entry",
                );
            }
            Some(false) => {
                let title = entry.get("name").is_none().then_some("title");
                for key in INVENTED.into_iter().chain(title) {
                    let samples = shipped.iter().filter(|one| is_sample(one) == Some(true));
                    let mut invented = samples.filter_map(|sample| sample.get(key));
                    if invented.any(|value| entry.get(key) == Some(value)) {
                        fault(key, "is that of a sample; write your own");
                    }
                }
            }
            _ => {}
        }
    }
    faults
}

/// The figures of the states add up to no more than the company's, and none is older.
pub(super) fn figures(all: &Sections) -> Vec<Fault> {
    let figure = |label: &str| {
        let stats = all.get("company")?.get("stats")?.as_array()?;
        let stat = stats.iter().find(|stat| stat["label"] == label)?;
        let digits: String = stat["value"]
            .as_str()?
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        digits.parse::<i64>().ok()
    };
    let states = all.get("states").and_then(Value::as_array);
    let of = |key: &str| {
        let figures = states.into_iter().flatten();
        figures
            .filter_map(|state| state["stats"][key].as_i64())
            .collect::<Vec<_>>()
    };
    let mut faults = Vec::new();
    let clients: i64 = of("clients").iter().sum();
    if let Some(total) = figure("client locations")
        && clients > total
    {
        let rule = format!(
            "the states have {clients} clients together, the company's figure says {total}"
        );
        faults.push(Fault::new("states", "", rule));
    }
    let years = of("years").into_iter().max().unwrap_or_default();
    if let Some(total) = figure("years in business")
        && years > total
    {
        let rule = format!("a state has {years} years, the company's figure says {total}");
        faults.push(Fault::new("states", "", rule));
    }
    faults
}

/// Whether it is the name of a stored picture: a digest of its bytes.
pub(super) fn is_picture_name(text: &str) -> bool {
    text.strip_suffix(".jpg").is_some_and(|digest| {
        digest.len() == 24
            && digest
                .bytes()
                .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

fn is_slug(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_url_byte(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)
}

fn at(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

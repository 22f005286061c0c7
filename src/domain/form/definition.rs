//! A form: its fields, their checks, and the texts of its outcomes.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

/// One form: its fields in order, and the texts of its outcomes.
#[derive(Debug)]
pub struct Form {
    /// Whether what cleaning removes is refused.
    pub(super) check_uncleaned: bool,
    pub(super) fields: Vec<Field>,
    pub(super) outcomes: BTreeMap<String, Outcome>,
}

/// Title and text shown after a submission.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The headline.
    pub title: String,
    /// The text; may be empty.
    pub detail: String,
}

/// An option of a select.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The value that is submitted and stored.
    pub value: String,
    /// The visible text.
    pub label: String,
    /// Whether a page sends it by itself, so that the select does not list it.
    #[serde(default)]
    pub unlisted: bool,
}

/// One field and its checks.
#[derive(Debug)]
pub struct Field {
    /// The name in the form, camelCase.
    pub name: String,
    /// The same name in JSON and the database, `snake_case`.
    pub key: String,
    /// The label on the page and in emails.
    pub label: String,
    /// The options of a select; empty for other fields.
    pub options: Vec<Choice>,
    pub(super) optional: bool,
    pub(super) multiline: bool,
    pub(super) secret: bool,
    /// Whether it is a checkbox: true or false in JSON.
    pub boolean: bool,
    pub(super) free_text: bool,
    pub(super) format: Format,
    /// Maximum code points of a raw text; a longer one is rejected before cleaning.
    pub(super) raw_max: usize,
    pub(super) checks: Vec<(Check, String)>,
}

/// What a value is, by the pattern that it must match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Phone,
    Email,
}

#[derive(Debug)]
pub(super) enum Check {
    Required,
    Min(usize),
    Max(usize),
    Match(Regex),
    Reject(Regex),
    OneOf,
    Date,
    NotPast,
}

impl Form {
    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The texts of an outcome, as in `rate_limited`.
    pub fn outcome(&self, name: &str) -> Outcome {
        self.outcomes.get(name).cloned().unwrap_or_default()
    }

    /// The label of a select's value; the value itself if it has none.
    pub fn label<'a>(&'a self, key: &str, value: &'a str) -> &'a str {
        let field = self.fields.iter().find(|field| field.key == key);
        field
            .and_then(|field| field.options.iter().find(|choice| choice.value == value))
            .map_or(value, |choice| &choice.label)
    }
}

//! Form validation by the rules in `seeds/forms/`: returns cleaned values, or one message per
//! field. `frontend/src/forms/rules.ts` implements the same rules in the browser; both run the
//! cases in `seeds/forms/cases.json`. `seeds/forms/README.md` describes the rule format.

mod fixes;
mod rules;
mod validation;

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

pub use fixes::Fix;

/// The rules of the three forms.
#[derive(Debug)]
pub struct Forms {
    /// The contact form.
    pub contact: Form,
    /// The quote form.
    pub quote: Form,
    /// The admin sign-in form.
    pub sign_in: Form,
}

/// The message if no check has one of its own (specification section 5, generic messages).
pub const INVALID: &str = "Invalid input";

/// One form: its fields in order, and the texts of its outcomes.
#[derive(Debug)]
pub struct Form {
    /// Whether what cleaning removes is refused.
    check_uncleaned: bool,
    fields: Vec<Field>,
    outcomes: BTreeMap<String, Outcome>,
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
    optional: bool,
    multiline: bool,
    secret: bool,
    boolean: bool,
    free_text: bool,
    /// Maximum code points of a raw text; a longer one is rejected before cleaning.
    raw_max: usize,
    checks: Vec<(Check, String)>,
}

#[derive(Debug)]
enum Check {
    Required,
    Min(usize),
    Max(usize),
    Match(Regex),
    Reject(Regex),
    OneOf,
    Date,
    NotPast,
}

/// Why a field is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name in the form, camelCase.
    pub field: String,
    /// The field's name in JSON, `snake_case`.
    pub key: String,
    /// The specification's message.
    pub message: String,
}

/// The submitted value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawValue<'a> {
    /// Absent.
    Missing,
    /// A string, as in every HTML form.
    Text(&'a str),
    /// JSON of the wrong type, such as a number for a name.
    Mistyped,
}

impl<'a> From<Option<&'a str>> for RawValue<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

/// Values of fields that have no column of their own, by `snake_case` key.
pub type ExtraFields = BTreeMap<String, String>;

/// Cleaned values by `snake_case` key.
pub type Values<'a> = BTreeMap<&'a str, String>;

impl Forms {
    /// Parses the embedded rules.
    ///
    /// # Errors
    /// If a rules file does not follow `seeds/forms/README.md`; a test reads all of them.
    pub fn bundled() -> Result<Self, String> {
        let patterns = rules::patterns(include_str!("../../../seeds/forms/patterns.json"))
            .map_err(|e| format!("patterns.json: {e}"))?;
        let parse = |name: &str, text: &str| {
            rules::parse(text, &patterns).map_err(|e| format!("{name}: {e}"))
        };
        Ok(Self {
            contact: parse(
                "contact.json",
                include_str!("../../../seeds/forms/contact.json"),
            )?,
            quote: parse(
                "quote.json",
                include_str!("../../../seeds/forms/quote.json"),
            )?,
            sign_in: parse(
                "sign-in.json",
                include_str!("../../../seeds/forms/sign-in.json"),
            )?,
        })
    }
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

impl Field {
    /// Whether it is a checkbox: true or false in JSON.
    pub fn is_boolean(&self) -> bool {
        self.boolean
    }
}

/// An empty optional value is stored as null (specification section 3).
pub(super) fn none_if_empty(value: String) -> Option<String> {
    Some(value).filter(|text| !text.is_empty())
}

/// What is left of the values after the fields with a column of their own were taken: optional
/// fields that the visitor has filled in, and ticked boxes.
pub(super) fn take_extra_fields(values: Values<'_>) -> ExtraFields {
    values
        .into_iter()
        .filter(|(_, value)| !value.is_empty() && value != "false")
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

//! Reads the form rules in `seeds/forms/` and judges raw strings by them: cleaned values, or one message a field.
//! The twin in the browser is `frontend/src/forms/rules.ts`; `seeds/forms/cases.json` proves them equal; `seeds/forms/README.md` tells the vocabulary.

mod rules;

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::text::clean;

/// The three forms' rules.
#[derive(Debug)]
pub struct Forms {
    /// The contact form.
    pub contact: Form,
    /// The quote form.
    pub quote: Form,
    /// The admin's sign-in.
    pub sign_in: Form,
}

/// What is said where no check has words of its own (specification section 5, the generic messages).
pub const INVALID: &str = "Invalid input";

/// One form: its fields in order, and what its outcomes are called.
#[derive(Debug)]
pub struct Form {
    fields: Vec<Field>,
    outcomes: BTreeMap<String, Outcome>,
}

/// A title and a sentence that tell how a submission went.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The headline.
    pub title: String,
    /// The sentence; may be empty.
    pub detail: String,
}

/// A choice in a select.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What is sent and stored.
    pub value: String,
    /// What is shown.
    pub label: String,
}

/// One field and its checks.
#[derive(Debug)]
pub struct Field {
    /// The name in the form, camelCase.
    pub name: String,
    /// The same name in JSON and the database, `snake_case`.
    pub key: String,
    /// The label on the page and in mails.
    pub label: String,
    /// The choices of a select; empty for other fields.
    pub options: Vec<Choice>,
    optional: bool,
    multiline: bool,
    secret: bool,
    boolean: bool,
    /// Code points of a raw text that is cleaned at all.
    raw_max: usize,
    checks: Vec<(Check, String)>,
}

#[derive(Debug)]
enum Check {
    Required,
    Min(usize),
    Max(usize),
    Match(Regex),
    Refuse(Regex),
    OneOf,
    Date,
}

/// Why a field was refused, under its camelCase name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name in the form.
    pub field: String,
    /// The field's name in JSON.
    pub key: String,
    /// The specification's message.
    pub message: String,
}

/// What came in for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// Nothing.
    Missing,
    /// A text, as every field of a page's form is.
    Text(&'a str),
    /// JSON of another type than the field's: a number for a name.
    Mistyped,
}

impl<'a> From<Option<&'a str>> for Entry<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Missing, Self::Text)
    }
}

/// Cleaned values by `snake_case` key.
pub type Values<'a> = BTreeMap<&'a str, String>;

impl Forms {
    /// The rules this program was built with.
    ///
    /// # Errors
    /// When a rules file is not as `seeds/forms/README.md` says; a test reads them all.
    pub fn bundled() -> Result<Self, String> {
        let patterns = rules::patterns(include_str!("../../seeds/forms/patterns.json"))
            .map_err(|e| format!("patterns.json: {e}"))?;
        let read = |name: &str, text: &str| {
            rules::parse(text, &patterns).map_err(|e| format!("{name}: {e}"))
        };
        Ok(Self {
            contact: read(
                "contact.json",
                include_str!("../../seeds/forms/contact.json"),
            )?,
            quote: read("quote.json", include_str!("../../seeds/forms/quote.json"))?,
            sign_in: read(
                "sign-in.json",
                include_str!("../../seeds/forms/sign-in.json"),
            )?,
        })
    }
}

impl Form {
    /// Cleans and checks every field. `raw` looks a field up by its `snake_case` key.
    ///
    /// # Errors
    /// One message for each refused field, in the form's order.
    pub fn validate<'a, E: Into<Entry<'a>>>(
        &self,
        raw: impl Fn(&str) -> E,
    ) -> Result<Values<'_>, Vec<FieldError>> {
        let mut values = Values::new();
        let mut errors = Vec::new();
        for field in &self.fields {
            let text = match raw(&field.key).into() {
                Entry::Missing => "",
                Entry::Text(text) => text,
                Entry::Mistyped => {
                    errors.push(field.error(field.mistyped()));
                    continue;
                }
            };
            if let Some(message) = field.overlong(text) {
                errors.push(field.error(message));
                continue;
            }
            let value = field.clean(text);
            if let Some(message) = field.refusal(&value) {
                errors.push(field.error(message));
            }
            values.insert(&field.key, value);
        }
        if errors.is_empty() {
            Ok(values)
        } else {
            Err(errors)
        }
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The texts of an outcome, as in `rate_limited`.
    pub fn outcome(&self, name: &str) -> Outcome {
        self.outcomes.get(name).cloned().unwrap_or_default()
    }

    /// The label of a select's value; the value itself where it has none.
    pub fn label<'a>(&'a self, key: &str, value: &'a str) -> &'a str {
        let field = self.fields.iter().find(|field| field.key == key);
        field
            .and_then(|field| field.options.iter().find(|choice| choice.value == value))
            .map_or(value, |choice| &choice.label)
    }
}

impl Field {
    /// Whether it is a box to tick, true or false in JSON.
    pub fn is_boolean(&self) -> bool {
        self.boolean
    }

    fn error(&self, message: &str) -> FieldError {
        FieldError {
            field: self.name.clone(),
            key: self.key.clone(),
            message: message.to_owned(),
        }
    }

    /// What is said of a value of another type: the last check is the one on what a value is made of.
    fn mistyped(&self) -> &str {
        self.checks.last().map_or(INVALID, |(_, say)| say)
    }

    /// What is said of a raw text that is too long to be cleaned: what its `max` check says, or
    /// its last check. A field without checks takes any length.
    fn overlong(&self, raw: &str) -> Option<&str> {
        if raw.len() <= self.raw_max || raw.chars().count() <= self.raw_max {
            return None;
        }
        let is_max = |(check, _): &&(Check, String)| matches!(check, Check::Max(_));
        let speaking = self.checks.iter().find(is_max).or(self.checks.last());
        speaking.map(|(_, say)| say.as_str())
    }

    fn clean(&self, raw: &str) -> String {
        if self.secret {
            return raw.to_owned();
        }
        if self.boolean {
            return matches!(raw, "true" | "on" | "1").to_string();
        }
        clean(raw, self.multiline)
    }

    fn refusal(&self, value: &str) -> Option<&str> {
        if self.optional && value.is_empty() {
            return None;
        }
        self.checks
            .iter()
            .find(|(check, _)| !self.holds(check, value))
            .map(|(_, say)| say.as_str())
    }

    fn holds(&self, check: &Check, value: &str) -> bool {
        match check {
            Check::Required => !value.is_empty(),
            Check::Min(least) => value.chars().count() >= *least,
            Check::Max(most) => value.len() <= *most || value.chars().count() <= *most,
            Check::Match(pattern) => pattern.is_match(value),
            Check::Refuse(pattern) => !pattern.is_match(value),
            Check::OneOf => self.options.iter().any(|choice| choice.value == value),
            Check::Date => value.len() == 10 && value.parse::<jiff::civil::Date>().is_ok(),
        }
    }
}

/// An empty optional value is null in the record (specification section 3).
pub(super) fn or_null(value: String) -> Option<String> {
    Some(value).filter(|text| !text.is_empty())
}

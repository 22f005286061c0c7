//! Form validation by the rules in `seeds/forms/`: returns cleaned values, or one message per
//! field. `frontend/src/forms/rules.ts` implements the same rules in the browser; both run the
//! cases in `seeds/forms/cases.json`. `seeds/forms/README.md` describes the rule format.

mod definition;
mod fixes;
mod rules;
mod validation;

use std::collections::BTreeMap;

pub use definition::{Choice, Field, Form, Outcome};

pub use fixes::Fix;

/// The rules of the forms.
#[derive(Debug)]
pub struct Forms {
    pub contact: Form,
    pub quote: Form,
    /// A quote request that an admin types during a call.
    pub phone: Form,
    /// The quote request that a person makes of an email.
    pub emailed: Form,
    /// What an admin corrects of a quote request.
    pub edited: Form,
    /// What an admin corrects of a contact message.
    pub edited_message: Form,
    /// The admin sign-in form.
    pub sign_in: Form,
}

/// The message if the failed check has none (specification section 5, generic messages).
pub const INVALID: &str = "Invalid input";

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

/// Values of fields without a column, by `snake_case` key.
pub type ExtraFields = BTreeMap<String, String>;

/// Cleaned values by `snake_case` key.
pub type Values<'a> = BTreeMap<&'a str, String>;

/// A file of `seeds/forms/`: its name and its text.
macro_rules! seed {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../seeds/forms/", $name)))
    };
}

impl Forms {
    /// Parses the embedded rules. Fails if a rules file does not follow `seeds/forms/README.md`; a
    /// test reads all of them.
    pub fn bundled() -> Result<Self, String> {
        let patterns = rules::patterns(include_str!("../../../seeds/forms/patterns.json"))
            .map_err(|e| format!("patterns.json: {e}"))?;
        let parse = |(name, text): (&str, &str)| {
            rules::parse(text, &patterns).map_err(|e| format!("{name}: {e}"))
        };
        let derive = |(name, text): (&str, &str), base: Form| {
            rules::parse_derived(text, base, &patterns).map_err(|e| format!("{name}: {e}"))
        };
        let quote = || parse(seed!("quote.json"));
        let contact = || parse(seed!("contact.json"));
        Ok(Self {
            contact: contact()?,
            quote: quote()?,
            phone: derive(seed!("phone.json"), quote()?)?,
            emailed: derive(seed!("emailed.json"), quote()?)?,
            edited: derive(seed!("edited.json"), quote()?)?,
            edited_message: derive(seed!("edited-message.json"), contact()?)?,
            sign_in: parse(seed!("sign-in.json"))?,
        })
    }
}

/// An empty optional value is stored as null (specification section 3).
pub(super) fn none_if_empty(value: String) -> Option<String> {
    Some(value).filter(|text| !text.is_empty())
}

/// The values of fields without a column: optional
/// fields that the visitor has filled in, and ticked boxes.
pub(super) fn take_extra_fields(values: Values<'_>) -> ExtraFields {
    values
        .into_iter()
        .filter(|(_, value)| !value.is_empty() && value != "false")
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

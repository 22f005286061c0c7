//! Edits: what the office corrects of a request.

use std::collections::BTreeMap;

use super::{Request, RequestKind};
use crate::form::{FieldError, Form, Forms, RawValue};

/// The fields that can be edited, by their names in the API.
pub const FIELDS: [&str; 9] = [
    "first_name",
    "last_name",
    "email",
    "phone",
    "company",
    "service",
    "location",
    "start_date",
    "duration",
];

/// The fields that only quote requests have.
const OF_QUOTES: [&str; 3] = ["location", "start_date", "duration"];

/// Values by the names of the fields.
pub type FieldTexts = BTreeMap<&'static str, String>;

/// An edit of a request.
#[derive(Clone, Debug)]
pub struct RequestEdit {
    /// The kind of request by whose rules the values were checked.
    pub kind: RequestKind,
    /// What the editor has seen; another value of a field is not replaced.
    pub from: FieldTexts,
    /// The new values; empty to delete one.
    pub to: FieldTexts,
}

/// The fields of a kind of requests.
pub fn fields(kind: RequestKind) -> impl Iterator<Item = &'static str> {
    let has = move |field: &&str| kind == RequestKind::Quote || !OF_QUOTES.contains(field);
    FIELDS.into_iter().filter(has)
}

/// The value of a field; empty if there is none.
pub fn value<'a>(request: &'a Request, field: &str) -> &'a str {
    let optional = |text: &'a Option<String>| text.as_deref().unwrap_or_default();
    match field {
        "first_name" => &request.first_name,
        "last_name" => &request.last_name,
        "email" => &request.email,
        "phone" => &request.phone,
        "company" => optional(&request.company),
        "service" => &request.service,
        "location" => optional(&request.location),
        "start_date" => optional(&request.start_date),
        "duration" => optional(&request.duration),
        _ => "",
    }
}

/// The form of the edits of a kind of requests.
pub fn form(forms: &Forms, kind: RequestKind) -> &Form {
    match kind {
        RequestKind::Quote => &forms.edited,
        RequestKind::Message => &forms.edited_message,
    }
}

/// Cleans and checks the new values of the fields that are `given`, by the rules of the form.
/// Errors: one message per invalid field, by its name in the API.
pub fn parse<'a>(
    form: &Form,
    kind: RequestKind,
    given: impl Fn(&str) -> Option<RawValue<'a>>,
    earliest: &str,
) -> Result<FieldTexts, Vec<FieldError>> {
    let name = |key: &str| {
        let name = if key == "service_type" {
            "service"
        } else {
            key
        };
        fields(kind).find(|field| *field == name)
    };
    let raw = |key: &str| name(key).and_then(&given);
    let is_given = |key: &str| raw(key).is_some();
    let values = form.validate_fields(
        is_given,
        |key| raw(key).unwrap_or(RawValue::Missing),
        earliest,
    );
    match values {
        Ok(values) => {
            let named = values
                .into_iter()
                .filter_map(|(key, value)| Some((name(key)?, value)));
            Ok(named.collect())
        }
        Err(errors) => Err(errors
            .into_iter()
            .map(|error| FieldError {
                key: name(&error.key).unwrap_or_default().to_owned(),
                ..error
            })
            .collect()),
    }
}

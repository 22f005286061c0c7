//! The error body of the product's own API (RFC 9457). `errors` alone maps errors to statuses.

mod response;

use domain::account::Person;
use std::num::NonZeroU32;

use poem::http::StatusCode;
use poem_openapi::Object;
use serde::Serialize;

use domain::content::Fault;
use domain::form::{FieldError, Outcome};
use domain::request::event::Verb;
use domain::request::quote::Status;
use domain::text::clean;

/// A problem document (RFC 9457).
#[derive(Debug, Default, Clone, Serialize, Object)]
pub struct Problem {
    /// The kind of problem; `about:blank` if the status is enough.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: String,
    /// A short title.
    title: String,
    /// The HTTP status.
    status: u16,
    /// The remedy.
    detail: String,
    /// A stable code for programs, if one status covers several errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    code: Option<String>,
    /// The rejected fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[oai(skip_serializing_if_is_empty, default)]
    fields: Vec<FieldMessage>,
    /// The current status of the quote, if a move was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    current_status: Option<String>,
    /// The assignee, if the request is already assigned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    current_assignee: Option<Box<Person>>,
    /// The answer of a colleague because of which a reply was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    answered: Option<Box<AnsweredSince>>,
    /// Identifies the failure in the server's log.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    request_id: Option<String>,
    #[serde(skip)]
    #[oai(skip)]
    retry_after: Option<NonZeroU32>,
}

/// How a colleague has answered a customer while a reply was written.
#[derive(Debug, Clone, Serialize, Object)]
pub struct AnsweredSince {
    /// The colleague.
    pub by: Option<Person>,
    /// `replied`, `called` or `offer_sent`.
    pub verb: Verb,
    /// When, RFC 3339 UTC with milliseconds.
    pub at: String,
    /// The id of the last event of the history.
    pub last_event: i64,
}

/// A rejected field.
#[derive(Debug, Clone, Serialize, Object)]
pub struct FieldMessage {
    /// The field's name.
    field: String,
    /// The error message.
    message: String,
}

/// 400 that names a parameter.
pub fn bad_parameter(name: &str, detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail).with_field(name)
}

/// 422 that names a field of the body.
pub fn invalid(field: &str, detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail).with_field(field)
}

/// The cleaned text of a field; `None` if it is empty. Errors: 422 if it has more than `most`
/// characters.
pub fn cleaned(field: &str, text: &str, most: usize) -> Result<Option<String>, Problem> {
    let text = clean(text, true);
    match too_long(field, &text, most) {
        Some(detail) => Err(invalid(field, detail)),
        None => Ok(Some(text).filter(|text| !text.is_empty())),
    }
}

/// What is wrong with a field that has more than `most` characters.
pub fn too_long(field: &str, text: &str, most: usize) -> Option<String> {
    let length = text.chars().count();
    (length > most).then(|| format!("The {field} has {length} characters; at most {most} fit."))
}

impl Problem {
    /// A problem with this status, the status's default title and a sentence about the remedy.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank".to_owned(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            ..Self::default()
        }
    }

    /// 404: there is none, or no longer.
    pub fn missing(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// 409: what is there does not allow it.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// The problem of a store's error; `missing` says what there is not.
    pub fn of(error: store::Error, missing: impl FnOnce() -> Self) -> Self {
        match error {
            store::Error::Missing => missing(),
            other => other.into(),
        }
    }

    /// 422: fields break the form's rules.
    pub fn invalid(outcome: Outcome, errors: Vec<FieldError>) -> Self {
        let fields = errors.into_iter().map(|error| (error.key, error.message));
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, outcome.detail);
        problem.with_title(outcome.title).with_fields(fields)
    }

    /// 422: these fields, each with what is wrong with it.
    pub fn corrections(fields: impl Iterator<Item = (String, String)>) -> Self {
        let detail = "Some fields need a correction. Each is marked.";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail).with_fields(fields)
    }

    /// 422: content breaks rules. A field is named by its section and its JSON pointer, as in
    /// `faqs/0/answer`.
    pub fn content(faults: Vec<Fault>) -> Self {
        let name = |fault: &Fault| format!("{}{}", fault.section, fault.path);
        let faults = faults.into_iter();
        Self::corrections(faults.map(|fault| (name(&fault), fault.rule)))
    }

    /// 429: too many requests; retry after `seconds`.
    pub fn too_many(outcome: Outcome, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, outcome.detail)
            .with_title(outcome.title)
            .with_retry_after(seconds)
    }

    /// Adds the status that the quote has in place of the expected one.
    #[must_use]
    pub fn with_status(mut self, current: Status) -> Self {
        self.current_status = Some(current.as_str().to_owned());
        self
    }

    /// Adds the assignee, with the code `already_taken`.
    #[must_use]
    pub fn with_assignee(mut self, person: Person) -> Self {
        self.current_assignee = Some(Box::new(person));
        self.with_code("already_taken")
    }

    /// Adds a colleague's answer, with the code `answered_since`.
    #[must_use]
    pub fn with_answer(mut self, answer: AnsweredSince) -> Self {
        self.answered = Some(Box::new(answer));
        self.with_code("answered_since")
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The detail.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The error message of this field, if it was rejected.
    pub fn field_message(&self, field: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|rejected| rejected.field == field)
            .map(|rejected| rejected.message.as_str())
    }

    /// Adds the detail as this field's message.
    #[must_use]
    pub fn with_field(self, field: &str) -> Self {
        let message = self.detail.clone();
        self.with_fields([(field.to_owned(), message)])
    }

    /// Adds fields with their messages.
    #[must_use]
    fn with_fields(mut self, fields: impl IntoIterator<Item = (String, String)>) -> Self {
        let fields = fields.into_iter();
        let fields = fields.map(|(field, message)| FieldMessage { field, message });
        self.fields.extend(fields);
        self
    }

    /// Replaces the title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the code.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Sets the id of the failure in the log.
    #[must_use]
    fn with_request_id(mut self, request_id: String) -> Self {
        self.request_id = Some(request_id);
        self
    }

    /// Sets `Retry-After`, in seconds.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u32) -> Self {
        self.retry_after = NonZeroU32::new(seconds.max(1));
        self
    }
}

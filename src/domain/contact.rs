//! A contact message: what the office reads, cleaned and checked.

use serde::Serialize;

use super::attribution::Attribution;
use super::clock::Time;
use super::form::{Entry, FieldError, Form, Values, or_null};

/// A message that has passed the form's rules.
#[derive(Clone, Debug)]
pub struct NewContact {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) company: Option<String>,
    pub(crate) service: String,
    pub(crate) details: String,
    pub(crate) attribution: Option<Attribution>,
}

impl NewContact {
    /// Judges raw fields by the contact form's rules (specification section 5).
    ///
    /// # Errors
    /// One message for each refused field.
    pub fn parse<'a, E: Into<Entry<'a>>>(
        form: &Form,
        raw: impl Fn(&str) -> E,
        attribution: Option<Attribution>,
    ) -> Result<Self, Vec<FieldError>> {
        let mut values: Values = form.validate(raw)?;
        let mut take = |key: &str| values.remove(key).unwrap_or_default();
        Ok(Self {
            first_name: take("first_name"),
            last_name: take("last_name"),
            email: take("email"),
            phone: take("phone"),
            company: or_null(take("company")),
            service: take("service"),
            details: take("details"),
            attribution,
        })
    }
}

/// A stored message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContactMessage {
    /// UUIDv7.
    pub id: String,
    /// When it came in.
    pub created_at: Time,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Where to answer.
    pub email: String,
    /// Where to call.
    pub phone: String,
    /// The sender's company.
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// The message.
    pub details: String,
    /// Where the visit came from.
    pub attribution: Option<Attribution>,
}

//! Contact messages.

use serde::Serialize;

use super::attribution::Attribution;
use super::clock::Time;
use super::form::{FieldError, Form, RawValue, Values, none_if_empty};

/// A cleaned and validated message.
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
    /// Cleans and validates raw fields by the contact form's rules (specification section 5).
    ///
    /// # Errors
    /// One message per invalid field.
    pub fn parse<'a, E: Into<RawValue<'a>>>(
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
            company: none_if_empty(take("company")),
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
    /// When it was received.
    pub created_at: Time,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// The sender's email address.
    pub email: String,
    /// The sender's phone number.
    pub phone: String,
    /// The sender's company, if given.
    pub company: Option<String>,
    /// The service's value, as in `fire-watch`.
    pub service: String,
    /// The message.
    pub details: String,
    /// Attribution of the visit.
    pub attribution: Option<Attribution>,
}

//! Contact messages.

use serde::Serialize;

use super::attribution::Attribution;
use super::form::{
    ExtraFields, FieldError, Form, RawValue, Values, none_if_empty, take_extra_fields,
};
use super::spam::Texts;

/// A cleaned and validated contact message, before it is stored.
#[derive(Clone, Debug)]
pub struct NewContact {
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) email: String,
    pub(crate) phone: String,
    pub(crate) company: Option<String>,
    pub(crate) service: String,
    pub(crate) details: String,
    pub(crate) extra_fields: ExtraFields,
    pub(crate) attribution: Option<Attribution>,
}

impl NewContact {
    /// Cleans and validates raw fields by the contact form's rules (specification section 5).
    /// Errors: one message per invalid field.
    pub fn parse<'a, E: Into<RawValue<'a>>>(
        form: &Form,
        raw: impl Fn(&str) -> E,
        attribution: Option<Attribution>,
    ) -> Result<Self, Vec<FieldError>> {
        let mut values: Values = form.validate(raw, "")?;
        let mut take = |key: &str| values.remove(key).unwrap_or_default();
        Ok(Self {
            first_name: take("first_name"),
            last_name: take("last_name"),
            email: take("email"),
            phone: take("phone"),
            company: none_if_empty(take("company")),
            service: take("service"),
            details: take("details"),
            extra_fields: take_extra_fields(values),
            attribution,
        })
    }

    /// The input of the spam signals.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            first_name: &self.first_name,
            last_name: &self.last_name,
            email: &self.email,
            phone: &self.phone,
            company: self.company.as_deref().unwrap_or_default(),
            location: "",
            message: &self.details,
            is_urgent: false,
        }
    }
}

/// A stored message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContactMessage {
    /// UUIDv7.
    pub id: String,
    /// When it was received, RFC 3339 UTC with milliseconds.
    pub created_at: String,
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
    pub details: String,
    /// Attribution of the visit.
    pub attribution: Option<Attribution>,
    /// Further fields of the form.
    pub extra_fields: ExtraFields,
    /// As `GP-2K7Q`.
    pub reference: String,
}

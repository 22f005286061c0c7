//! Contact messages.

use super::attribution::Attribution;
use crate::email::email_address::is_mailable;
use crate::form::{
    ExtraFields, FieldError, Form, RawValue, Values, none_if_empty, take_extra_fields,
};
use crate::spam::Texts;
use crate::text::{clean, one_line};

/// Maximum code points of a name of an email's author.
const MAX_NAME: usize = 100;
/// Maximum code points of the text of an email.
const MAX_DETAILS: usize = 2000;

/// The service of a quote request that says the same as one of the contact form.
pub fn quote_service(service: &str) -> &'static str {
    match service {
        "fire-watch" => "fire-watch",
        "surveillance" => "surveillance",
        "event" => "event-security",
        _ => "other",
    }
}

/// A cleaned and validated contact message, before it is stored.
#[derive(Clone, Debug)]
pub struct NewContact {
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: String,
    pub company: Option<String>,
    pub service: String,
    pub details: String,
    pub extra_fields: ExtraFields,
    pub attribution: Option<Attribution>,
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

    /// The contact message of an email: its `from`, display `name`, `subject` and `text`. `None` if
    /// the author has no address.
    pub fn of_email([from, name, subject, text]: [&str; 4]) -> Option<Self> {
        if !is_mailable(from) {
            return None;
        }
        let cut = |text: &str, max: usize| clean(text, true).chars().take(max).collect::<String>();
        let local = from.split('@').next().unwrap_or_default();
        let name = one_line(name, MAX_NAME);
        let (first, last) = match name.split_once(' ') {
            Some((first, last)) => (first.to_owned(), last.trim().to_owned()),
            None if name.is_empty() => (local.to_owned(), String::new()),
            None => (name, String::new()),
        };
        let details = cut(text, MAX_DETAILS);
        Some(Self {
            first_name: cut(&first, MAX_NAME),
            last_name: cut(&last, MAX_NAME),
            email: from.to_owned(),
            phone: String::new(),
            company: None,
            service: "other".to_owned(),
            details: match details.is_empty() {
                true => one_line(subject, MAX_DETAILS),
                false => details,
            },
            extra_fields: ExtraFields::default(),
            attribution: None,
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

//! The fields of the page's forms.

use serde::Serialize;

use super::address::masked;
use super::opened::Opened;

/// What was typed into the forms, and what is wrong with it.
#[derive(Default, Serialize)]
pub(super) struct Form {
    pub name: String,
    pub title: String,
    pub email: String,
    pub has_consent: bool,
    /// Whether there is a field for a code.
    pub asks_code: bool,
    pub code: String,
    pub reason: String,
    pub question: String,
    /// The names of fields with their messages.
    #[serde(skip)]
    pub errors: Vec<(&'static str, String)>,
}

impl Form {
    /// The form with what the request says of the customer; the address is masked. It is left out
    /// while a code can be typed, which belongs to another address.
    pub fn of(opened: &Opened) -> Self {
        let request = opened.offer.request.as_ref();
        let name = request.map(|request| format!("{} {}", request.first_name, request.last_name));
        Self {
            name: name.unwrap_or_default(),
            email: match opened.has_code {
                true => String::new(),
                false => masked(&opened.sent.recipient),
            },
            asks_code: opened.has_code,
            ..Self::default()
        }
    }
}

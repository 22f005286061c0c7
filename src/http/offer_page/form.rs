//! What a link opens, and the fields of the page's forms. The customer's address is masked, since a
//! link can be forwarded.

use serde::Serialize;

use domain::offer::document::Stored;
use domain::offer::link::OfferLink;
use store::offers::{Offer, SentVersion, VersionId};

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

/// A version behind a valid link.
pub(super) struct Opened {
    pub link: OfferLink,
    pub offer: Offer,
    pub sent: SentVersion,
    pub stored: Stored,
    /// Whether a code that was sent can still be typed.
    pub has_code: bool,
}

impl Opened {
    pub(super) fn version_id(&self) -> VersionId {
        VersionId {
            number: self.link.number.clone(),
            version: self.link.version,
        }
    }
}

/// An address as `m***@property.example`.
pub(super) fn masked(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((local, domain)) => {
            let first: String = local.chars().take(1).collect();
            format!("{first}***@{domain}")
        }
        None => String::new(),
    }
}

/// The address that a form was filled in with: `recipient` if it was left masked.
pub(super) fn meant<'a>(typed: &'a str, recipient: &'a str) -> &'a str {
    match typed == masked(recipient) {
        true => recipient,
        false => typed,
    }
}

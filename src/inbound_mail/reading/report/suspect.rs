//! An email that may be a report, with what is known of it.

use mail_parser::Message;

use crate::reading::headers::Headers;
use domain::email::message_id::EmailId;

/// An email that may be a report.
pub(in super::super) struct Suspect<'a> {
    pub message: &'a Message<'a>,
    pub headers: &'a Headers,
    /// The author's address.
    pub from: &'a str,
    pub subject: &'a str,
    /// All words of the email.
    pub text: &'a str,
    /// The references of the requests that it was sent to.
    pub addressed: &'a [String],
    /// The emails that it answers.
    pub ancestors: &'a [EmailId],
    /// Reads a Message-ID.
    pub read_id: &'a dyn Fn(&str) -> EmailId,
    /// The reference of the request in a text with its signed address.
    pub find_reference: &'a dyn Fn(&str) -> Option<String>,
    /// Whether a text has one of our addresses.
    pub has_own_address: &'a dyn Fn(&str) -> bool,
}

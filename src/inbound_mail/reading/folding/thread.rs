//! Whose the earlier emails of a conversation are.

use super::super::headers::Headers;
use crate::domain::email::message_id::EmailId;
use crate::domain::email::received_email::ReceivedEmail;

/// What is known of the conversation.
pub(in super::super) struct Thread<'a> {
    /// Whether a text names one of our addresses.
    pub names_us: &'a dyn Fn(&str) -> bool,
    /// Whether the email answers one.
    pub is_answer: bool,
    /// The author's name and address.
    pub author: &'a str,
}

/// Whose an earlier email is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Ours,
    Other,
    /// It names nobody.
    Unknown,
}

impl Thread<'_> {
    /// Whose the email is that a text introduces.
    pub(super) fn owner(&self, text: &str) -> Owner {
        match ((self.names_us)(text), text.contains('@')) {
            (true, _) => Owner::Ours,
            (false, true) => Owner::Other,
            (false, false) => Owner::Unknown,
        }
    }

    /// Whether an email that a mail program has quoted is surely ours.
    pub(super) fn is_ours(&self, owner: Owner) -> bool {
        owner == Owner::Ours || (owner == Owner::Unknown && self.is_answer)
    }
}

/// Whether the email answers one of ours, and passes none on, by its header.
pub(in super::super) fn is_answer(email: &ReceivedEmail, headers: &Headers) -> bool {
    let subject = email.subject.to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| subject.starts_with(word));
    let is_forward = begins(&[
        "fw:", "fwd:", "wg:", "tr:", "rv:", "i:", "enc:", "转发:", "轉寄:",
    ]);
    let is_reply = begins(&[
        "re:", "aw:", "sv:", "antw:", "ré:", "rif:", "res:", "回复:", "答复:", "回覆:",
    ]) || headers.first("in-reply-to").is_some();
    let is_known = email
        .ancestors
        .iter()
        .any(|id| matches!(id, EmailId::Ours(_)));
    !is_forward && (is_known || is_reply || !email.addressed.is_empty())
}

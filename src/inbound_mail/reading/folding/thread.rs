//! Whose the earlier emails of a conversation are.

use super::super::headers::Headers;
use domain::email::message_id::EmailId;
use domain::email::received_email::ReceivedEmail;

/// What is known of the conversation.
pub(in super::super) struct Thread<'a> {
    /// Whether a text names us, by an address or a name.
    pub names_us: &'a dyn Fn(&str) -> bool,
    /// Whether a text has one of our addresses.
    pub has_own_address: &'a dyn Fn(&str) -> bool,
    /// Whether the email answers one.
    pub is_answer: bool,
    /// The author's name.
    pub author: &'a str,
}

impl Thread<'_> {
    /// Whether an earlier email is ours, by the text that introduces it. An address of another is
    /// decisive: his name may be like ours.
    pub(super) fn is_ours(&self, introduction: &str) -> bool {
        match introduction.contains('@') {
            true => (self.has_own_address)(introduction),
            false => (self.names_us)(introduction),
        }
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

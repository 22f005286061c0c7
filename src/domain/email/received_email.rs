//! An email that was received, as its reader (`inbound_mail::reading`) understands it.

use serde::{Deserialize, Serialize};

use super::message_id::EmailId;

/// What an email is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmailClass {
    /// Written by a person, as far as one can tell.
    Human,
    /// Made by a program (RFC 3834): it changes no clock and is never answered.
    Automatic,
    /// A report that an email of ours was not delivered (RFC 3464).
    Report(DeliveryReport),
}

impl EmailClass {
    /// Its value in the database and the API.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Automatic => "automatic",
            Self::Report(_) => "report",
        }
    }
}

/// A report of failed deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    /// The number of our email that was returned.
    pub original: Option<i64>,
    /// The reference of the request, by the signed address in the email that was returned.
    pub reference: Option<String>,
    /// The recipients that it did not reach.
    pub failures: Vec<FailedRecipient>,
}

/// A recipient that an email did not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRecipient {
    pub address: String,
    /// The words of the mail server.
    pub reason: String,
}

/// An email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedEmail {
    /// A hash by which the same email is recognized, whatever way it came.
    pub fingerprint: String,
    /// With its angle brackets.
    pub message_id: Option<String>,
    /// Whether its Message-ID is one of ours: an email of ours that came back in another way.
    pub is_ours: bool,
    pub class: EmailClass,
    /// The address of its author; empty if there is none, or several.
    pub from: String,
    /// The author's display name.
    pub from_name: Option<String>,
    /// Whether our own mail server has verified that the author's domain has sent it.
    pub is_verified: bool,
    pub subject: String,
    /// The reference of the request, by the signed address that it was sent to.
    pub reference: Option<String>,
    /// The emails of `In-Reply-To`, then those of `References`, newest first.
    pub ancestors: Vec<EmailId>,
    /// The Message-IDs of `References`, oldest first.
    pub references: Vec<String>,
    /// What its author wrote.
    pub text: String,
    /// Quoted history and the signature, in the order of the email.
    pub folded: String,
    /// Whether the texts are only the beginning.
    pub is_cut: bool,
}

/// A file of a message, stored or refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageFile {
    /// The name that its sender gave it.
    pub name: String,
    /// Its key in the bucket of messages; `None` if it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// In bytes.
    pub size: u64,
    /// Why it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

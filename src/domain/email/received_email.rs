//! An email that was received, as its reader (`inbound_mail::reading`) understands it.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};

use super::message_id::EmailId;

/// What an email is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What a reader of an email should know beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
pub enum EmailMark {
    /// A list has passed it on, or a program has sent it; a person may have written it.
    Bulk,
    /// Its author seems to be away: no more than its subject or an old field says so.
    Away,
    /// Perhaps an email of ours was not delivered.
    PossibleFailure,
    /// Its author has reported an email of ours as spam (RFC 5965).
    Complaint,
    /// Encrypted with OpenPGP or S/MIME: its words cannot be read here.
    Encrypted,
    /// Its words are inside a signed file (S/MIME).
    SignedFile,
    /// Files are inside `winmail.dat`, which Outlook has written.
    OutlookFile,
    /// Only its header was read: the rest takes too much memory or time, or ended the reader.
    Unreadable,
}

/// A report of failed deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryReport {
    /// The number of our email that was returned.
    pub original: Option<i64>,
    /// The reference of the request, by the signed address in the email that was returned.
    pub reference: Option<String>,
    /// The recipients that it did not reach.
    pub failures: Vec<FailedRecipient>,
}

/// A recipient that an email did not reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRecipient {
    pub address: String,
    /// The words of the mail server.
    pub reason: String,
}

/// An email.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedEmail {
    /// A hash by which the same email is recognized, whatever way it came.
    pub fingerprint: String,
    /// With its angle brackets.
    pub message_id: Option<String>,
    /// Whether it is an email of ours that came back: by its Message-ID, or by where answers go.
    pub is_ours: bool,
    pub class: EmailClass,
    /// The address of its author; empty if there is none, or several.
    pub from: String,
    /// The author's display name.
    pub from_name: Option<String>,
    /// The address to which an answer goes, if it is not the author's.
    pub reply_to: Option<String>,
    /// The display name of `reply_to`.
    pub reply_to_name: Option<String>,
    /// Whether our own mail server has verified that the author's domain has sent it.
    pub is_verified: bool,
    pub subject: String,
    /// The references of the requests, by the signed addresses that it was sent to, in their order.
    pub addressed: Vec<String>,
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
    pub marks: Vec<EmailMark>,
    /// The number of files that are left out, since there are too many.
    pub left_out: usize,
}

/// A file of a message, stored or refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Object)]
#[oai(skip_serializing_if_is_none)]
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

//! What events of emails and messages say.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::details::{FollowUpChange, details};
use crate::clock::Time;
use crate::email::received_email::{EmailMark, MessageFile};
use crate::on_call::alarm::Channel;

crate::text_enum! {
    /// How an email or an alarm fares.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum EmailState {
        /// It waits to be sent.
        #[default]
        Queued = "queued",
        /// The mail server has accepted it.
        Delivered = "delivered",
        Failed = "failed",
        /// It was taken back before it was sent.
        Undone = "undone",
        /// Its reason has ended before it was sent.
        NotNeeded = "not_needed",
    }
}

crate::text_enum! {
    /// How a message of a customer has come.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum Via {
        #[default]
        Email = "email",
        /// On the status page.
        Page = "page",
        /// On the page of an offer.
        Offer = "offer",
    }
}

details! {
    /// How an email or an alarm fares.
    #[derive(Default)]
    #[serde(default)]
    Delivery {
        state: EmailState,
        /// When it was delivered.
        at: Option<Time>,
        /// Why it has failed, or waits for another attempt.
        error: Option<String>,
        #[oai(skip_serializing_if_is_none)]
        email_id: Option<i64>,
        /// The last event before it failed; set if the customer did not get it.
        #[oai(skip_serializing_if_is_none)]
        failed_after: Option<i64>,
        /// 1 if it came back.
        #[oai(skip_serializing_if_is_none)]
        bounced: Option<i64>,
    }

    /// A reply of the office.
    #[derive(Default)]
    #[serde(default)]
    Replied {
        subject: String,
        text: String,
        /// The display name of its writer.
        sender: Option<String>,
        /// The signature of its writer.
        signature: Option<String>,
        to: String,
        cc: Vec<String>,
        files: Vec<RepliedFile>,
        #[serde(flatten)]
        #[oai(flatten)]
        delivery: Delivery,
        follow_up: Option<FollowUpChange>,
    }

    /// A file of a reply.
    RepliedFile {
        name: String,
        bucket: String,
        key: String,
        size: u64,
        media_type: String,
        sha256: String,
        /// Where the customer opens it, if it is too large for the email.
        link: Option<String>,
    }

    /// An email of the program.
    #[derive(Default)]
    #[serde(default)]
    Emailed {
        /// As `acknowledgement`.
        kind: String,
        to: String,
        #[serde(flatten)]
        #[oai(flatten)]
        delivery: Delivery,
    }

    /// An email that came back.
    Bounced {
        to: String,
        /// The words of the mail server.
        error: String,
        /// That of the email.
        event: i64,
        /// The id of the report.
        email: String,
    }

    /// A message that was passed on.
    #[derive(Default)]
    #[serde(default)]
    Forwarded {
        to: String,
        note: String,
        /// The event of the message.
        message: i64,
        #[serde(flatten)]
        #[oai(flatten)]
        delivery: Delivery,
    }

    /// A message of an alarm to a person.
    Alarmed {
        alarm: i64,
        channel: Channel,
        /// The address of the person.
        to: Option<String>,
        round: u32,
        step: u32,
        #[serde(flatten)]
        #[oai(flatten)]
        delivery: Delivery,
    }

    /// The id of the email of which the request was made.
    EmailedIn {
        email: String,
    }

    /// When an admin has read it, and the user id.
    #[derive(Default)]
    #[serde(default)]
    Settled {
        #[oai(skip_serializing_if_is_none)]
        read_at: Option<Time>,
        #[oai(skip_serializing_if_is_none)]
        read_by: Option<String>,
    }

    /// A message of a customer, or of a program that answers for them. One that was not an email
    /// has no author.
    #[derive(Default)]
    #[serde(default)]
    #[oai(skip_serializing_if_is_none)]
    Message {
        via: Via,
        /// The id of the email.
        email: Option<String>,
        /// The author's address; empty if there is none, or several.
        from: Option<String>,
        name: Option<String>,
        /// The address to which an answer goes, if it is not the author's.
        reply_to: Option<String>,
        reply_to_name: Option<String>,
        subject: Option<String>,
        text: String,
        /// Quoted history and the signature.
        folded: String,
        /// Whether the texts are only the beginning.
        cut: bool,
        /// Whether our mail server has verified the sender.
        verified: bool,
        /// Whether it is an email of ours that came back.
        ours: bool,
        message_id: Option<String>,
        references: Vec<String>,
        /// What a reader should know beside the words.
        marks: Vec<EmailMark>,
        /// The number of files that are only in the whole email.
        left_out: usize,
        files: Vec<MessageFile>,
        /// The offer on whose page it was written.
        number: Option<String>,
        version: Option<u32>,
        /// Whether the address is the customer's.
        known: Option<bool>,
        /// The user id of the person who has attached it.
        attached_by: Option<String>,
        /// Whether it starts the clock of the next answer.
        counts: bool,
        read_at: Option<Time>,
        read_by: Option<String>,
    }
}

impl Delivery {
    /// That of an email that waits to be sent.
    pub fn queued(email_id: i64) -> Self {
        Self {
            email_id: Some(email_id),
            ..Self::default()
        }
    }
}

impl Message {
    /// What the customer has typed on a page of the site, which counts.
    pub fn on_page(via: Via, text: &str) -> Self {
        Self {
            via,
            text: text.to_owned(),
            verified: true,
            known: Some(true),
            counts: true,
            ..Self::default()
        }
    }
}

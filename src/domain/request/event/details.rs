//! What the events of the office's work say.

use std::collections::BTreeMap;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::account::Person;
use crate::clock::Time;
use crate::request::outcome::Outcome;
use crate::request::quote::Status;

/// Gives structures what those of all verbs have.
macro_rules! details {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
    })*) => {$(
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[derive(poem_openapi::Object)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }
    )*};
}
pub(super) use details;

crate::text_enum! {
    /// A correction of a status, beside the three moves.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum Correction {
        /// A completed or cancelled request returns to its earlier status.
        Reopen = "reopen",
        /// A request in progress is cancelled.
        Withdraw = "withdraw",
    }
}

crate::text_enum! {
    /// The outcome of a call to a customer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename_all = "snake_case")]
    pub enum CallOutcome {
        /// The customer was reached.
        Reached = "reached",
        /// A message was left.
        Voicemail = "voicemail",
        /// The call was not answered.
        NoAnswer = "no_answer",
    }
}

details! {
    /// There is no more to say.
    #[derive(Default)]
    #[oai(rename = "NoDetail")]
    Nothing {}

    /// A move, or a correction with its reason.
    Moved {
        from: Status,
        to: Status,
        #[oai(skip_serializing_if_is_none)]
        correction: Option<Correction>,
        #[oai(skip_serializing_if_is_none)]
        reason: Option<String>,
        /// The user id of the admin who has taken the request with it.
        #[oai(skip_serializing_if_is_none)]
        assignee: Option<String>,
        /// The number of the offer that was accepted.
        #[oai(skip_serializing_if_is_none)]
        offer: Option<String>,
    }

    /// The values of the corrected fields.
    Edited {
        from: BTreeMap<String, String>,
        to: BTreeMap<String, String>,
    }

    /// The service of the contact message, and of the quote request.
    MadeQuote {
        from: String,
        to: String,
    }

    /// An assignment; null for nobody.
    Assigned {
        #[serde(default, with = "by_id")]
        from: Option<Person>,
        #[serde(default, with = "by_id")]
        to: Option<Person>,
    }

    /// A note.
    #[derive(Default)]
    #[serde(default)]
    Noted {
        #[oai(skip_serializing_if_is_none)]
        text: Option<String>,
        /// Only true is sent.
        #[oai(skip_serializing_if_is_none)]
        deleted: Option<bool>,
    }

    /// The deletion of the note that is this event.
    NoteDeleted {
        note: i64,
        /// Kept for as long as it can be undone.
        #[oai(skip)]
        text: Option<String>,
    }

    /// A call to the customer.
    Called {
        outcome: CallOutcome,
        note: Option<String>,
        follow_up: Option<FollowUpChange>,
    }

    /// A request by phone.
    #[derive(Default)]
    #[serde(default)]
    Phoned {
        /// When the customer was promised an answer.
        promise: Option<Time>,
        /// Whether it has raised the alarm.
        alarm: bool,
    }

    /// The duplicate, and what the request has got from it.
    Merged {
        id: String,
        reference: String,
        /// A user id.
        assignee: Option<String>,
        won: Option<OutcomeChange>,
    }

    /// The duplicate.
    Separated {
        id: String,
        reference: String,
    }

    /// The request that shows this one.
    #[derive(Default)]
    #[serde(default)]
    KeptRequest {
        reference: String,
    }

    /// A file of the request.
    AddedFile {
        key: String,
        name: String,
        version: String,
    }

    /// A file that the request had.
    RemovedFile {
        key: String,
        name: String,
    }

    /// A reminder.
    Reminder {
        at: Time,
        /// The user id of the person who is reminded.
        by: String,
    }

    /// The reminder before and after a change; null for none.
    #[derive(Default)]
    #[serde(default)]
    #[oai(rename = "StoredFollowUpChange")]
    FollowUpChange {
        from: Option<Reminder>,
        to: Option<Reminder>,
    }

    /// An outcome, as the history has it.
    StoredOutcome {
        outcome: Outcome,
        /// Why it was lost.
        reason: Option<String>,
        /// The office's remark.
        words: Option<String>,
        cents: Option<i64>,
        /// `month` or `total`.
        per: Option<String>,
        won_at: Option<Time>,
    }

    /// The outcome before and after; null for none.
    #[oai(rename = "StoredOutcomeChange")]
    OutcomeChange {
        from: Option<StoredOutcome>,
        to: Option<StoredOutcome>,
    }

    /// An outcome that was recorded.
    OutcomeSet {
        from: Option<StoredOutcome>,
        to: Option<StoredOutcome>,
        /// The number of the offer whose answer says it.
        #[oai(skip_serializing_if_is_none)]
        offer: Option<String>,
    }

    /// The alarm, and how it was acknowledged.
    Acknowledged {
        by: String,
        alarm: i64,
    }

    /// The alarm.
    PassedOn {
        alarm: i64,
    }

    /// A step of the escalation.
    Escalated {
        step: u8,
        /// The event of the message that was not answered.
        #[oai(skip_serializing_if_is_none)]
        message: Option<i64>,
    }
}

impl Noted {
    /// A note with this text.
    pub const fn of(text: String) -> Self {
        Self {
            text: Some(text),
            deleted: None,
        }
    }
}

impl Moved {
    /// A move of which there is no more to say.
    pub const fn plain(from: Status, to: Status) -> Self {
        Self {
            from,
            to,
            correction: None,
            reason: None,
            assignee: None,
            offer: None,
        }
    }
}

impl Assigned {
    /// From one user id to the other.
    pub fn of_ids(from: Option<&str>, to: Option<&str>) -> Self {
        let person = |id: Option<&str>| id.map(|id| Person::of_id(id.to_owned()));
        Self {
            from: person(from),
            to: person(to),
        }
    }
}

/// A person is stored as the user id; who reads the history adds address and name.
mod by_id {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::account::Person;

    pub fn serialize<S: Serializer>(
        person: &Option<Person>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let id = person.as_ref().map(|person| &person.id);
        id.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Person>, D::Error> {
        let id = Option::<String>::deserialize(deserializer)?;
        Ok(id.map(Person::of_id))
    }
}

//! Events: what the history of a request consists of. A verb has a row in the table below, and a
//! structure for what it says; the database and the API have both as they are serialized.

mod details;
mod messages;
mod offers;
mod spam;

use poem_openapi::Enum;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{Any, ToJSON, Type};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use details::details;
pub use details::*;
pub use messages::*;
pub use offers::*;
pub use spam::*;

use crate::clock::MINUTE_MS;

/// How long an admin's own last change can be undone, in milliseconds.
pub const UNDO_MS: i64 = MINUTE_MS;

/// How long a reply, or the emails of a released request, wait before they are sent, so that they
/// can be undone, in milliseconds.
pub const EMAIL_DELAY_MS: i64 = 10_000;

macro_rules! events {
    ($($(#[$meta:meta])* $name:ident($detail:ident) = $verb:literal, $undo:expr;)*) => {
        crate::text_enum! {
            /// The verb of an event.
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize, Deserialize)]
            #[serde(rename_all = "snake_case")]
            #[oai(rename = "Verb", rename_all = "snake_case")]
            pub enum Verb {
                $($(#[$meta])* $name = $verb,)*
            }
        }

        impl Verb {
            /// For how long a person can undo what they have done, in milliseconds; `None` if they
            /// cannot.
            pub const fn undo_ms(self) -> Option<i64> {
                match self {
                    $(Self::$name => $undo,)*
                }
            }
        }

        /// What has happened to a request.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "verb", content = "detail", rename_all = "snake_case")]
        pub enum Event {
            $($(#[$meta])* $name($detail),)*
        }

        impl Event {
            /// Its verb.
            pub const fn verb(&self) -> Verb {
                match self {
                    $(Self::$name(_) => Verb::$name,)*
                }
            }

            fn described(&self) -> Option<Value> {
                match self {
                    $(Self::$name(detail) => detail.to_json(),)*
                }
            }

            fn variants(registry: &mut Registry) -> Vec<MetaSchemaRef> {
                $(<$detail as Type>::register(registry);)*
                vec![$(variant($verb, <$detail as Type>::schema_ref()),)*]
            }
        }
    };
}

events! {
    /// It was received. This event is not stored: it is the request's row.
    Received(Nothing) = "received", None;
    /// Its status was changed.
    Moved(Moved) = "moved", Some(UNDO_MS);
    /// What it says was corrected.
    Edited(Edited) = "edited", Some(UNDO_MS);
    /// A contact message was made a quote request, of another service.
    MadeQuote(MadeQuote) = "made_quote", Some(UNDO_MS);
    Assigned(Assigned) = "assigned", Some(UNDO_MS);
    Noted(Noted) = "noted", None;
    NoteDeleted(NoteDeleted) = "note_deleted", Some(UNDO_MS);
    Called(Called) = "called", Some(UNDO_MS);
    /// It was taken by phone.
    Phoned(Phoned) = "phoned", None;
    /// The office has replied by email.
    Replied(Replied) = "replied", Some(EMAIL_DELAY_MS);
    /// The program has sent an email.
    Emailed(Emailed) = "emailed", None;
    /// An email came back.
    Bounced(Bounced) = "bounced", None;
    /// The customer has written.
    Wrote(Message) = "wrote", None;
    /// A program has answered for the customer.
    AutoReplied(Message) = "auto_replied", None;
    /// A message was passed on to a colleague.
    Forwarded(Forwarded) = "forwarded", None;
    /// It was made of an email.
    EmailedIn(EmailedIn) = "emailed_in", None;
    /// The customer needs no answer any more.
    Settled(Settled) = "settled", None;
    /// A person has said that the customer's messages need no answer.
    SetAside(Nothing) = "set_aside", Some(UNDO_MS);
    /// It is held as possible spam.
    Held(Held) = "held", None;
    MarkedSpam(MarkedSpam) = "marked_spam", Some(UNDO_MS);
    Released(Released) = "released", Some(EMAIL_DELAY_MS);
    Discarded(Discarded) = "discarded", Some(UNDO_MS);
    /// A duplicate was merged into it.
    Merged(Merged) = "merged", Some(UNDO_MS);
    MergedInto(KeptRequest) = "merged_into", None;
    /// A duplicate was separated from it.
    Separated(Separated) = "separated", None;
    SeparatedFrom(KeptRequest) = "separated_from", None;
    FileAdded(AddedFile) = "file_added", Some(UNDO_MS);
    FileReplaced(AddedFile) = "file_replaced", None;
    FileRemoved(RemovedFile) = "file_removed", Some(UNDO_MS);
    /// A file was deleted for good.
    FileDeleted(RemovedFile) = "file_deleted", None;
    FollowUpSet(FollowUpChange) = "follow_up_set", Some(UNDO_MS);
    FollowUpDue(Reminder) = "follow_up_due", None;
    OutcomeSet(OutcomeSet) = "outcome_set", Some(UNDO_MS);
    OfferSent(OfferSent) = "offer_sent", Some(EMAIL_DELAY_MS);
    /// The customer reads an offer for the first time.
    OfferOpened(OfferVersion) = "offer_opened", None;
    OfferReminded(OfferReminded) = "offer_reminded", None;
    OfferWithdrawn(OfferEnded) = "offer_withdrawn", None;
    OfferAccepted(OfferAccepted) = "offer_accepted", None;
    OfferConfirmed(OfferVersion) = "offer_confirmed", Some(UNDO_MS);
    OfferDeclined(OfferEnded) = "offer_declined", None;
    OfferExpired(OfferEnded) = "offer_expired", None;
    /// A person was notified of its alarm.
    Alarmed(Alarmed) = "alarmed", None;
    /// Its alarm was acknowledged.
    Acknowledged(Acknowledged) = "acknowledged", None;
    /// Its alarm was passed on to the next person.
    PassedOn(PassedOn) = "passed_on", None;
    /// The office was reminded that it is overdue.
    Escalated(Escalated) = "escalated", None;
    Undone(Undone) = "undone", None;
}

details! {
    /// The change that was undone, with its values before and after the undo.
    Undone {
        verb: Verb,
        event: i64,
        #[serde(default = "null")]
        from: Any<Value>,
        #[serde(default = "null")]
        to: Any<Value>,
    }
}

const fn null() -> Any<Value> {
    Any(Value::Null)
}

impl Event {
    /// The event with this verb and this detail, as they are stored.
    pub fn parse(verb: &str, detail: &str) -> serde_json::Result<Self> {
        serde_json::from_str(&format!(r#"{{"verb":"{verb}","detail":{detail}}}"#))
    }

    /// Its detail as it is stored, without what it does not say.
    pub fn detail(&self) -> serde_json::Result<Value> {
        let mut detail = serde_json::to_value(self)?["detail"].take();
        if let Some(fields) = detail.as_object_mut() {
            fields.retain(|_, value| !value.is_null());
        }
        Ok(detail)
    }

    /// The delivery of its email or alarm.
    pub const fn delivery(&self) -> Option<&Delivery> {
        match self {
            Self::Replied(it) => Some(&it.delivery),
            Self::OfferSent(it) => Some(&it.delivery),
            Self::Emailed(it) => Some(&it.delivery),
            Self::Forwarded(it) => Some(&it.delivery),
            Self::Alarmed(it) => Some(&it.delivery),
            _ => None,
        }
    }

    /// What the customer has written, or a program for them.
    pub const fn message(&self) -> Option<&Message> {
        match self {
            Self::Wrote(message) | Self::AutoReplied(message) => Some(message),
            _ => None,
        }
    }

    /// The number and the version of the offer that it is about.
    pub fn version_of_offer(&self) -> Option<(&str, u32)> {
        match self {
            Self::OfferSent(it) => Some((&it.number, it.version)),
            Self::OfferOpened(it) | Self::OfferConfirmed(it) => Some((&it.number, it.version)),
            Self::OfferReminded(it) => Some((&it.number, it.version)),
            Self::OfferAccepted(it) => Some((&it.number, it.version)),
            Self::OfferWithdrawn(it) | Self::OfferDeclined(it) | Self::OfferExpired(it) => {
                Some((&it.number, it.version))
            }
            _ => None,
        }
    }

    /// The recipient of its email.
    pub fn recipient(&self) -> Option<&str> {
        match self {
            Self::Replied(it) => Some(&it.to),
            Self::OfferSent(it) => Some(&it.to),
            Self::Emailed(it) => Some(&it.to),
            Self::Forwarded(it) => Some(&it.to),
            _ => None,
        }
    }
}

/// One verb of the union, with its detail.
fn variant(verb: &'static str, detail: MetaSchemaRef) -> MetaSchemaRef {
    let verb = MetaSchema {
        enum_items: vec![verb.into()],
        ..MetaSchema::new("string")
    };
    MetaSchemaRef::Inline(Box::new(MetaSchema {
        required: vec!["verb", "detail"],
        properties: vec![
            ("verb", MetaSchemaRef::Inline(Box::new(verb))),
            ("detail", detail),
        ],
        ..MetaSchema::new("object")
    }))
}

impl Type for Event {
    crate::described!("Event".into(), MetaSchemaRef::Reference("Event".into()));

    fn register(registry: &mut Registry) {
        registry.create_schema::<Self, _>(Self::name().into_owned(), |registry| MetaSchema {
            description: Some("A verb, with what it says."),
            one_of: Self::variants(registry),
            ..MetaSchema::ANY
        });
    }
}

impl ToJSON for Event {
    fn to_json(&self) -> Option<Value> {
        Some(json!({ "verb": self.verb(), "detail": self.described() }))
    }
}

#[cfg(test)]
mod tests;

//! What has happened to a request, as far as its customer is concerned.

use domain::clock::Time;
use domain::request::event::{CallOutcome, EmailState, Event};
use domain::request::history::HistoryEvent;
use domain::request::quote::Status;

use self::What::*;

/// The kind of a step. `by_office`: the office has entered what the customer said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Emailed,
    NotDelivered,
    Reached,
    Voicemail,
    NoAnswer,
    Wrote,
    Settled,
    Offered,
    /// The email with the offer could not be delivered.
    OfferNotDelivered,
    Accepted {
        by_office: bool,
    },
    Confirmed,
    Declined {
        by_office: bool,
    },
    Expired,
    Withdrawn,
    Closed,
    Completed,
    /// This many files have arrived, each soon after the one before.
    Files(usize),
}

impl What {
    /// Whether the customer has answered an offer.
    pub const fn is_decision(self) -> bool {
        matches!(self, Accepted { .. } | Declined { .. })
    }
}

/// A step that has happened.
pub(super) struct Happened<'a> {
    pub what: What,
    pub at: Time,
    /// The number and the version of an offer.
    pub offer: Option<(&'a str, u32)>,
}

/// After these the customer's message does not wait.
pub(super) const ANSWERS: &[What] = &[Emailed, Reached, Offered, Settled];
/// After these a request that its customer has closed goes on.
pub(super) const CONTACTS: &[What] = &[Emailed, Reached, Offered, Wrote];
/// Calls in which the customer was not reached.
pub(super) const TRIES: &[What] = &[Voicemail, NoAnswer];
/// Ends of an offer that was not accepted.
pub(super) const ENDS: &[What] = &[
    Declined { by_office: false },
    Declined { by_office: true },
    Expired,
    Withdrawn,
];

/// Files that arrive within this time of the one before are one step, in seconds: a phone sends
/// five photos one after the other.
const FILES_TOGETHER: i64 = 3_600;

/// The steps of files that arrived at these times.
pub(super) fn of_files(times: &[Time]) -> Vec<Happened<'static>> {
    let mut times = times.to_vec();
    times.sort();
    let are_together =
        |before: &Time, next: &Time| next.seconds() - before.seconds() <= FILES_TOGETHER;
    let steps = times.chunk_by(are_together).filter_map(|together| {
        Some(Happened {
            what: Files(together.len()),
            at: *together.last()?,
            offer: None,
        })
    });
    steps.collect()
}

impl<'a> Happened<'a> {
    pub fn of(event: &'a HistoryEvent) -> Option<Self> {
        let by_office = event.actor.is_some();
        let what = match &event.event {
            Event::Replied(reply) => match reply.delivery.state {
                EmailState::Delivered => Emailed,
                EmailState::Failed => NotDelivered,
                _ => return None,
            },
            Event::Called(call) => match call.outcome {
                CallOutcome::Reached => Reached,
                CallOutcome::Voicemail => Voicemail,
                CallOutcome::NoAnswer => NoAnswer,
            },
            // Messages of others are none of the customer's.
            Event::Wrote(message) if message.counts => Wrote,
            Event::Settled(_) => Settled,
            Event::OfferSent(sent) => match sent.delivery.state {
                EmailState::Delivered => Offered,
                EmailState::Failed => OfferNotDelivered,
                _ => return None,
            },
            Event::OfferAccepted(_) => Accepted { by_office },
            Event::OfferConfirmed(_) => Confirmed,
            Event::OfferDeclined(_) => Declined { by_office },
            Event::OfferExpired(_) => Expired,
            Event::OfferWithdrawn(_) => Withdrawn,
            Event::Moved(moved) => match moved.to {
                Status::Cancelled => Closed,
                Status::Completed => Completed,
                _ => return None,
            },
            _ => return None,
        };
        let delivered = event.event.delivery().and_then(|email| email.at);
        Some(Self {
            what,
            // An email is delivered after its event.
            at: delivered.unwrap_or(event.at),
            offer: event.event.version_of_offer(),
        })
    }

    /// The step as the customer reads it.
    pub fn name(&self) -> String {
        let offer = match self.offer {
            Some((number, 1)) => format!("offer {number}"),
            Some((number, version)) => format!("offer {number}, version {version}"),
            None => String::new(),
        };
        match self.what {
            Emailed => "We emailed you".to_owned(),
            NotDelivered => "Our email could not be delivered to you".to_owned(),
            Reached => "We spoke with you by phone".to_owned(),
            Voicemail => "We called you and left a message".to_owned(),
            NoAnswer => "We called you and did not reach you".to_owned(),
            Wrote => "You wrote to us".to_owned(),
            Settled => "You closed this request".to_owned(),
            Offered => format!("We emailed you {offer}"),
            OfferNotDelivered => format!("We made {offer}, but could not email it to you"),
            Accepted { by_office: false } => format!("You accepted {offer}"),
            Accepted { by_office: true } => format!("We recorded that you accepted {offer}"),
            Confirmed => format!("We confirmed {offer}: your posts are staffed"),
            Declined { by_office: false } => format!("You declined {offer}"),
            Declined { by_office: true } => format!("We recorded that you declined {offer}"),
            Expired => capital(&format!("{offer} expired")),
            Withdrawn => format!("We withdrew {offer}"),
            Files(1) => "We received 1 file".to_owned(),
            Files(count) => format!("We received {count} files"),
            Closed => "We closed this request".to_owned(),
            Completed => "We marked this request as completed".to_owned(),
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

//! What has happened to a request, as far as its customer is concerned.

use domain::clock::Time;
use domain::request::event::Event;
use domain::request::quote::Status;
use serde_json::Value;

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

/// A step that has happened.
pub(super) struct Happened<'a> {
    pub what: What,
    pub at: Time,
    /// The number and the version of an offer.
    pub offer: Option<(&'a str, u64)>,
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
    pub fn of(event: &'a Event) -> Option<Self> {
        let text = |key: &str| event.detail.get(key).and_then(Value::as_str);
        let by_office = event.actor.is_some();
        let what = match (event.verb.as_str(), text("state"), text("outcome")) {
            ("replied", Some("delivered"), _) => Emailed,
            ("replied", Some("failed"), _) => NotDelivered,
            ("called", _, Some("reached")) => Reached,
            ("called", _, Some("voicemail")) => Voicemail,
            ("called", _, Some("no_answer")) => NoAnswer,
            // Messages of others are none of the customer's.
            ("wrote", ..) if event.detail.get("counts") == Some(&Value::Bool(true)) => Wrote,
            ("settled", ..) => Settled,
            ("offer_sent", Some("delivered"), _) => Offered,
            ("offer_sent", Some("failed"), _) => OfferNotDelivered,
            ("offer_accepted", ..) => Accepted { by_office },
            ("offer_confirmed", ..) => Confirmed,
            ("offer_declined", ..) => Declined { by_office },
            ("offer_expired", ..) => Expired,
            ("offer_withdrawn", ..) => Withdrawn,
            ("moved", ..) => match text("to").and_then(Status::parse)? {
                Status::Cancelled => Closed,
                Status::Completed => Completed,
                _ => return None,
            },
            _ => return None,
        };
        let version = event.detail.get("version").and_then(Value::as_u64);
        Some(Self {
            what,
            // An email is delivered after its event.
            at: text("at").and_then(Time::parse).unwrap_or(event.at),
            offer: text("number").zip(version),
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

//! What of a request waits for the office: the only rule, computed from the history of the request
//! and its duplicates.

use std::collections::{HashMap, HashSet};
use std::iter;

use super::event::{CallOutcome, Called, Delivery, EmailState, Event, Message};
use super::history::{HistoryEvent, in_effect};
use crate::clock::Time;
use crate::email::received_email::EmailMark;

/// Whether an event may change what waits when it is recorded. Emails count when their state
/// changes.
pub const fn may_change(event: &Event) -> bool {
    matches!(
        event,
        Event::Wrote(_)
            | Event::Settled(_)
            | Event::SetAside(_)
            | Event::Called(_)
            | Event::Moved(_)
            | Event::OfferAccepted(_)
            | Event::OfferConfirmed(_)
            | Event::MergedInto(_)
            | Event::Undone(_)
    )
}

/// A request with its duplicates, and theirs.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// Whether the customer wants a call: an email answers none who does.
    pub wants_call: bool,
    /// The request into which each duplicate was merged, by their `seq`.
    pub parents: HashMap<i64, i64>,
    /// The events of all, oldest first.
    pub history: Vec<HistoryEvent>,
}

/// What waits, as the columns of a request have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// The event of the oldest message that counts and was not answered, or of the oldest
    /// acceptance that no admin has confirmed.
    pub unanswered: Option<i64>,
    /// Whether something was not opened, or a message waits that no clock counts.
    pub unread: bool,
    /// Whether something was not opened.
    pub is_unopened: bool,
    /// The event of the newest message that waits for an answer, counted or not.
    pub newest_unanswered: Option<i64>,
    /// When the customer was reached first: by a call, or by an email unless they want a call.
    pub answered_at: Option<Time>,
    /// The user id of who has reached them; empty if that is not known.
    pub answered_by: Option<String>,
    /// When the first reply was delivered.
    pub emailed_at: Option<Time>,
    /// The event of the last email that the customer did not get, until they are reached.
    pub failed_reply: Option<i64>,
}

impl Family {
    /// What waits in the request. What ends a wait in it ends those of its duplicates from their
    /// merge on, and nothing from before it.
    pub fn waits(&self) -> Waits {
        let history = in_effect(&self.history);
        let mut merged = HashSet::new();
        let mut messages: Vec<(&HistoryEvent, &Message)> = Vec::new();
        let mut failed: Vec<_> = history.iter().filter_map(|it| failure(it)).collect();
        for event in &history {
            match &event.event {
                Event::MergedInto(_) => drop(merged.insert(event.seq)),
                Event::SeparatedFrom(_) => drop(merged.remove(&event.seq)),
                Event::Wrote(message) => messages.push((event, message)),
                _ => {
                    let concerns = |other: &HistoryEvent| {
                        let parent = |seq: &i64| self.parents.get(seq).copied();
                        let shown = |seq: &i64| parent(seq).filter(|_| merged.contains(seq));
                        iter::successors(Some(other.seq), shown).any(|seq| seq == event.seq)
                    };
                    if is_end(event) {
                        messages.retain(|(message, _)| !concerns(message));
                    }
                    if is_answer(event) {
                        failed.retain(|(after, email)| event.id <= *after || !concerns(email));
                    }
                }
            }
        }
        let accepted = history.iter().find(|event| is_unconfirmed(event));
        let counted = messages.iter().find(|(_, message)| message.counts);
        let counted = counted.map(|(event, _)| event);
        let is_unopened = history.iter().any(|event| is_unopened(event));
        let reached = history.iter().filter_map(|event| {
            let at = called_at(event).or(emailed_at(event).filter(|_| !self.wants_call))?;
            Some((at, event.id, event.actor.as_ref()))
        });
        let reached = reached.min_by_key(|(at, id, _)| (*at, *id));
        Waits {
            unanswered: counted.into_iter().chain(accepted).map(|it| it.id).min(),
            unread: is_unopened || messages.iter().any(|(_, it)| is_uncounted(it)),
            is_unopened,
            newest_unanswered: messages.last().map(|(event, _)| event.id),
            answered_at: reached.map(|(at, ..)| at),
            answered_by: reached.map(|(.., by)| by.map_or_else(String::new, |by| by.id.clone())),
            emailed_at: history.iter().filter_map(|event| emailed_at(event)).min(),
            failed_reply: failed.last().map(|(_, email)| email.id),
        }
    }
}

/// When a call has reached the customer.
fn called_at(event: &HistoryEvent) -> Option<Time> {
    match &event.event {
        Event::Called(Called { outcome, .. }) if *outcome == CallOutcome::Reached => Some(event.at),
        _ => None,
    }
}

/// How a reply or an offer fares.
fn reply(event: &HistoryEvent) -> Option<&Delivery> {
    let is_reply = matches!(event.event, Event::Replied(_) | Event::OfferSent(_));
    event.event.delivery().filter(|_| is_reply)
}

/// When the mail server has accepted a reply or an offer, even if it came back later.
fn emailed_at(event: &HistoryEvent) -> Option<Time> {
    reply(event)?.at
}

/// An email that the customer did not get, with the last event before it failed.
fn failure<'a>(event: &&'a HistoryEvent) -> Option<(i64, &'a HistoryEvent)> {
    let delivery = event.event.delivery()?;
    let after = delivery.failed_after?;
    (delivery.state == EmailState::Failed).then_some((after, event))
}

/// Whether the customer was reached.
fn is_answer(event: &HistoryEvent) -> bool {
    let is_delivered = |it: &Delivery| it.at.is_some() && it.state == EmailState::Delivered;
    reply(event).is_some_and(is_delivered) || called_at(event).is_some()
}

/// Whether no message from before an event waits.
fn is_end(event: &HistoryEvent) -> bool {
    match &event.event {
        Event::Settled(_) | Event::SetAside(_) => true,
        Event::Moved(moved) => event.actor.is_some() && !moved.to.is_open(),
        _ => is_answer(event),
    }
}

/// Whether an event is for an admin to open, and none has.
fn is_unopened(event: &HistoryEvent) -> bool {
    match &event.event {
        Event::Wrote(message) => message.read_at.is_none(),
        Event::Settled(settled) => settled.read_at.is_none(),
        Event::OfferAccepted(accepted) => is_unconfirmed(event) && accepted.read_at.is_none(),
        _ => false,
    }
}

/// Whether the customer has accepted an offer, and no admin has confirmed that.
fn is_unconfirmed(event: &HistoryEvent) -> bool {
    match &event.event {
        Event::OfferAccepted(accepted) => event.actor.is_none() && accepted.confirmed.is_none(),
        _ => false,
    }
}

/// Whether no clock counts a message, and its author is not just away.
fn is_uncounted(message: &Message) -> bool {
    !message.counts && !message.marks.contains(&EmailMark::Away)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::account::Person;
    use crate::request::RequestKind;

    const ADA: Option<&str> = Some("ada");

    /// The history of rows `(seq, verb, actor, detail)`: their ids count from 1, a second each.
    fn history(rows: &[(i64, &str, Option<&str>, Value)]) -> Vec<HistoryEvent> {
        let rows = (1..).zip(rows);
        let event = |(id, (seq, verb, actor, detail)): (i64, &(i64, &str, Option<&str>, Value))| {
            let actor = actor.map(|id| Person::of_id(id.to_owned()));
            HistoryEvent {
                id,
                seq: *seq,
                kind: RequestKind::Quote,
                at: Time::from_millis(id * 1000),
                actor,
                event: Event::parse(verb, &detail.to_string()).unwrap(),
            }
        };
        rows.map(event).collect()
    }

    /// What waits in request 1, into which 2 is merged.
    fn waits(rows: &[(i64, &str, Option<&str>, Value)]) -> Waits {
        let family = Family {
            wants_call: false,
            parents: [(2, 1)].into(),
            history: history(rows),
        };
        family.waits()
    }

    fn counted() -> Value {
        json!({ "counts": true, "read_at": "2026-11-21T12:00:00.000Z" })
    }

    fn sent(state: &str, at: Option<i64>) -> Value {
        json!({ "state": state, "at": at.map(|at| Time::from_millis(at * 1000)) })
    }

    #[test]
    fn a_message_waits_until_something_after_it_ends_that() {
        let closed = json!({ "from": "in_progress", "to": "completed" });
        let accepted = json!({ "from": "pending", "to": "in_progress" });
        for (verb, actor, detail, expected) in [
            ("noted", ADA, json!({}), Some(1)),
            ("called", ADA, json!({ "outcome": "reached" }), None),
            ("called", ADA, json!({ "outcome": "voicemail" }), Some(1)),
            ("replied", ADA, sent("queued", None), Some(1)),
            ("replied", ADA, sent("delivered", Some(3)), None),
            ("replied", ADA, sent("failed", Some(3)), Some(1)),
            ("offer_sent", ADA, sent("delivered", Some(3)), None),
            ("emailed", None, sent("delivered", Some(3)), Some(1)),
            ("moved", ADA, closed.clone(), None),
            ("moved", None, closed, Some(1)),
            ("moved", ADA, accepted, Some(1)),
            ("settled", None, json!({}), None),
            ("set_aside", ADA, json!({}), None),
        ] {
            let shown = format!("{verb} {detail}");
            let message = (1, "wrote", None, counted());
            let found = waits(&[message.clone(), (1, verb, actor, detail.clone())]);
            assert_eq!(found.unanswered, expected, "{shown}");
            assert_eq!(found.newest_unanswered, expected, "{shown}");
            let undone = (1, "undone", ADA, json!({ "verb": "noted", "event": 2 }));
            let found = waits(&[message.clone(), (1, verb, actor, detail.clone()), undone]);
            assert_eq!(found.unanswered, Some(1), "undone: {shown}");
            let found = waits(&[(1, verb, actor, detail), message]);
            assert_eq!(found.unanswered, Some(2), "written after: {shown}");
        }
    }

    #[test]
    fn an_answer_ends_the_waits_of_a_duplicate_from_its_merge_on() {
        let call = |seq| (seq, "called", ADA, json!({ "outcome": "reached" }));
        let merged = (2, "merged_into", ADA, json!({}));
        let message = (2, "wrote", None, counted());
        let failed = json!({ "state": "failed", "failed_after": 0 });
        for (rows, expected) in [
            (vec![call(1), merged.clone()], true),
            (vec![call(2), merged.clone()], false),
            (vec![merged.clone(), call(1)], false),
            (
                vec![
                    merged.clone(),
                    (2, "separated_from", ADA, json!({})),
                    call(1),
                ],
                true,
            ),
        ] {
            let with = |first| waits(&[vec![first], rows.clone()].concat());
            assert_eq!(
                with(message.clone()).unanswered.is_some(),
                expected,
                "{rows:?}"
            );
            let reply = with((2, "replied", ADA, failed.clone()));
            assert_eq!(reply.failed_reply.is_some(), expected, "{rows:?}");
        }
    }

    #[test]
    fn an_acceptance_waits_until_it_is_confirmed_and_no_answer_ends_that() {
        let call = (1, "called", ADA, json!({ "outcome": "reached" }));
        let accepted = waits(&[(1, "offer_accepted", None, json!({})), call]);
        assert_eq!((accepted.unanswered, accepted.unread), (Some(1), true));
        let confirmed = waits(&[(1, "offer_accepted", None, json!({ "confirmed": 2 }))]);
        assert_eq!(confirmed, Waits::default());
        let entered = waits(&[(1, "offer_accepted", ADA, json!({}))]);
        assert_eq!(entered, Waits::default());
    }

    #[test]
    fn it_is_unread_until_all_was_opened_and_what_no_clock_counts_was_answered() {
        let read = "2026-11-21T12:00:00.000Z";
        for (verb, detail, expected) in [
            ("wrote", json!({ "counts": true }), true),
            ("wrote", counted(), false),
            ("wrote", json!({ "counts": false, "read_at": read }), true),
            (
                "wrote",
                json!({ "marks": ["away"], "read_at": read }),
                false,
            ),
            ("settled", json!({}), true),
            ("settled", json!({ "read_at": read }), false),
            ("auto_replied", json!({}), false),
        ] {
            let found = waits(&[(1, verb, None, detail.clone())]);
            assert_eq!(found.unread, expected, "{verb} {detail}");
        }
    }

    #[test]
    fn the_first_answer_of_both_counts_and_no_email_answers_who_wants_a_call() {
        let rows = [
            (1, "replied", ADA, sent("delivered", Some(9))),
            (2, "replied", Some("ben"), sent("failed", Some(5))),
            (1, "called", Some("eve"), json!({ "outcome": "reached" })),
        ];
        let emails = waits(&rows[..2]);
        let at = |second: i64| Some(Time::from_millis(second * 1000));
        assert_eq!((emails.answered_at, emails.emailed_at), (at(5), at(5)));
        assert_eq!(emails.answered_by.as_deref(), Some("ben"));
        let all = waits(&rows);
        assert_eq!(
            (all.answered_at, all.answered_by.as_deref()),
            (at(3), Some("eve"))
        );
        let urgent = |rows| Family {
            wants_call: true,
            history: history(rows),
            ..Family::default()
        };
        let emailed = urgent(&rows[..2]).waits();
        assert_eq!((emailed.answered_at, emailed.emailed_at), (None, at(5)));
        assert_eq!(urgent(&rows).waits().answered_at, at(3));
    }

    #[test]
    fn a_reply_has_failed_until_the_customer_is_reached_after_that() {
        let failed = |after| json!({ "state": "failed", "failed_after": after });
        let call = (1, "called", ADA, json!({ "outcome": "reached" }));
        for (detail, expected) in [
            (failed(1), None),
            (failed(2), Some(1)),
            (json!({ "state": "queued", "failed_after": 2 }), None),
        ] {
            let found = waits(&[(1, "replied", ADA, detail.clone()), call.clone()]);
            assert_eq!(found.failed_reply, expected, "{detail}");
        }
    }
}

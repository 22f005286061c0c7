//! The history of a request, and by which rules its changes can be undone.

use super::RequestKind;
use super::event::{CallOutcome, EmailState, Event, OfferSent, Replied, Verb};
use crate::account::Person;
use crate::clock::Time;

/// An event in the history of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEvent {
    /// Its number; later events have higher ones.
    pub id: i64,
    /// The request's `seq`.
    pub seq: i64,
    pub kind: RequestKind,
    /// When it happened.
    pub at: Time,
    /// The actor; `None` for the server.
    pub actor: Option<Person>,
    /// What has happened.
    pub event: Event,
}

impl HistoryEvent {
    /// The actor as sentences to colleagues have it.
    pub fn actor_shown(&self) -> String {
        let name = self.actor.as_ref().map_or("A colleague", Person::shown);
        name.to_owned()
    }

    /// Whether this user did it.
    pub fn is_by(&self, user: &str) -> bool {
        self.actor.as_ref().is_some_and(|actor| actor.id == user)
    }

    /// The last event of a user with this verb, if it is younger than `millis`.
    pub fn last_of<'a>(
        history: &'a [Self],
        user: &str,
        verb: Verb,
        millis: i64,
        now: Time,
    ) -> Option<&'a Self> {
        let is_own = |event: &&Self| event.event.verb() == verb && event.is_by(user);
        let last = history.iter().rfind(is_own)?;
        (last.at.plus_millis(millis) > now).then_some(last)
    }

    /// Whether a later event of `history` undoes it.
    pub fn is_undone(&self, history: &[Self]) -> bool {
        history.iter().any(|other| other.undone() == Some(self.id))
    }

    const fn undone(&self) -> Option<i64> {
        match &self.event {
            Event::Undone(undone) => Some(undone.event),
            _ => None,
        }
    }

    /// Whether it answers the customer: a reply or an offer that was neither undone nor failed, or
    /// a call that reached them.
    pub fn is_answer(&self) -> bool {
        match &self.event {
            Event::Replied(Replied { delivery, .. })
            | Event::OfferSent(OfferSent { delivery, .. }) => {
                !matches!(delivery.state, EmailState::Undone | EmailState::Failed)
            }
            Event::Called(call) => call.outcome == CallOutcome::Reached,
            _ => false,
        }
    }

    /// Whether `later` replaces this change. Replies, notes, files and merges are
    /// independent of each other, and so are edits of different fields.
    fn is_replaced_by(&self, later: &Self) -> bool {
        use Event::*;
        let is_same = match (&self.event, &later.event) {
            (Edited(own), Edited(other)) => own.to.keys().any(|it| other.to.contains_key(it)),
            // The values of a contact message are not those of a quote request.
            (Edited(_), MadeQuote(_)) => true,
            (
                Replied(_) | NoteDeleted(_) | FileAdded(_) | FileRemoved(_) | Merged(_)
                | OfferSent(_) | OfferConfirmed(_),
                _,
            ) => false,
            (own, other) => own.verb() == other.verb(),
        };
        is_same && later.id > self.id
    }

    /// The time until which `user` can undo this event of `history`: their own change, neither
    /// undone nor replaced by a later one.
    pub fn undoable_until(&self, user: &str, history: &[Self], now: Time) -> Option<Time> {
        let until = self.at.plus_millis(self.event.verb().undo_ms()?);
        let is_own = self.is_by(user);
        let is_possible = is_own && self.replaced_by(history).is_none() && !self.is_undone(history);
        (is_possible && now <= until).then_some(until)
    }

    /// The later event of `history` that replaces the change.
    pub fn replaced_by<'a>(&self, history: &'a [Self]) -> Option<&'a Self> {
        let later = in_effect(history).into_iter();
        later.rev().find(|other| self.is_replaced_by(other))
    }
}

/// The events in effect: without undone events and their undos.
pub fn in_effect(history: &[HistoryEvent]) -> Vec<&HistoryEvent> {
    let undone: Vec<_> = history.iter().filter_map(HistoryEvent::undone).collect();
    let is_in_effect =
        |event: &&HistoryEvent| event.undone().is_none() && !undone.contains(&event.id);
    history.iter().filter(is_in_effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::event::{EMAIL_DELAY_MS, UNDO_MS};

    fn event(id: i64, verb: &str, detail: &str) -> HistoryEvent {
        HistoryEvent {
            id,
            seq: 1,
            kind: RequestKind::Quote,
            at: Time::from_millis(1_000_000),
            actor: Some(Person::of_id("ada".into())),
            event: Event::parse(verb, detail).unwrap(),
        }
    }

    fn moved(id: i64) -> HistoryEvent {
        event(id, "moved", r#"{"from":"pending","to":"in_progress"}"#)
    }

    #[test]
    fn a_reply_or_an_offer_that_has_not_failed_is_an_answer_and_so_is_a_call_that_reached_someone()
    {
        for (verb, detail, expected) in [
            ("replied", r#"{"state":"queued"}"#, true),
            ("replied", r#"{"state":"undone"}"#, false),
            ("offer_sent", r#"{"state":"delivered"}"#, true),
            ("offer_sent", r#"{"state":"failed"}"#, false),
            ("called", r#"{"outcome":"reached"}"#, true),
            ("called", r#"{"outcome":"voicemail"}"#, false),
            ("noted", "{}", false),
        ] {
            assert_eq!(
                event(1, verb, detail).is_answer(),
                expected,
                "{verb} {detail}"
            );
        }
    }

    #[test]
    fn ones_own_last_change_can_be_undone_for_a_minute_and_a_reply_for_ten_seconds() {
        let until = |event: &HistoryEvent, user: &str, history: &[HistoryEvent], now: i64| {
            event.undoable_until(user, history, Time::from_millis(now))
        };
        let last = moved(5);
        let end = 1_000_000 + UNDO_MS;
        let history = [
            moved(4),
            last.clone(),
            event(6, "called", r#"{"outcome":"reached"}"#),
        ];
        assert_eq!(
            until(&last, "ada", &history, end),
            Some(Time::from_millis(end))
        );
        assert_eq!(until(&last, "ada", &history, end + 1), None, "too late");
        assert_eq!(until(&last, "eve", &history, end), None, "somebody else's");
        assert_eq!(
            until(&history[0], "ada", &history, end),
            None,
            "moved since"
        );
        let undone = event(7, "undone", r#"{"verb":"moved","event":5}"#);
        let history = [moved(4), last.clone(), undone];
        assert_eq!(until(&last, "ada", &history, end), None);
        assert_eq!(
            until(&history[0], "ada", &history, end),
            Some(Time::from_millis(end)),
            "the later move was undone"
        );
        let history = [event(8, "noted", "{}")];
        assert_eq!(until(&history[0], "ada", &history, end), None);
        let replied = event(9, "replied", "{}");
        let end = 1_000_000 + EMAIL_DELAY_MS;
        let history = [replied.clone()];
        assert_eq!(
            until(&replied, "ada", &history, end),
            Some(Time::from_millis(end))
        );
        assert_eq!(until(&replied, "ada", &history, end + 1), None);
    }
}

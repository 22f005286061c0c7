//! Events: the history of a request.

use serde_json::Value;

use super::RequestKind;
use crate::account::{Metadata, Person};
use crate::clock::{MINUTE_MS, Time};

/// How long an admin's own last change can be undone, in milliseconds.
pub const UNDO_MS: i64 = MINUTE_MS;

/// How long a reply, or the emails of a released request, wait before they are sent, so that they
/// can be undone, in milliseconds.
pub const EMAIL_DELAY_MS: i64 = 10_000;

/// An event of a request. `received` is not stored: it is the request's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number; later events have higher ones.
    pub id: i64,
    /// The request's `seq`.
    pub seq: i64,
    pub kind: RequestKind,
    /// When it happened.
    pub at: Time,
    /// The actor; `None` for the server.
    pub actor: Option<Person>,
    pub verb: String,
    /// Details of the change, such as the old and the new value.
    pub detail: Metadata,
}

/// The verbs of changes that can be undone.
const REVERSIBLE: [&str; 18] = [
    "moved",
    "edited",
    "made_quote",
    "assigned",
    "called",
    "replied",
    "discarded",
    "marked_spam",
    "merged",
    "released",
    "note_deleted",
    "file_added",
    "file_removed",
    "follow_up_set",
    "outcome_set",
    "offer_sent",
    "offer_confirmed",
    "set_aside",
];

impl Event {
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
        verb: &str,
        millis: i64,
        now: Time,
    ) -> Option<&'a Self> {
        let is_own = |event: &&Self| event.verb == verb && event.is_by(user);
        let last = history.iter().rfind(is_own)?;
        (last.at.plus_millis(millis) > now).then_some(last)
    }

    /// Whether its verb can be undone while it is recent.
    pub fn is_reversible(&self) -> bool {
        REVERSIBLE.contains(&self.verb.as_str())
    }

    fn undone(&self) -> Option<i64> {
        let undone = (self.verb == "undone").then(|| self.detail.get("event"))?;
        undone?.as_i64()
    }

    /// Whether `later` replaces this change. Replies, notes, files and merges are
    /// independent of each other, and so are edits of different fields.
    fn is_replaced_by(&self, later: &Self) -> bool {
        let is_independent = [
            "replied",
            "note_deleted",
            "file_added",
            "file_removed",
            "merged",
            "offer_sent",
            "offer_confirmed",
        ];
        // The values of a contact message are not those of a quote request.
        if self.verb == "edited" && later.verb == "made_quote" && later.id > self.id {
            return true;
        }
        later.id > self.id
            && later.verb == self.verb
            && !is_independent.contains(&self.verb.as_str())
            && (self.verb != "edited" || self.shares_field(later))
    }

    /// Whether two edits are of the same field.
    fn shares_field(&self, other: &Self) -> bool {
        let fields = |event: &Self| event.detail.get("to").and_then(Value::as_object).cloned();
        let (own, others) = (fields(self), fields(other));
        let mut names = own.iter().flat_map(|fields| fields.keys());
        names.any(|name| {
            others
                .as_ref()
                .is_some_and(|fields| fields.contains_key(name))
        })
    }

    /// The time until which `user` can undo this event of `history`: their own change, neither
    /// undone nor replaced by a later one.
    pub fn undoable_until(&self, user: &str, history: &[Self], now: Time) -> Option<Time> {
        let time = match self.verb.as_str() {
            "replied" | "released" | "offer_sent" => EMAIL_DELAY_MS,
            _ => UNDO_MS,
        };
        let until = self.at.plus_millis(time);
        let is_own = self.is_by(user);
        let is_last = in_effect(history)
            .iter()
            .all(|other| !self.is_replaced_by(other));
        let is_undone = history.iter().any(|other| other.undone() == Some(self.id));
        let is_possible = is_own && self.is_reversible() && is_last && !is_undone;
        (is_possible && now <= until).then_some(until)
    }

    /// The later event of `history` that replaces the change.
    pub fn replaced_by<'a>(&self, history: &'a [Self]) -> Option<&'a Self> {
        let later = in_effect(history).into_iter();
        later.rev().find(|other| self.is_replaced_by(other))
    }
}

/// The events in effect: without undone events and their undos.
pub fn in_effect(history: &[Event]) -> Vec<&Event> {
    let undone: Vec<_> = history.iter().filter_map(Event::undone).collect();
    let is_in_effect = |event: &&Event| event.verb != "undone" && !undone.contains(&event.id);
    history.iter().filter(is_in_effect).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: i64, verb: &str) -> Event {
        Event {
            id,
            seq: 1,
            kind: RequestKind::Quote,
            at: Time::from_millis(1_000_000),
            actor: Some(Person {
                id: "ada".into(),
                email: None,
                name: None,
            }),
            verb: verb.into(),
            detail: Metadata::new(),
        }
    }

    #[test]
    fn ones_own_last_change_can_be_undone_for_a_minute_and_a_reply_for_ten_seconds() {
        let until = |event: &Event, user: &str, history: &[Event], now: i64| {
            event.undoable_until(user, history, Time::from_millis(now))
        };
        let moved = event(5, "moved");
        let end = 1_000_000 + UNDO_MS;
        let history = [event(4, "moved"), moved.clone(), event(6, "called")];
        assert_eq!(
            until(&moved, "ada", &history, end),
            Some(Time::from_millis(end))
        );
        assert_eq!(until(&moved, "ada", &history, end + 1), None, "too late");
        assert_eq!(until(&moved, "eve", &history, end), None, "somebody else's");
        assert_eq!(
            until(&history[0], "ada", &history, end),
            None,
            "moved since"
        );
        let mut undone = event(7, "undone");
        undone.detail.insert("verb".into(), "moved".into());
        undone.detail.insert("event".into(), 5.into());
        let history = [event(4, "moved"), moved.clone(), undone];
        assert_eq!(until(&moved, "ada", &history, end), None);
        assert_eq!(
            until(&history[0], "ada", &history, end),
            Some(Time::from_millis(end)),
            "the later move was undone"
        );
        let history = [event(8, "noted")];
        assert_eq!(until(&history[0], "ada", &history, end), None);
        let replied = event(9, "replied");
        let end = 1_000_000 + EMAIL_DELAY_MS;
        let history = [replied.clone()];
        assert_eq!(
            until(&replied, "ada", &history, end),
            Some(Time::from_millis(end))
        );
        assert_eq!(until(&replied, "ada", &history, end + 1), None);
    }
}

//! Events: the history of a request.

use super::account::Metadata;
use super::clock::Time;
use super::request::RequestKind;

/// How long one's own last change can be undone, in milliseconds.
pub const UNDO_MS: i64 = 60_000;

/// How long a reply waits before it is sent, so that it can be undone, in milliseconds.
pub const REPLY_DELAY_MS: i64 = 10_000;

/// What happened to a request. `received` is not stored: it is the request's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number; later events have higher ones.
    pub id: i64,
    /// The request's `seq`.
    pub seq: i64,
    /// The request's kind.
    pub kind: RequestKind,
    /// When it happened.
    pub at: Time,
    /// The user id of who did it; `None` for the server.
    pub actor: Option<String>,
    /// That user's address now.
    pub actor_email: Option<String>,
    /// What was done.
    pub verb: String,
    /// From what to what.
    pub detail: Metadata,
}

impl Event {
    /// What this event changed, or changed back: `moved`, `assigned`, `called` …
    pub fn subject(&self) -> &str {
        match self.verb.as_str() {
            "undone" => self.detail.get("verb").and_then(|verb| verb.as_str()),
            verb => Some(verb),
        }
        .unwrap_or_default()
    }

    /// Until when `user` can undo this event, the newest one of its subject in `history`.
    pub fn undoable_until(&self, user: &str, history: &[Self], now: Time) -> Option<Time> {
        let time = match self.verb.as_str() {
            "replied" => REPLY_DELAY_MS,
            _ => UNDO_MS,
        };
        let until = self.at.plus_millis(time);
        let is_own = self.actor.as_deref() == Some(user);
        let is_reversible = matches!(
            self.verb.as_str(),
            "moved" | "assigned" | "called" | "replied" | "discarded"
        );
        let mut same = history
            .iter()
            .filter(|other| other.subject() == self.subject());
        let is_last = same.all(|other| other.id <= self.id);
        (is_own && is_reversible && is_last && now <= until).then_some(until)
    }
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
            actor: Some("ada".into()),
            actor_email: None,
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
        assert_eq!(until(&moved, "ada", &[moved.clone(), undone], end), None);
        let history = [event(8, "noted")];
        assert_eq!(until(&history[0], "ada", &history, end), None);
        let replied = event(9, "replied");
        let end = 1_000_000 + REPLY_DELAY_MS;
        let history = [replied.clone()];
        assert_eq!(
            until(&replied, "ada", &history, end),
            Some(Time::from_millis(end))
        );
        assert_eq!(until(&replied, "ada", &history, end + 1), None);
    }
}

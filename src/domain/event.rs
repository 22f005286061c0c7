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

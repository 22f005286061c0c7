//! Events for open dashboards: changes of requests and of the site's content, and which admins have
//! a request open. An event
//! becomes one frame of `text/event-stream` (HTML Living Standard, section 9.2).

use bytes::Bytes;
use serde::Serialize;

/// A committed change of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveChange {
    /// The request's id.
    pub id: String,
    /// `quote` or `message`.
    pub kind: &'static str,
    /// `received`, the verb of the event in the request's history, or `delivery` if one of its
    /// emails was delivered, has failed, or waits for another attempt.
    pub verb: String,
    /// The admin who made it; `None` for a visitor or the program.
    pub actor_id: Option<String>,
    /// To whom it was assigned by this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee_id: Option<String>,
    /// Who is reminded of it by this change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reminds_id: Option<String>,
    /// Whether its visitor has asked for a call right away; only true is sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub emergency: bool,
    /// Its current status.
    pub status: String,
}

/// The admins who have a request open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Presence {
    /// The request's id.
    pub request: String,
    /// Each admin once, in order of their ids.
    pub people: Vec<Viewer>,
}

/// An admin as other admins see them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Viewer {
    /// The user's id.
    pub id: String,
    /// The email address, if the account has one.
    pub email: Option<String>,
    /// The display name, if there is one.
    pub name: Option<String>,
    /// Whether they are writing a reply.
    pub replying: bool,
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The access token has expired; the client reconnects with the next one.
    Token,
    /// The session has ended, or its user is no longer an admin.
    Session,
    /// The server shuts down; the client reconnects later.
    Shutdown,
}

/// An event of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveEvent {
    /// A request has changed.
    Change(LiveChange),
    /// The people who have a request open have changed.
    Presence(Presence),
    /// A draft of the site's content was saved or discarded, or a version was published.
    Site,
    /// An email of a person came that belongs to no request.
    Email,
    /// Changes were missed or are too many; the client must resync.
    Resync,
    /// The stream ends.
    End(End),
}

impl LiveEvent {
    /// Whether it is news for one person: a request was assigned, or a reminder is due.
    pub const fn is_for_one(&self) -> bool {
        matches!(self, Self::Change(change)
            if change.assignee_id.is_some() || change.reminds_id.is_some())
    }

    /// The event as a frame of the stream. `number` is its position in the feed; a frame without
    /// one keeps the client's `Last-Event-ID`.
    pub fn frame(&self, number: Option<u64>) -> Bytes {
        let (name, data) = match self {
            Self::Change(change) => ("change", json(change)),
            Self::Presence(presence) => ("presence", json(presence)),
            Self::Site => ("site", "{}".to_owned()),
            Self::Email => ("email", "{}".to_owned()),
            Self::Resync => ("resync", "{}".to_owned()),
            Self::End(reason) => ("end", json(&EndData { reason: *reason })),
        };
        let id = number.map(|number| format!("id: {number}\n"));
        let id = id.unwrap_or_default();
        format!("{id}event: {name}\ndata: {data}\n\n").into()
    }
}

#[derive(Serialize)]
struct EndData {
    reason: End,
}

/// JSON on one line: serde escapes line breaks, which would end the frame.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

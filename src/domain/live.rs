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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_written_as_frames_of_an_event_stream() {
        let change = LiveChange {
            id: "0199".into(),
            kind: "quote",
            verb: "moved".into(),
            actor_id: None,
            assignee_id: None,
            reminds_id: None,
            emergency: false,
            status: "in_progress".into(),
        };
        let reminder = LiveChange {
            verb: "follow_up_due".into(),
            reminds_id: Some("7".into()),
            emergency: true,
            ..change.clone()
        };
        let presence = Presence {
            request: "0199".into(),
            people: vec![Viewer {
                id: "7".into(),
                email: Some("a\n@guard.example".into()),
                name: None,
                replying: true,
            }],
        };
        for (event, number, frame) in [
            (
                LiveEvent::Change(change),
                Some(12),
                "id: 12\nevent: change\ndata: \
                 {\"id\":\"0199\",\"kind\":\"quote\",\"verb\":\"moved\",\
                 \"actor_id\":null,\"status\":\"in_progress\"}\n\n",
            ),
            (
                LiveEvent::Change(reminder),
                Some(13),
                "id: 13\nevent: change\ndata: \
                 {\"id\":\"0199\",\"kind\":\"quote\",\"verb\":\"follow_up_due\",\
                 \"actor_id\":null,\"reminds_id\":\"7\",\"emergency\":true,\
                 \"status\":\"in_progress\"}\n\n",
            ),
            (
                LiveEvent::Presence(presence),
                None,
                "event: presence\ndata: {\"request\":\"0199\",\"people\":[{\"id\":\"7\",\
                 \"email\":\"a\\n@guard.example\",\"name\":null,\"replying\":true}]}\n\n",
            ),
            (
                LiveEvent::Resync,
                Some(1),
                "id: 1\nevent: resync\ndata: {}\n\n",
            ),
            (LiveEvent::Site, Some(2), "id: 2\nevent: site\ndata: {}\n\n"),
            (
                LiveEvent::Email,
                Some(3),
                "id: 3\nevent: email\ndata: {}\n\n",
            ),
            (
                LiveEvent::End(End::Token),
                None,
                "event: end\ndata: {\"reason\":\"token\"}\n\n",
            ),
        ] {
            assert_eq!(event.frame(number), frame);
        }
    }
}

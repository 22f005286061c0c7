//! What a customer has written is set aside: a person says that it needs no answer.

use super::{ChangedRequest, changed};
use crate::accounts::actor::Actor;
use crate::request::writes::record;
use crate::request::{requests, waits};
use crate::{Result, Store};
use domain::clock::Time;
use domain::request::event::{Event, Nothing};

impl Store {
    /// Records that the messages of a request need no answer. Does nothing if none waits. Errors:
    /// `Missing` for an unknown request.
    pub async fn set_aside(&self, id: String, by: Actor, now: Time) -> Result<ChangedRequest> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            let mut event = None;
            if waits::of_request(conn, request.seq)?
                .newest_unanswered
                .is_some()
            {
                event = Some(record(conn, &request, Event::SetAside(Nothing {}), by.at(now))?.id);
                waits::mark_opened(conn, request.seq, &by.user_id, now)?;
            }
            changed(conn, request.seq, event)
        })
        .await
    }
}

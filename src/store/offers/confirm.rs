//! Confirms acceptances, and puts them where a person sees them (`store/request/acceptances.rs`).

use rusqlite::Connection;

use super::offer::Offer;
use super::{read, send};
use crate::accounts::actor::Actor;
use crate::conversation::{matching, messages};
use crate::request::writes::record;
use crate::request::{acceptances, events};
use crate::{Error, Result, Store, conflict};
use domain::clock::Time;
use domain::offer::state::OfferState;
use domain::request::Request;
use domain::request::event::{Event, Moved, OfferVersion};
use domain::request::quote::Status;

impl Store {
    /// Confirms the acceptance of an offer: its posts are staffed. Does nothing if it is confirmed.
    /// Errors: `Missing` for an unknown offer or if its request was deleted; `Conflict` if it was
    /// not accepted.
    pub async fn confirm_offer(&self, number: String, by: Actor, now: Time) -> Result<Offer> {
        self.write(move |conn| {
            let offer = read::offer(conn, &number)?;
            let request = offer.request.as_ref().ok_or(Error::Missing)?;
            if offer.state(now) != OfferState::Accepted {
                return conflict("This offer was not accepted, so there is nothing to confirm.");
            }
            if acceptances::confirm(
                conn,
                request.seq,
                Some(&number),
                events::next_id(conn, now)?,
            )? > 0
            {
                let event = Event::OfferConfirmed(OfferVersion {
                    number: number.clone(),
                    version: offer.version,
                });
                record(conn, request, event, by.at(now))?;
                send::touch(conn, &number, now)?;
            }
            read::offer(conn, &number)
        })
        .await
    }
}

/// Accepts the request of an offer that was accepted, as the specification's Accept does. What the
/// customer has accepted needs attention, and a request that was closed is opened again.
pub(super) fn announce(
    conn: &Connection,
    request: &Request,
    number: &str,
    is_by_customer: bool,
    now: Time,
) -> Result<()> {
    let shown = matching::shown_in(conn, request.seq)?;
    if shown.held.is_some() {
        return Ok(());
    }
    if shown.status == Status::Pending {
        let moved = Moved {
            offer: Some(number.to_owned()),
            ..Moved::plain(shown.status, Status::InProgress)
        };
        messages::put_in_progress(conn, &shown, moved, now)?;
    }
    if !is_by_customer {
        return Ok(());
    }
    messages::reopen(conn, &shown, "The customer has accepted an offer.", now)
}

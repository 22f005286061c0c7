//! Changes of requests: moves and assignments, of one or of many. Each change writes its event in
//! the same transaction; a refused one changes nothing.

pub mod bulk_part;
pub mod corrections;
pub(crate) mod edits;
pub mod follow_ups;
pub(crate) mod merges;
pub mod outcomes;
pub(crate) mod quoting;
pub(crate) mod set_aside;
pub mod undo;

use domain::account::Person;
use rusqlite::Connection;

use crate::accounts::actor::Actor;
use crate::accounts::roles;
use crate::lists::filter::{Assignee, Hidden, RequestFilter};
use crate::lists::selection::Selection;
use crate::request::columns::read_request;
use crate::request::writes::{Origin, move_to, record, set};
use crate::request::{events, requests};
use crate::search::index;
use crate::{Error, Result, Store, existing};
use domain::clock::Time;
use domain::request::Request;
use domain::request::event::{Assigned, Event, Moved};
use domain::request::quote::Status;

/// A change. Parts that are `None` stay unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestUpdate {
    pub status: Option<Status>,
    pub assign: Option<Assign>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assign {
    /// The caller, unless another admin has taken the request.
    Take,
    /// This user, regardless of the current assignee.
    To(String),
    /// Unassigned.
    Release,
    /// The caller, if no admin has it; part of the event of the move, and undone with it.
    IfNobody,
}

/// Why a change was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not a legal move from the current status.
    Move {
        /// The current status.
        present: Status,
    },
    /// Another admin has taken the request.
    Taken(Person),
    /// There is no admin with this id.
    UnknownPerson,
    /// The request is held as spam.
    Held,
    /// The request is completed or cancelled.
    Closed,
    /// The request is neither completed nor cancelled.
    Open,
    /// An unreached emergency cannot wait that long.
    EmergencyWaits,
    /// A field has another value than the editor has seen.
    Edited {
        field: &'static str,
        present: String,
    },
    /// Neither a phone number nor an email address would remain. `field` was removed.
    Unreachable { field: &'static str },
}

/// A changed request, and the event of its change; `None` if nothing was changed.
#[derive(Clone, Debug)]
pub struct ChangedRequest {
    /// Its current state.
    pub request: Box<Request>,
    /// The id of the last event.
    pub event: Option<i64>,
}

pub type Changed<T = ChangedRequest> = std::result::Result<T, Refusal>;

#[derive(Clone, Debug, Default)]
pub struct BulkResult {
    /// The ids of the changed requests.
    pub changed: Vec<String>,
    pub refused: Vec<RefusedChange>,
    /// The number of the bulk change, to undo it; `None` if nothing was changed.
    pub bulk: Option<i64>,
}

/// A request that a bulk change has left as it is.
#[derive(Clone, Debug)]
pub struct RefusedChange {
    /// The id or reference, as given.
    pub id: String,
    /// The request and the reason; `None` if there is no such request.
    pub refusal: Option<(Box<Request>, Refusal)>,
}

impl Store {
    /// Changes a request, found by its id or reference. Errors: `Missing` for an unknown request.
    pub async fn change_request(
        &self,
        id: String,
        change: RequestUpdate,
        by: Actor,
        now: Time,
    ) -> Result<Changed> {
        self.write(move |conn| {
            let request = requests::find(conn, &id)?;
            change_one(conn, &request, &change, by.at(now))
        })
        .await
    }

    /// Changes many requests in one transaction. Refused ones are listed; the others are changed.
    /// `continued` is the number of an earlier bulk change of the same admin that this one
    /// continues: both are undone together. Errors: `Missing` if there is no such bulk change;
    /// otherwise the error of the database. Nothing is changed then.
    pub async fn change_requests(
        &self,
        ids: Vec<String>,
        continued: Option<i64>,
        change: RequestUpdate,
        by: Actor,
        now: Time,
    ) -> Result<BulkResult> {
        self.write(move |conn| {
            let bulk = match continued {
                Some(bulk) if events::is_bulk_of(conn, bulk, &by.user_id)? => bulk,
                Some(_) => return Err(Error::Missing),
                None => events::next_id(conn, now)?,
            };
            let origin = Origin {
                bulk: Some(bulk),
                ..by.at(now)
            };
            let mut result = BulkResult::default();
            for id in ids {
                let Some(request) = existing(requests::find(conn, &id))? else {
                    result.refused.push(RefusedChange { id, refusal: None });
                    continue;
                };
                match change_one(conn, &request, &change, origin)? {
                    Ok(changed) => result.changed.push(changed.request.id),
                    Err(why) => result.refused.push(RefusedChange {
                        id,
                        refusal: Some((Box::new(request), why)),
                    }),
                }
            }
            let is_any = continued.is_some() || !result.changed.is_empty();
            result.bulk = is_any.then_some(bulk);
            Ok(result)
        })
        .await
    }
}

/// Releases all requests of a user who leaves. Call it inside the `write` job that revokes the role
/// or deletes the account.
pub fn release_all(conn: &Connection, user_id: &str, now: Time) -> Result<()> {
    let filter = RequestFilter {
        assignee: Some(Assignee::User(user_id.to_owned())),
        ..RequestFilter::default()
    };
    for hidden in [Hidden::No, Hidden::Spam, Hidden::Duplicate] {
        let filter = RequestFilter {
            hidden,
            ..filter.clone()
        };
        let mut requests = Vec::new();
        Selection::of(&filter).each(conn, |row| {
            requests.push(read_request(row)?);
            Ok(true)
        })?;
        for request in requests {
            set(conn, &request, "assignee", None)?;
            let event = Event::Assigned(Assigned::of_ids(Some(user_id), None));
            events::add(conn, &request, None, &event, now)?;
        }
    }
    Ok(())
}

/// A request after a change, with the event of it.
pub(in crate::inbox) fn changed(
    conn: &Connection,
    seq: i64,
    event: Option<i64>,
) -> Result<ChangedRequest> {
    let request = Box::new(requests::by_seq(conn, seq)?);
    Ok(ChangedRequest { request, event })
}

/// Applies a change to one request, completely or not at all.
fn change_one(
    conn: &Connection,
    request: &Request,
    change: &RequestUpdate,
    origin: Origin<'_>,
) -> Result<Changed> {
    let Origin { by, now, .. } = origin;
    if request.held.is_some() {
        return Ok(Err(Refusal::Held));
    }
    if let Some(next) = change.status
        && !request.status.can_transition_to(next)
    {
        let present = request.status;
        return Ok(Err(Refusal::Move { present }));
    }
    let assignee = match new_assignee(conn, request, change.assign.as_ref(), by, now)? {
        Ok(assignee) => assignee,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut event = None;
    let takes = change.assign == Some(Assign::IfNobody) && request.assignee.is_none();
    if takes {
        set(conn, request, "assignee", assignee.as_deref())?;
    }
    if let Some(next) = change.status {
        let moved = Moved {
            assignee: assignee.clone().filter(|_| takes),
            ..Moved::plain(request.status, next)
        };
        event = Some(move_to(conn, request, moved, origin)?.id);
    }
    if assignee.as_deref() != request.assignee_id() && !takes {
        set(conn, request, "assignee", assignee.as_deref())?;
        set(conn, request, "updated_at", Some(&now.to_string()))?;
        let assigned = Assigned::of_ids(request.assignee_id(), assignee.as_deref());
        event = Some(record(conn, request, Event::Assigned(assigned), origin)?.id);
    }
    if event.is_some() {
        index::reindex(conn, request.seq)?;
    }
    Ok(Ok(changed(conn, request.seq, event)?))
}

/// The assignee after a change.
fn new_assignee(
    conn: &Connection,
    request: &Request,
    assign: Option<&Assign>,
    by: &Actor,
    now: Time,
) -> Result<Changed<Option<String>>> {
    let user_id = match assign {
        None => return Ok(Ok(request.assignee_id().map(str::to_owned))),
        Some(Assign::Release) => return Ok(Ok(None)),
        Some(Assign::IfNobody) => {
            let taker = request.assignee_id().unwrap_or(&by.user_id);
            return Ok(Ok(Some(taker.to_owned())));
        }
        Some(Assign::Take) => match &request.assignee {
            Some(other) if other.id != by.user_id => {
                return Ok(Err(Refusal::Taken(other.clone())));
            }
            _ => &by.user_id,
        },
        Some(Assign::To(user_id)) => user_id,
    };
    Ok(match roles::active(conn, user_id, now)? {
        Some(_) => Ok(Some(user_id.clone())),
        None => Err(Refusal::UnknownPerson),
    })
}

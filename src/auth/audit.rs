//! Audit rows in the words of the service. Details are ids, counts and kinds: never a password, code, token or address in clear.

use serde_json::{Value, json};

use super::error::{Error, Kind, Result};
use super::{Auth, Caller};
use crate::domain::account::{EmailAddress, Metadata};
use crate::domain::clock::Time;
use crate::store::{self, Connection};

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A user, by id.
    User(&'a str),
    /// Somebody at the host's command line.
    Operator,
    /// Somebody who has not proved to be anybody.
    Stranger,
}

/// The same, to take along into a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedActor(Option<String>);

impl OwnedActor {
    /// As it was.
    pub fn borrow(&self) -> Actor<'_> {
        match &self.0 {
            Some(id) => Actor::User(id),
            None => Actor::Operator,
        }
    }
}

impl Actor<'_> {
    /// To take along into a transaction. A stranger never gets that far.
    #[must_use]
    pub fn to_owned(self) -> OwnedActor {
        match self {
            Self::User(id) => OwnedActor(Some(id.to_owned())),
            Self::Operator | Self::Stranger => OwnedActor(None),
        }
    }

    fn word(&self) -> &str {
        match self {
            Self::User(id) => id,
            Self::Operator => "operator",
            Self::Stranger => "stranger",
        }
    }
}

/// Writes one row, in the transaction of what it tells.
///
/// # Errors
/// What the store says.
pub fn record(
    conn: &Connection,
    action: &str,
    actor: Actor<'_>,
    subject_id: Option<&str>,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    write(conn, action, actor, (subject_id, None), detail, now)
}

/// Writes one row of what a client did; `client` is the keyed hash of its address.
///
/// # Errors
/// What the store says.
pub fn record_from(
    conn: &Connection,
    client: &str,
    action: &str,
    actor: Actor<'_>,
    subject_id: Option<&str>,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    write(conn, action, actor, (subject_id, Some(client)), detail, now)
}

fn write(
    conn: &Connection,
    action: &str,
    actor: Actor<'_>,
    (subject_id, client): (Option<&str>, Option<&str>),
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    let detail: Metadata = detail
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    let entry = store::audit::Entry {
        action,
        actor: actor.word(),
        subject_id,
        client,
        detail: &detail,
    };
    store::audit::record(conn, &entry, now)?;
    Ok(())
}

/// Records a failed sign-in. `subject_id` is the user's id or `subject_of` the address typed; none where the request names nobody. `code` is the refusal's.
///
/// # Errors
/// What the store says.
pub(super) fn record_failure(
    conn: &Connection,
    from: &Caller,
    subject_id: Option<&str>,
    method: &str,
    code: &str,
    now: Time,
) -> Result<()> {
    let detail = [("method", json!(method)), ("code", json!(code))];
    record_from(
        conn,
        &from.client,
        "sign_in_failed",
        Actor::Stranger,
        subject_id,
        &detail,
        now,
    )
}

/// Passes `outcome` on; a refusal is recorded as a failed sign-in. Being busy and asking too often say nothing about who asks, and a flood must not fill the table.
///
/// # Errors
/// Those of `outcome`; what the store says.
pub(super) fn noted<T>(
    conn: &Connection,
    outcome: Result<T>,
    from: &Caller,
    subject_id: Option<&str>,
    method: &str,
    now: Time,
) -> Result<T> {
    if let Some(code) = refused_with(&outcome) {
        record_failure(conn, from, subject_id, method, code, now)?;
    }
    outcome
}

fn refused_with<T>(outcome: &Result<T>) -> Option<&'static str> {
    match outcome {
        Err(Error::Refused(refusal)) => match refusal.kind {
            Kind::Busy | Kind::RateLimited(_) => None,
            _ => Some(refusal.code),
        },
        _ => None,
    }
}

impl Auth {
    /// The same outside of a transaction.
    pub(super) async fn noted<T>(
        &self,
        outcome: Result<T>,
        from: &Caller,
        subject_id: Option<&str>,
        method: &str,
        now: Time,
    ) -> Result<T> {
        if let Some(code) = refused_with(&outcome) {
            let (from, method) = (from.clone(), method.to_owned());
            let subject_id = subject_id.map(str::to_owned);
            self.write(move |conn| {
                record_failure(conn, &from, subject_id.as_deref(), &method, code, now)
            })
            .await?;
        }
        outcome
    }

    /// Whom a sign-in is about: the user's id, or the keyed hash of an address that no user has.
    pub(super) fn subject_of(
        &self,
        user_id: Option<&str>,
        email: &EmailAddress,
        now: Time,
    ) -> String {
        match user_id {
            Some(id) => id.to_owned(),
            None => {
                let parts = [email.as_str().as_bytes()];
                self.keys.ring(now).digest("audited-address", &parts)
            }
        }
    }
}

//! Audit rows. Details contain ids, counts and kinds: never a password, code, token or plain
//! address.

use serde_json::{Value, json};

use super::error::{Error, Kind, Result};
use super::{Auth, ClientInfo};
use domain::account::Metadata;
use domain::clock::Time;
use domain::email::email_address::EmailAddress;
use store::{self, Connection};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A user, by id.
    User(&'a str),
    /// The operator at the command line.
    Operator,
    /// An unauthenticated client.
    Anonymous,
}

impl Actor<'_> {
    fn as_str(&self) -> &str {
        match self {
            Self::User(id) => id,
            Self::Operator => "operator",
            Self::Anonymous => "stranger",
        }
    }
}

/// Writes one audit row in the caller's transaction.
pub fn record(
    conn: &Connection,
    action: &str,
    actor: Actor<'_>,
    subject_id: Option<&str>,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    write(conn, action, actor, subject_id, None, detail, now)
}

/// Writes one audit row of what users do to their own account.
pub(super) fn record_own(
    conn: &Connection,
    action: &str,
    user_id: &str,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    record(
        conn,
        action,
        Actor::User(user_id),
        Some(user_id),
        detail,
        now,
    )
}

/// Writes one audit row with the client.
pub(super) fn record_from(
    conn: &Connection,
    from: &ClientInfo,
    action: &str,
    actor: Actor<'_>,
    subject_id: Option<&str>,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    let client = Some(from.client.as_str());
    write(conn, action, actor, subject_id, client, detail, now)
}

/// As `record_own`, with the client.
pub(super) fn record_own_from(
    conn: &Connection,
    from: &ClientInfo,
    action: &str,
    user_id: &str,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    record_from(
        conn,
        from,
        action,
        Actor::User(user_id),
        Some(user_id),
        detail,
        now,
    )
}

fn write(
    conn: &Connection,
    action: &str,
    actor: Actor<'_>,
    subject_id: Option<&str>,
    client: Option<&str>,
    detail: &[(&str, Value)],
    now: Time,
) -> Result<()> {
    let detail: Metadata = detail
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    let entry = store::accounts::audit::Entry {
        action,
        actor: actor.as_str(),
        subject_id,
        client,
        detail: &detail,
    };
    store::accounts::audit::record(conn, &entry, now)?;
    Ok(())
}

/// Records a sign-in of a user by `method`.
pub(super) fn record_sign_in(
    conn: &Connection,
    from: &ClientInfo,
    user_id: &str,
    method: &str,
    now: Time,
) -> Result<()> {
    let detail = [("method", json!(method))];
    record_own_from(conn, from, "sign_in", user_id, &detail, now)
}

/// Records a failed sign-in. `subject_id` is the user's id or `subject_of` the given address;
/// `None` if the request names no user. `code` is the error code.
pub(super) fn record_failure(
    conn: &Connection,
    from: &ClientInfo,
    subject_id: Option<&str>,
    method: &str,
    code: &str,
    now: Time,
) -> Result<()> {
    let detail = [("method", json!(method)), ("code", json!(code))];
    let actor = Actor::Anonymous;
    record_from(
        conn,
        from,
        "sign_in_failed",
        actor,
        subject_id,
        &detail,
        now,
    )
}

/// Returns `outcome` and records a rejection as a failed sign-in. `Busy` and `RateLimited` are not
/// recorded: they say nothing about the client, and a flood must not fill the table.
pub(super) fn audit_outcome<T>(
    conn: &Connection,
    outcome: Result<T>,
    from: &ClientInfo,
    subject_id: Option<&str>,
    method: &str,
    now: Time,
) -> Result<T> {
    if let Some(code) = rejection_code(&outcome) {
        record_failure(conn, from, subject_id, method, code, now)?;
    }
    outcome
}

fn rejection_code<T>(outcome: &Result<T>) -> Option<&'static str> {
    match outcome {
        Err(Error::Rejected(error)) => match error.kind {
            Kind::Busy | Kind::RateLimited(_) => None,
            _ => Some(error.code),
        },
        _ => None,
    }
}

impl Auth {
    /// The same outside of a transaction.
    pub(super) async fn audit_outcome<T>(
        &self,
        outcome: Result<T>,
        from: &ClientInfo,
        subject_id: Option<&str>,
        method: &str,
        now: Time,
    ) -> Result<T> {
        if let Some(code) = rejection_code(&outcome) {
            let (from, method) = (from.clone(), method.to_owned());
            let subject_id = subject_id.map(str::to_owned);
            self.write(move |conn| {
                record_failure(conn, &from, subject_id.as_deref(), &method, code, now)
            })
            .await?;
        }
        outcome
    }

    /// The subject of a sign-in: the user's id, or the keyed hash of an unknown address.
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

//! Audit rows in the words of the service. Details are ids, counts and kinds: never a password, code, token or address in clear.

use serde_json::Value;

use super::error::Result;
use crate::domain::account::Facts;
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
    let detail: Facts = detail
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect();
    store::audit::record(conn, action, actor.word(), subject_id, &detail, now)?;
    Ok(())
}

//! Audit rows. Details contain ids, counts and kinds: never a password, code, token or plain
//! address.

use serde_json::{Value, json};

use super::error::{Error, Kind, Result};
use super::{Auth, ClientInfo, Transaction};
use domain::email::email_address::EmailAddress;

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
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::User(id) => id,
            Self::Operator => "operator",
            Self::Anonymous => "stranger",
        }
    }
}

impl Transaction<'_> {
    /// Writes one audit row.
    pub fn record(
        &self,
        action: &str,
        actor: Actor<'_>,
        subject_id: Option<&str>,
        detail: &[(&str, Value)],
    ) -> Result<()> {
        self.record_from(None, action, actor, subject_id, detail)
    }

    /// Writes one audit row of what users do to their own account.
    pub(super) fn record_own(
        &self,
        action: &str,
        user_id: &str,
        detail: &[(&str, Value)],
    ) -> Result<()> {
        self.record(action, Actor::User(user_id), Some(user_id), detail)
    }

    /// As `record_own`, with the client.
    pub(super) fn record_own_from(
        &self,
        from: &ClientInfo,
        action: &str,
        user_id: &str,
        detail: &[(&str, Value)],
    ) -> Result<()> {
        let (actor, subject) = (Actor::User(user_id), Some(user_id));
        self.record_from(from, action, actor, subject, detail)
    }

    /// As `record`, with the client, if it is known.
    pub(super) fn record_from<'a>(
        &self,
        from: impl Into<Option<&'a ClientInfo>>,
        action: &str,
        actor: Actor<'_>,
        subject_id: Option<&str>,
        detail: &[(&str, Value)],
    ) -> Result<()> {
        let detail = detail.iter();
        let detail = detail.map(|(key, value)| ((*key).to_owned(), value.clone()));
        let entry = store::accounts::audit::Entry {
            action,
            actor: actor.as_str(),
            subject_id,
            client: from.into().map(|from| from.client.as_str()),
            detail: &detail.collect(),
        };
        Ok(store::accounts::audit::record(self.conn, &entry, self.now)?)
    }

    /// Records a sign-in of a user by `method`.
    pub(super) fn record_sign_in(
        &self,
        from: &ClientInfo,
        user_id: &str,
        method: &str,
    ) -> Result<()> {
        let detail = [("method", json!(method))];
        self.record_own_from(from, "sign_in", user_id, &detail)
    }

    /// Records a failed sign-in. `subject_id` is the user's id or `subject_of` the given address;
    /// `None` if the request names no user. `code` is the error code.
    pub(super) fn record_failure(
        &self,
        from: &ClientInfo,
        subject_id: Option<&str>,
        method: &str,
        code: &str,
    ) -> Result<()> {
        let detail = [("method", json!(method)), ("code", json!(code))];
        self.record_from(
            from,
            "sign_in_failed",
            Actor::Anonymous,
            subject_id,
            &detail,
        )
    }

    /// Returns `outcome` and records a rejection as a failed sign-in. `Busy` and `RateLimited` are
    /// not recorded: they say nothing about the client, and a flood must not fill the table.
    pub(super) fn audit_outcome<T>(
        &self,
        outcome: Result<T>,
        from: &ClientInfo,
        subject_id: Option<&str>,
        method: &str,
    ) -> Result<T> {
        if let Some(code) = rejection_code(&outcome) {
            self.record_failure(from, subject_id, method, code)?;
        }
        outcome
    }

    /// The subject of a sign-in: the user's id, or the keyed hash of an unknown address.
    pub(super) fn subject_of(&self, user_id: Option<&str>, email: &EmailAddress) -> String {
        let address = [email.as_str().as_bytes()];
        let of_address = || self.keys.ring(self.now).digest("audited-address", &address);
        user_id.map_or_else(of_address, str::to_owned)
    }
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
    /// `Transaction::audit_outcome`, outside of a transaction.
    pub(super) async fn audit_outcome<T>(
        &self,
        outcome: Result<T>,
        from: &ClientInfo,
        subject_id: Option<&str>,
        method: &str,
    ) -> Result<T> {
        if let Some(code) = rejection_code(&outcome) {
            let (from, method) = (from.clone(), method.to_owned());
            let subject_id = subject_id.map(str::to_owned);
            self.change(move |tx| tx.record_failure(&from, subject_id.as_deref(), &method, code))
                .await?;
        }
        outcome
    }
}

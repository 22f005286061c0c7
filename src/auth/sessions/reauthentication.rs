//! Proving again who uses a session, by the password or by an emailed code. A second factor does
//! the same by `verify_factor`.

use serde_json::json;

use super::session::add_amr;
use crate::error::{AuthError, Result, reject};
use crate::throttle::Permit;
use crate::{Auth, ClientInfo, SignedInUser, Transaction};
use store::accounts::sessions;

/// The proof that the user has entered.
pub enum Proof {
    /// The account's password.
    Password(String),
    /// The code that `Auth::reauthenticate` has emailed.
    EmailedCode(String),
}

impl Auth {
    /// Adds a proof to the caller's session, which counts as a recent sign-in then. Wrong ones are
    /// counted as at sign-in. Errors: `current_password_mismatch`, `reauthentication_not_valid`,
    /// `over_request_rate_limit`, `session_not_found`.
    pub async fn reauthenticate_session(
        &self,
        from: ClientInfo,
        caller: SignedInUser,
        proof: Proof,
    ) -> Result<()> {
        self.ip_limiter.check(&from)?;
        let (permit, code) = match proof {
            Proof::Password(password) => (
                self.verify_own_password(&from, &caller, &password).await?,
                None,
            ),
            Proof::EmailedCode(code) => (None, Some(code)),
        };
        self.change(move |tx| {
            let caller = caller.reload(tx)?;
            if let Some(permit) = permit {
                permit.refund(tx.conn)?;
            }
            let method = match &code {
                Some(code) => {
                    tx.consume_nonce(&from, &caller.user, code)?;
                    "otp"
                }
                None => "password",
            };
            add_proof(tx, &from, &caller, method)
        })
        .await
    }

    /// The permit of a counted attempt at the caller's password, if it is right.
    async fn verify_own_password(
        &self,
        from: &ClientInfo,
        caller: &SignedInUser,
        password: &str,
    ) -> Result<Option<Permit>> {
        let (hash, permit) = self.acquire_password_permit(from, &caller.user).await?;
        if hash.is_some() && self.hasher.verify(password, hash.as_deref()).await? {
            return Ok(permit);
        }
        let wrong = reject(AuthError::WRONG_PASSWORD);
        let subject = Some(caller.user.id.as_str());
        self.audit_outcome(wrong, from, subject, "reauthentication")
            .await
    }
}

fn add_proof(
    tx: &Transaction<'_>,
    from: &ClientInfo,
    caller: &SignedInUser,
    method: &str,
) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    let mut session = caller.session.clone();
    add_amr(&mut session, method, now);
    sessions::update(conn, &session)?;
    let (id, detail) = (&caller.user.id, [("method", json!(method))]);
    tx.record_own_from(from, "reauthenticated", id, &detail)
}

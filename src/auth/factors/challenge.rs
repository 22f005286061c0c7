//! Second factor challenges: issuing one, verifying the code and stepping the session up to AAL2. A
//! code works once, and wrong codes are rate limited. `totp.rs` computes the codes.

use serde_json::json;

use super::{own_factor, totp};
use crate::error::{AuthError, Kind, Result, reject};
use crate::sessions::session::{Grant, add_amr};
use crate::throttle::SecretKind;
use crate::{Auth, ClientInfo, SignedInUser, Transaction};
use domain::account::{Aal, Factor};
use domain::clock::Time;
use domain::ids;
use store::accounts::{factors, rate_buckets, sessions};

/// Lifetime of a challenge in seconds.
pub(crate) const CHALLENGE_SECONDS: i64 = 300;

/// A challenge of a factor.
pub struct Challenge {
    pub id: String,
    pub expires_at: Time,
}

impl Auth {
    /// Starts a challenge for a factor. Errors: 404 `mfa_factor_not_found`, 403
    /// `insufficient_aal`.
    pub async fn challenge(
        &self,
        from: ClientInfo,
        caller: SignedInUser,
        factor_id: String,
    ) -> Result<Challenge> {
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let caller = caller.reload(tx)?;
            usable_factor(&caller, &factor_id, now)?;
            let (id, expires_at) = (
                ids::new(now).to_string(),
                now.plus_seconds(CHALLENGE_SECONDS),
            );
            factors::challenge(conn, &id, &factor_id, &from.client, now, expires_at)?;
            Ok(Challenge { id, expires_at })
        })
        .await
    }

    /// Verifies the code: marks the factor as verified, steps the session up to AAL2 with new
    /// tokens, and ends the user's AAL1 sessions. Errors: `mfa_verification_failed`,
    /// `mfa_factor_not_found`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`,
    /// `over_request_rate_limit`; 403 `insufficient_aal` for an unverified factor if the user has a
    /// verified one that this session has not used.
    pub async fn verify_factor(
        &self,
        from: ClientInfo,
        caller: SignedInUser,
        factor_id: String,
        challenge_id: String,
        code: String,
    ) -> Result<Grant> {
        self.ip_limiter.check(&from)?;
        if challenge_id.is_empty() || code.is_empty() {
            return reject(AuthError::validation("challenge_id and code are needed"));
        }
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let caller = caller.reload(tx)?;
            let factor = usable_factor(&caller, &factor_id, now)?;
            check_challenge(tx, &from, factor, &challenge_id)?;
            let id = &caller.user.id;
            let permit = tx.acquire_permit(SecretKind::Factor, id, Some(id), &from)?;
            let step = match tx.matching_step(factor, &code)? {
                Ok(step) => step,
                Err(reasons) => {
                    tx.record_own_from(&from, "factor_failed", id, &[])?;
                    let error = AuthError::WRONG_FACTOR_CODE;
                    return reject(AuthError { reasons, ..error });
                }
            };
            permit.refund(conn)?;
            factors::use_challenge(conn, &challenge_id, now)?;
            factors::accept_step(conn, &factor.id, step, now)?;
            factors::delete_unverified(conn, id)?;
            if !factor.is_verified() {
                let detail = [("factor_id", json!(factor.id))];
                tx.record_own("factor_enrolled", id, &detail)?;
            }
            tx.step_up(&from, &caller, Some(&factor.id), "totp")
        })
        .await
    }
}

impl Transaction<'_> {
    /// The time step of a correct code that is later than the last accepted step, or why there is
    /// none: `used`, or no reason for a wrong code. Codes are made by other machines; a last step
    /// beyond every step that is possible now was accepted before this machine's clock was set
    /// back.
    fn matching_step(&self, factor: &Factor, code: &str) -> Result<Result<i64, Vec<&'static str>>> {
        let Transaction { conn, now, .. } = *self;
        let secret = factors::secret(conn, &factor.id)?;
        let (sealed, last) = (&secret.sealed, secret.last_step);
        let machine = self.clock.machine();
        let step = totp::step(&self.keys.ring(now), &factor.id, sealed, code, machine)?;
        Ok(match step {
            Some(step) if step > last || last > totp::last_step(machine) => Ok(step),
            Some(_) => Err(vec!["used"]),
            None => Err(Vec::new()),
        })
    }

    /// Steps the caller's session up to AAL2. Refresh tokens issued before never yield it.
    pub(crate) fn step_up(
        &self,
        from: &ClientInfo,
        caller: &SignedInUser,
        factor_id: Option<&str>,
        method: &str,
    ) -> Result<Grant> {
        let Transaction { conn, now, .. } = *self;
        let mut session = caller.session.clone();
        session.aal = Aal::Aal2;
        session.factor_id = factor_id.map(str::to_owned);
        add_amr(&mut session, method, now);
        self.outdate_refresh_tokens(&mut session)?;
        sessions::update(conn, &session)?;
        sessions::end_others_at_aal1(conn, &caller.user.id, &session.id)?;
        rate_buckets::record_known_client(conn, &caller.user.id, &from.client, now)?;
        let id = &caller.user.id;
        let detail = [("method", json!(method))];
        self.record_own_from(from, "second_factor_verified", id, &detail)?;
        self.grant(&session)
    }
}

/// The caller's factor that may step the session up. If the user has a verified factor, an
/// unverified one counts only in a session that has used the verified one.
fn usable_factor<'a>(caller: &'a SignedInUser, factor_id: &str, now: Time) -> Result<&'a Factor> {
    let factor = own_factor(caller, factor_id, now)?;
    if !factor.is_verified() {
        caller.require_second_factor(Kind::Forbidden)?;
    }
    Ok(factor)
}

fn check_challenge(
    tx: &Transaction<'_>,
    from: &ClientInfo,
    factor: &Factor,
    id: &str,
) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    let challenge = factors::challenge_by_id(conn, id)?;
    match challenge.filter(|challenge| challenge.factor_id == factor.id) {
        None => reject(AuthError::CHALLENGE_NOT_FOUND),
        Some(challenge) if challenge.used || challenge.client != from.client => {
            reject(AuthError::MFA_IP_ADDRESS_MISMATCH)
        }
        Some(challenge) if challenge.expires_at <= now => reject(AuthError::MFA_CHALLENGE_EXPIRED),
        Some(_) => Ok(()),
    }
}

//! A second factor asked for and shown: the session rises to the second level. A code counts once and wrong ones are counted; the codes themselves are `totp.rs`.

use serde_json::json;

use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::factors::own_factor;
use super::refresh::prove;
use super::session::{Grant, insufficient, no_session};
use super::throttle::{Guess, Permit, Secret};
use super::{Auth, Caller, SignedInUser, totp};
use crate::domain::account::{Aal, Factor};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::{Connection, factors, rate_buckets, sessions};

/// Seconds for which a challenge waits.
pub(super) const CHALLENGE_SECONDS: i64 = 300;

impl Auth {
    /// Asks for a code of a factor; returns the challenge's id and end.
    ///
    /// # Errors
    /// 404 `mfa_factor_not_found`, 403 `insufficient_aal`.
    pub async fn challenge(
        &self,
        from: Caller,
        caller: SignedInUser,
        factor_id: String,
    ) -> Result<(String, Time)> {
        let now = self.clock.now();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            usable_factor(&caller, &factor_id, now)?;
            let (id, end) = (
                ids::new(now).to_string(),
                now.plus_seconds(CHALLENGE_SECONDS),
            );
            factors::challenge(conn, &id, &factor_id, &from.client, now, end)?;
            Ok((id, end))
        })
        .await
    }

    /// Takes the code: the factor is verified, the session rises to the second level with new tokens, and sessions below it end.
    ///
    /// # Errors
    /// `mfa_verification_failed`, `mfa_factor_not_found`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`, `over_request_rate_limit`; 403 `insufficient_aal`
    /// for a factor that was never verified, where the user has a verified one that this session has not shown.
    pub async fn verify_factor(
        &self,
        from: Caller,
        caller: SignedInUser,
        factor_id: String,
        challenge_id: String,
        code: String,
    ) -> Result<Grant> {
        self.shield.check(&from.client)?;
        if challenge_id.is_empty() || code.is_empty() {
            return reject(AuthError::validation("challenge_id and code are needed"));
        }
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            let factor = usable_factor(&caller, &factor_id, now)?;
            check_challenge(conn, &from, factor, &challenge_id, now)?;
            let charge = auth.charge_factor(conn, &from, &caller, now)?;
            let Some(step) = auth.matching_step(conn, factor, &code, now)? else {
                let id = &caller.user.id;
                record_wrong(conn, &from, id, now)?;
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "mfa_verification_failed",
                    "Invalid TOTP code entered",
                ));
            };
            charge.refund(conn)?;
            factors::use_challenge(conn, &challenge_id, now)?;
            factors::accept_step(conn, &factor.id, step, now)?;
            factors::delete_unverified(conn, &caller.user.id)?;
            if !factor.verified {
                let id = &caller.user.id;
                let detail = [("factor_id", json!(factor.id))];
                audit::record(
                    conn,
                    "factor_enrolled",
                    Actor::User(id),
                    Some(id),
                    &detail,
                    now,
                )?;
            }
            auth.rise(conn, &from, &caller, Some(&factor.id), "totp", now)
        })
        .await
    }

    /// Counts a guess at a second factor, of whatever kind.
    pub(super) fn charge_factor(
        &self,
        conn: &Connection,
        from: &Caller,
        caller: &SignedInUser,
        now: Time,
    ) -> Result<Permit> {
        let guess = Guess {
            secret: Secret::Factor,
            account: &caller.user.id,
            user_id: Some(&caller.user.id),
            client: &from.client,
        };
        self.charge(conn, guess, now)
    }

    /// The time step of a right code that is later than any accepted before. One accepted later
    /// than any step can be now was accepted before the clock was put back.
    fn matching_step(
        &self,
        conn: &Connection,
        factor: &Factor,
        code: &str,
        now: Time,
    ) -> Result<Option<i64>> {
        let (sealed, last) = factors::secret(conn, &factor.id)?;
        let step = totp::step(&self.keys.ring(now), &factor.id, &sealed, code, now)?;
        Ok(step.filter(|step| *step > last || last > totp::last_step(now)))
    }

    /// Lifts the caller's session to the second level. No refresh token given out before ever yields it.
    pub(super) fn rise(
        &self,
        conn: &Connection,
        from: &Caller,
        caller: &SignedInUser,
        factor_id: Option<&str>,
        method: &str,
        now: Time,
    ) -> Result<Grant> {
        let Some(mut session) = sessions::by_id(conn, &caller.session.id)? else {
            return reject(no_session());
        };
        session.aal = Aal::Aal2;
        session.factor_id = factor_id.map(str::to_owned);
        prove(&mut session, method, now);
        self.outdate_refresh_tokens(conn, &mut session, now)?;
        sessions::update(conn, &session)?;
        sessions::end_others_at_aal1(conn, &caller.user.id, &session.id)?;
        rate_buckets::record_known_client(conn, &caller.user.id, &from.client, now)?;
        let id = &caller.user.id;
        let detail = [("method", json!(method))];
        audit::record_from(
            conn,
            &from.client,
            "second_factor_shown",
            Actor::User(id),
            Some(id),
            &detail,
            now,
        )?;
        self.grant(conn, &session, now)
    }
}

/// Records a wrong code of a second factor or a wrong recovery code.
pub(super) fn record_wrong(
    conn: &Connection,
    from: &Caller,
    user_id: &str,
    now: Time,
) -> Result<()> {
    audit::record_from(
        conn,
        &from.client,
        "factor_failed",
        Actor::User(user_id),
        Some(user_id),
        &[],
        now,
    )
}

/// The caller's factor by which its session may rise. One that was never verified proves nothing where a verified one exists: whoever has shown that one may add
/// to it, nobody else.
fn usable_factor<'a>(caller: &'a SignedInUser, factor_id: &str, now: Time) -> Result<&'a Factor> {
    let factor = own_factor(caller, factor_id, now)?;
    if !factor.verified && caller.lacks_second_factor() {
        return reject(insufficient().with_kind(Kind::Forbidden));
    }
    Ok(factor)
}

fn check_challenge(
    conn: &Connection,
    from: &Caller,
    factor: &Factor,
    id: &str,
    now: Time,
) -> Result<()> {
    let say = |code, message: &'static str| AuthError::new(Kind::Unprocessable, code, message);
    match factors::challenge_by_id(conn, id)? {
        Some(challenge) if challenge.factor_id != factor.id => {}
        None => {}
        Some(challenge) if challenge.used || challenge.client != from.client => {
            return reject(say(
                "mfa_ip_address_mismatch",
                "Challenge and verify IP addresses mismatch",
            ));
        }
        Some(challenge) if challenge.expires_at <= now => {
            return reject(say(
                "mfa_challenge_expired",
                "MFA challenge has expired, verify against another challenge or create a new challenge.",
            ));
        }
        Some(_) => return Ok(()),
    }
    reject(say(
        "mfa_factor_not_found",
        "MFA factor with the provided challenge ID not found",
    ))
}

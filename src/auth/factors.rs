//! Second factors: begun and removed. How one is asked for and shown is `challenge.rs`.

use serde_json::json;

use super::accounts::known_user;
use super::admin::known;
use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::session::insufficient;
use super::{Auth, SignedInUser, totp};
use crate::domain::account::{Aal, EmailAddress, Factor};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::{Connection, factors, sessions};

/// Factors a user may have, begun ones included.
const MOST: usize = 10;
/// Seconds for which a begun factor waits for its first code.
const UNVERIFIED_SECONDS: i64 = 900;
/// Seconds after which a begun factor gives way to a new one where the user has too many.
const CROWDED_SECONDS: i64 = 60;
/// Characters of a name.
const NAME: usize = 100;

/// A factor that has just been begun. The secret is shown this once.
#[derive(Clone, Debug)]
pub struct Enrolled {
    /// The factor's id.
    pub id: String,
    /// The user's own word for it.
    pub friendly_name: String,
    /// The address as a picture.
    pub qr_code: String,
    /// Base32, to type in.
    pub secret: String,
    /// `otpauth://totp/…`
    pub uri: String,
}

impl Auth {
    /// Begins a factor. It counts for nothing until a code of it was right.
    ///
    /// # Errors
    /// 403 `insufficient_aal`, `too_many_enrolled_mfa_factors`, `mfa_factor_name_conflict`, `validation_failed`.
    pub async fn enroll(
        &self,
        caller: SignedInUser,
        friendly_name: String,
        issuer: Option<String>,
    ) -> Result<Enrolled> {
        if caller.lacks_second_factor() {
            return reject(insufficient().with_kind(Kind::Forbidden));
        }
        if friendly_name.chars().count() > NAME {
            return reject(AuthError::validation("The factor's name is too long"));
        }
        let now = self.clock.now();
        let site = self
            .origin
            .split("://")
            .nth(1)
            .unwrap_or_default()
            .to_owned();
        let account = caller
            .user
            .email
            .clone()
            .unwrap_or_else(|| caller.user.id.clone());
        let fresh = totp::fresh(&account, &issuer.unwrap_or(site))?;
        let enrolled = Enrolled {
            id: ids::new(now).to_string(),
            friendly_name,
            qr_code: fresh.qr_code,
            secret: fresh.secret,
            uri: fresh.uri,
        };
        let sealed = totp::seal(&self.keys.ring(now), &enrolled.id, &enrolled.secret)?;
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            if caller.lacks_second_factor() {
                return reject(insufficient().with_kind(Kind::Forbidden));
            }
            let own = raise_fd_limit(conn, caller.user.factors, now)?;
            if own.len() >= MOST {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "too_many_enrolled_mfa_factors",
                    "Maximum number of verified factors reached, unenroll to continue",
                ));
            }
            let name = &enrolled.friendly_name;
            if !name.is_empty() && own.iter().any(|factor| &factor.friendly_name == name) {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "mfa_factor_name_conflict",
                    format!(
                        "A factor with the friendly name \"{name}\" for this user already exists"
                    ),
                ));
            }
            factors::insert(conn, &enrolled.id, &caller.user.id, name, &sealed, now)?;
            Ok(enrolled)
        })
        .await
    }

    /// Removes one of the caller's own factors.
    ///
    /// # Errors
    /// 404 `mfa_factor_not_found`; 422 `insufficient_aal` for a verified one at the first level.
    pub async fn unenroll(&self, caller: SignedInUser, factor_id: String) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            let factor = own_factor(&caller, &factor_id, now)?;
            if factor.verified && caller.aal < Aal::Aal2 {
                return reject(insufficient().with_kind(Kind::Unprocessable));
            }
            remove(conn, factor, Actor::User(&caller.user.id), now)
        })
        .await
    }

    /// Removes a factor of a user.
    ///
    /// # Errors
    /// `user_not_found`, 404 `mfa_factor_not_found`.
    pub async fn delete_factor(
        &self,
        admin: SignedInUser,
        user_id: String,
        factor_id: String,
    ) -> Result<Factor> {
        let now = self.clock.now();
        self.write(move |conn| {
            let user = known(conn, &user_id)?;
            let Some(factor) = user
                .factors
                .into_iter()
                .find(|factor| factor.id == factor_id)
            else {
                return reject(not_found());
            };
            remove(conn, &factor, Actor::User(&admin.user.id), now)?;
            Ok(factor)
        })
        .await
    }

    /// Removes all factors and recovery codes of a user; from the host's command line. Says how many factors.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn disable_factors(&self, email: EmailAddress) -> Result<usize> {
        let now = self.clock.now();
        self.write(move |conn| {
            let user = known_user(conn, &email)?;
            for factor in &user.factors {
                remove(conn, factor, Actor::Operator, now)?;
            }
            factors::delete_recovery_codes(conn, &user.id)?;
            Ok(user.factors.len())
        })
        .await
    }
}

/// Deletes a factor. Sessions that owe their level to it fall to the first; with the last one go the recovery codes and every second level.
pub(super) fn remove(
    conn: &Connection,
    factor: &Factor,
    actor: Actor<'_>,
    now: Time,
) -> Result<()> {
    factors::delete(conn, &factor.id)?;
    sessions::downgrade_aal(conn, &factor.id)?;
    let left = factors::of_user(conn, &factor.user_id)?;
    if !left.iter().any(|factor| factor.verified) {
        sessions::downgrade_all_aal(conn, &factor.user_id)?;
        factors::delete_recovery_codes(conn, &factor.user_id)?;
    }
    let detail = [
        ("factor_id", json!(factor.id)),
        ("verified", json!(factor.verified)),
    ];
    audit::record(
        conn,
        "factor_removed",
        actor,
        Some(&factor.user_id),
        &detail,
        now,
    )
}

pub(super) fn not_found() -> AuthError {
    AuthError::new(Kind::Missing, "mfa_factor_not_found", "Factor not found")
}

/// Another user's factor is as good as none, and so is one whose first code came too late.
pub(super) fn own_factor<'a>(
    caller: &'a SignedInUser,
    factor_id: &str,
    now: Time,
) -> Result<&'a Factor> {
    let mut own = caller.user.factors.iter();
    match own
        .find(|factor| factor.id == factor_id && !is_abandoned(factor, now, UNVERIFIED_SECONDS))
    {
        Some(factor) => Ok(factor),
        None => reject(not_found()),
    }
}

/// Whether a factor was begun `seconds` ago and never verified. After a step of the clock it may have been begun in the future: then it ends no later than after that time, too.
fn is_abandoned(factor: &Factor, now: Time, seconds: i64) -> bool {
    !factor.verified && (now.seconds() - factor.created_at.seconds()).abs() >= seconds
}

/// The user's factors without those that were begun and left, which are deleted: left ones must not keep the user from beginning another.
fn raise_fd_limit(conn: &Connection, own: Vec<Factor>, now: Time) -> Result<Vec<Factor>> {
    let patience = if own.len() >= MOST {
        CROWDED_SECONDS
    } else {
        UNVERIFIED_SECONDS
    };
    let (left, kept): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|factor| is_abandoned(factor, now, patience));
    for factor in left {
        factors::delete(conn, &factor.id)?;
    }
    Ok(kept)
}

/// Forgets the factors that nobody can verify any more; says how many.
pub(super) fn forget_abandoned(conn: &Connection, now: Time) -> Result<usize> {
    let from = now.plus_seconds(-UNVERIFIED_SECONDS);
    let to = now.plus_seconds(UNVERIFIED_SECONDS);
    Ok(factors::prune_unverified(conn, from, to)?)
}

//! Second factors: enrolling and removing them. `challenge.rs` verifies codes.

pub mod challenge;
pub mod recovery_codes;
pub(super) mod totp;

pub use totp::Enrolled;

use serde_json::json;

use super::accounts::user_by_email;
use super::admin::user_by_id;
use super::audit::Actor;
use super::error::{AuthError, Kind, Result, reject};
use super::{Auth, SignedInUser, Transaction};
use domain::account::{Aal, Factor};
use domain::clock::Time;
use domain::email::email_address::EmailAddress;
use store::accounts::{factors, sessions};

/// Factors per user, unverified ones included.
const MAX_FACTORS: usize = 10;
/// Lifetime in seconds of an unverified factor.
const UNVERIFIED_SECONDS: i64 = 900;
/// Lifetime in seconds of an unverified factor of a user who has the maximum number.
const CROWDED_SECONDS: i64 = 60;
/// Maximum length of a factor's name.
const NAME: usize = 100;

/// Whether a user with these factors may enroll another one of this name.
fn check_further_factor(own: &[Factor], name: &str) -> Result<()> {
    if own.len() >= MAX_FACTORS {
        return reject(AuthError::TOO_MANY_ENROLLED_MFA_FACTORS);
    }
    if !name.is_empty() && own.iter().any(|factor| factor.friendly_name == name) {
        let text =
            format!("A factor with the friendly name \"{name}\" for this user already exists");
        return reject(AuthError::new(
            Kind::Unprocessable,
            "mfa_factor_name_conflict",
            text,
        ));
    }
    Ok(())
}

impl Auth {
    /// Enrolls a factor. It has no effect until its first correct code. Errors: 403
    /// `insufficient_aal`, `too_many_enrolled_mfa_factors`, `mfa_factor_name_conflict`,
    /// `validation_failed`.
    pub async fn enroll(
        &self,
        caller: SignedInUser,
        friendly_name: String,
        issuer: Option<String>,
    ) -> Result<Enrolled> {
        caller.require_second_factor(Kind::Forbidden)?;
        if friendly_name.chars().count() > NAME {
            return reject(AuthError::validation("The factor's name is too long"));
        }
        let now = self.clock.now();
        let site = self.urls.origin.split("://").nth(1).unwrap_or_default();
        let account = caller.user.email.as_deref().unwrap_or(&caller.user.id);
        let issuer = issuer.as_deref().unwrap_or(site);
        let enrolled = totp::enroll(friendly_name, account, issuer, now)?;
        let sealed = totp::seal(&self.keys.ring(now), &enrolled.id, &enrolled.secret)?;
        self.change(move |tx| {
            let caller = caller.reload(tx)?;
            caller.require_second_factor(Kind::Forbidden)?;
            let own = prune_own_abandoned(tx, caller.user.factors)?;
            let name = &enrolled.friendly_name;
            check_further_factor(&own, name)?;
            factors::insert(tx.conn, &enrolled.id, &caller.user.id, name, &sealed, now)?;
            Ok(enrolled)
        })
        .await
    }

    /// Removes one of the caller's factors. Errors: 404 `mfa_factor_not_found`; 422
    /// `insufficient_aal` for a verified one at AAL1.
    pub async fn unenroll(&self, caller: SignedInUser, factor_id: String) -> Result<()> {
        self.change(move |tx| {
            let caller = caller.reload(tx)?;
            let factor = own_factor(&caller, &factor_id, tx.now)?;
            if factor.is_verified() && caller.aal < Aal::Aal2 {
                return reject(AuthError::INSUFFICIENT_AAL.with_kind(Kind::Unprocessable));
            }
            remove(tx, factor, Actor::User(&caller.user.id))
        })
        .await
    }

    /// Removes a user's factor. Errors: `user_not_found`, 404 `mfa_factor_not_found`.
    pub async fn delete_factor(
        &self,
        admin: SignedInUser,
        user_id: String,
        factor_id: String,
    ) -> Result<Factor> {
        self.change(move |tx| {
            let user = user_by_id(tx.conn, &user_id)?;
            let Some(factor) = user
                .factors
                .into_iter()
                .find(|factor| factor.id == factor_id)
            else {
                return reject(AuthError::FACTOR_NOT_FOUND);
            };
            remove(tx, &factor, Actor::User(&admin.user.id))?;
            Ok(factor)
        })
        .await
    }

    /// Removes all factors and recovery codes of a user (command line). Returns the number of
    /// factors. Errors: `user_not_found`.
    pub async fn disable_factors(&self, email: EmailAddress) -> Result<usize> {
        self.change(move |tx| {
            let conn = tx.conn;
            let user = user_by_email(conn, &email)?;
            for factor in &user.factors {
                remove(tx, factor, Actor::Operator)?;
            }
            factors::delete_recovery_codes(conn, &user.id)?;
            Ok(user.factors.len())
        })
        .await
    }
}

/// Deletes a factor. Sessions that used it fall back to AAL1. With the last verified factor, the
/// recovery codes are deleted and all of the user's sessions fall back to AAL1.
pub(super) fn remove(tx: &Transaction<'_>, factor: &Factor, actor: Actor<'_>) -> Result<()> {
    let conn = tx.conn;
    factors::delete(conn, &factor.id)?;
    sessions::downgrade_aal(conn, &factor.id)?;
    let remaining = factors::of_user(conn, &factor.user_id)?;
    if !remaining.iter().any(|factor| factor.is_verified()) {
        sessions::downgrade_all_aal(conn, &factor.user_id)?;
        factors::delete_recovery_codes(conn, &factor.user_id)?;
    }
    let detail = [
        ("factor_id", json!(factor.id)),
        ("verified", json!(factor.is_verified())),
    ];
    tx.record("factor_removed", actor, Some(&factor.user_id), &detail)
}

/// The caller's factor with this id. Other users' factors and expired unverified ones are not
/// found.
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
        None => reject(AuthError::FACTOR_NOT_FOUND),
    }
}

/// Whether an unverified factor is `seconds` old.
fn is_abandoned(factor: &Factor, now: Time, seconds: i64) -> bool {
    !factor.is_verified() && now.seconds() - factor.created_at.seconds() >= seconds
}

/// Deletes the user's abandoned factors and returns the others, so that abandoned ones do not block
/// a new enrollment.
fn prune_own_abandoned(tx: &Transaction<'_>, own: Vec<Factor>) -> Result<Vec<Factor>> {
    let Transaction { conn, now, .. } = *tx;
    let max_age_seconds = if own.len() >= MAX_FACTORS {
        CROWDED_SECONDS
    } else {
        UNVERIFIED_SECONDS
    };
    let (abandoned, kept): (Vec<_>, Vec<_>) = own
        .into_iter()
        .partition(|factor| is_abandoned(factor, now, max_age_seconds));
    for factor in abandoned {
        factors::delete(conn, &factor.id)?;
    }
    Ok(kept)
}

/// Deletes unverified factors that have expired. Returns their number.
pub(super) fn prune_abandoned(tx: &Transaction<'_>) -> Result<usize> {
    let Transaction { conn, now, .. } = *tx;
    let from = now.plus_seconds(-UNVERIFIED_SECONDS);
    let to = now.plus_seconds(UNVERIFIED_SECONDS);
    Ok(factors::prune_unverified(conn, from, to)?)
}

//! Second factors: time-based codes (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). A code counts once, wrong ones are counted, and the secret lies sealed.

use pasetors::token::{Local, UntrustedToken};
use pasetors::version4::{LocalToken, V4};
use qrcode::QrCode;
use qrcode::render::svg;
use serde_json::json;
use totp_rs::{Algorithm, Builder, Secret as TotpSecret, Totp};

use super::audit::{self, Actor};
use super::error::{Error, Kind, Refusal, Result, refuse};
use super::keys::KeyRing;
use super::refresh::prove;
use super::session::{Grant, insufficient};
use super::throttle::{Charge, Guess, Secret};
use super::{Auth, Caller, SignedIn};
use crate::domain::account::{Aal, Factor};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::{Connection, buckets, factors, sessions};

/// Factors a user may have, begun ones included.
const MOST: usize = 10;
/// Seconds for which a challenge waits.
const CHALLENGE_SECONDS: i64 = 300;
/// Characters of a name.
const NAME: usize = 100;
/// Bytes of a secret, as RFC 4226 recommends.
const SECRET: usize = 20;

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
        caller: SignedIn,
        friendly_name: String,
        issuer: Option<String>,
    ) -> Result<Enrolled> {
        if caller.lacks_second_factor() {
            return refuse(insufficient().as_kind(Kind::Forbidden));
        }
        if friendly_name.chars().count() > NAME {
            return refuse(Refusal::validation("The factor's name is too long"));
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
        let secret: [u8; SECRET] = ids::random_bytes();
        let totp = Builder::new()
            .with_secret(secret)
            .with_account_name(plain(&account))
            .with_issuer(Some(plain(&issuer.unwrap_or(site))))
            .with_algorithm(Algorithm::SHA1)
            .build()
            .map_err(|_| Refusal::validation("The factor's issuer is not valid"))?;
        let uri = totp
            .to_url()
            .map_err(|error| Error::Broken(error.to_string()))?;
        let enrolled = Enrolled {
            id: ids::new(now).to_string(),
            friendly_name,
            qr_code: picture(&uri)?,
            secret: TotpSecret::from(secret).to_base32(),
            uri,
        };
        let sealed = seal(&self.keys.ring(now), &enrolled.id, &enrolled.secret)?;
        self.write(move |conn| {
            let own = factors::of_user(conn, &caller.user.id)?;
            if own.len() >= MOST {
                return refuse(Refusal::new(
                    Kind::Unprocessable,
                    "too_many_enrolled_mfa_factors",
                    "Maximum number of verified factors reached, unenroll to continue",
                ));
            }
            let name = &enrolled.friendly_name;
            if !name.is_empty() && own.iter().any(|factor| &factor.friendly_name == name) {
                return refuse(Refusal::new(
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

    /// Asks for a code of a factor; returns the challenge's id and end.
    ///
    /// # Errors
    /// 404 `mfa_factor_not_found`.
    pub async fn challenge(
        &self,
        from: Caller,
        caller: SignedIn,
        factor_id: String,
    ) -> Result<(String, Time)> {
        let now = self.clock.now();
        self.write(move |conn| {
            own_factor(conn, &caller, &factor_id)?;
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
    /// `mfa_verification_failed`, `mfa_factor_not_found`, `mfa_challenge_expired`, `mfa_ip_address_mismatch`, `over_request_rate_limit`.
    pub async fn verify_factor(
        &self,
        from: Caller,
        caller: SignedIn,
        factor_id: String,
        challenge_id: String,
        code: String,
    ) -> Result<Grant> {
        self.shield.check(&from.client)?;
        if challenge_id.is_empty() || code.is_empty() {
            return refuse(Refusal::validation("challenge_id and code are needed"));
        }
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| {
            let factor = own_factor(conn, &caller, &factor_id)?;
            check_challenge(conn, &from, &factor, &challenge_id, now)?;
            let charge = auth.charge_factor(conn, &from, &caller, now)?;
            let Some(step) = auth.matching_step(conn, &factor, &code, now)? else {
                let id = &caller.user.id;
                audit::record(conn, "factor_failed", Actor::User(id), Some(id), &[], now)?;
                return refuse(Refusal::new(
                    Kind::Unprocessable,
                    "mfa_verification_failed",
                    "Invalid TOTP code entered",
                ));
            };
            charge.give_back(conn)?;
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
        caller: &SignedIn,
        now: Time,
    ) -> Result<Charge> {
        let guess = Guess {
            secret: Secret::Factor,
            account: &caller.user.id,
            user_id: Some(&caller.user.id),
            client: &from.client,
        };
        self.charge(conn, guess, now)
    }

    /// The time step of a right code that is later than any accepted before.
    fn matching_step(
        &self,
        conn: &Connection,
        factor: &Factor,
        code: &str,
        now: Time,
    ) -> Result<Option<i64>> {
        let (sealed, last) = factors::secret(conn, &factor.id)?;
        let totp = unseal(&self.keys.ring(now), &factor.id, &sealed)?;
        let seconds = u64::try_from(now.seconds()).unwrap_or(0);
        let step = totp
            .check(code.trim(), seconds)
            .and_then(|step| i64::try_from(step).ok());
        Ok(step.filter(|step| *step > last))
    }

    /// Lifts the caller's session to the second level. No refresh token given out before ever yields it.
    pub(super) fn rise(
        &self,
        conn: &Connection,
        from: &Caller,
        caller: &SignedIn,
        factor_id: Option<&str>,
        method: &str,
        now: Time,
    ) -> Result<Grant> {
        let Some(mut session) = sessions::by_id(conn, &caller.session.id)? else {
            return refuse(Refusal::new(
                Kind::Forbidden,
                "session_not_found",
                "Session from session_id claim in JWT does not exist",
            ));
        };
        session.aal = Aal::Aal2;
        session.factor_id = factor_id.map(str::to_owned);
        prove(&mut session, method, now);
        self.outdate_refresh_tokens(conn, &mut session, now)?;
        sessions::update(conn, &session)?;
        sessions::end_others_at_aal1(conn, &caller.user.id, &session.id)?;
        buckets::know_client(conn, &caller.user.id, &from.client, now)?;
        let id = &caller.user.id;
        let detail = [("method", json!(method))];
        audit::record(
            conn,
            "second_factor_shown",
            Actor::User(id),
            Some(id),
            &detail,
            now,
        )?;
        self.grant(conn, &session, now)
    }

    /// Removes one of the caller's own factors.
    ///
    /// # Errors
    /// 404 `mfa_factor_not_found`; 422 `insufficient_aal` for a verified one at the first level.
    pub async fn unenroll(&self, caller: SignedIn, factor_id: String) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let factor = own_factor(conn, &caller, &factor_id)?;
            if factor.verified && caller.aal < Aal::Aal2 {
                return refuse(insufficient().as_kind(Kind::Unprocessable));
            }
            remove(conn, &factor, Actor::User(&caller.user.id), now)
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
    sessions::lower(conn, &factor.id)?;
    let left = factors::of_user(conn, &factor.user_id)?;
    if !left.iter().any(|factor| factor.verified) {
        sessions::lower_all(conn, &factor.user_id)?;
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

pub(super) fn not_found() -> Refusal {
    Refusal::new(Kind::Missing, "mfa_factor_not_found", "Factor not found")
}

/// Another user's factor is as good as none.
fn own_factor(conn: &Connection, caller: &SignedIn, factor_id: &str) -> Result<Factor> {
    let own = factors::of_user(conn, &caller.user.id)?;
    match own.into_iter().find(|factor| factor.id == factor_id) {
        Some(factor) => Ok(factor),
        None => refuse(not_found()),
    }
}

fn check_challenge(
    conn: &Connection,
    from: &Caller,
    factor: &Factor,
    id: &str,
    now: Time,
) -> Result<()> {
    let say = |code, message: &'static str| Refusal::new(Kind::Unprocessable, code, message);
    match factors::challenge_by_id(conn, id)? {
        Some(challenge) if challenge.factor_id != factor.id => {}
        None => {}
        Some(challenge) if challenge.used || challenge.client != from.client => {
            return refuse(say(
                "mfa_ip_address_mismatch",
                "Challenge and verify IP addresses mismatch",
            ));
        }
        Some(challenge) if challenge.expires_at <= now => {
            return refuse(say(
                "mfa_challenge_expired",
                "MFA challenge has expired, verify against another challenge or create a new challenge.",
            ));
        }
        Some(_) => return Ok(()),
    }
    refuse(say(
        "mfa_factor_not_found",
        "MFA factor with the provided challenge ID not found",
    ))
}

/// Colons separate issuer and account in the address.
fn plain(text: &str) -> String {
    text.replace(':', " ")
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME)
        .collect()
}

/// The address as bare SVG. Its colours are words: a `#` would end the data URL that the client makes of it.
fn picture(uri: &str) -> Result<String> {
    let code = QrCode::new(uri)
        .map_err(|_| Refusal::validation("The factor's issuer is too long for a picture"))?;
    Ok(code
        .render::<svg::Color<'_>>()
        .dark_color(svg::Color("black"))
        .light_color(svg::Color("white"))
        .min_dimensions(200, 200)
        .build())
}

/// Seals a secret for the database, bound to its factor: neither a stolen database nor a row moved elsewhere gives a working secret.
fn seal(ring: &KeyRing, factor_id: &str, secret: &str) -> Result<String> {
    let sealed = LocalToken::encrypt(
        &ring.sealing,
        secret.as_bytes(),
        None,
        Some(factor_id.as_bytes()),
    )?;
    Ok(sealed)
}

fn unseal(ring: &KeyRing, factor_id: &str, sealed: &str) -> Result<Totp> {
    let untrusted = UntrustedToken::<Local, V4>::try_from(sealed)?;
    let opened = LocalToken::decrypt(&ring.sealing, &untrusted, None, Some(factor_id.as_bytes()))?;
    let secret = TotpSecret::try_from_base32(opened.payload())
        .map_err(|_| Error::Broken("a factor's secret is damaged".into()))?;
    Builder::new()
        .with_secret(secret)
        .with_algorithm(Algorithm::SHA1)
        .build()
        .map_err(|error| Error::Broken(error.to_string()))
}

//! What a mail proves: a six-digit code to type and a link token to follow, one slot each at a time (contract section 3, /verify). The link token is derived from the
//! code with a key that is not in the database, so that neither the six digits nor a stolen row gives it away; the row keeps its digest alone.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::error::Result;
use super::key_ring::KeyRing;
use super::purpose::Purpose;
use super::{Auth, pkce};
use crate::domain::account::User;
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::notice::{AccountLetter, Notice};
use crate::store::one_time_tokens::OneTimeToken;
use crate::store::{Connection, accounts, one_time_tokens, outbox};

/// Wrong codes after which a slot is void: six digits can be guessed.
const WRONG_CODES: u32 = 5;
/// Before the link token of a browser that waits for a code.
pub const PKCE_PREFIX: &str = "pkce_";

/// A fresh code and its link token.
#[derive(Clone, Debug)]
pub struct Minted {
    /// Six digits.
    pub code: String,
    /// What stands in the link.
    pub token: String,
}

/// Whether a link may be one that a browser waits for (PKCE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// It may: the browser gets a code, worth a session with its verifier only.
    Maybe,
    /// It may not: whoever brings the token gets the session itself.
    Nobody,
}

/// Where a mail leads and who waits for it.
#[derive(Clone, Debug, Default)]
pub struct Lead {
    /// As the caller wrote it; checked before use.
    pub redirect_to: Option<String>,
    /// The browser's challenge, if it waits for a code.
    pub challenge: Option<pkce::Challenge>,
}

impl Auth {
    /// Makes a code and a link token, in the place of the slot's last ones.
    ///
    /// # Errors
    /// What the store says.
    pub fn mint(
        &self,
        conn: &Connection,
        user_id: &str,
        purpose: Purpose,
        address: &str,
        challenge: Option<&pkce::Challenge>,
        now: Time,
    ) -> Result<Minted> {
        let code = six_digits();
        let nonce = hex::encode(ids::random_bytes::<16>());
        let bare = link_token(
            &self.keys.ring(now),
            user_id,
            purpose.slot(),
            address,
            &nonce,
            &code,
        );
        let flow_id = match challenge {
            Some(challenge) => {
                let life = self.life(purpose);
                Some(pkce::begin(
                    conn,
                    Some(user_id),
                    purpose.method(),
                    challenge,
                    life,
                    now,
                )?)
            }
            None => None,
        };
        let token = if flow_id.is_some() {
            format!("{PKCE_PREFIX}{bare}")
        } else {
            bare.clone()
        };
        let row = OneTimeToken {
            user_id: user_id.to_owned(),
            slot: purpose.slot().to_owned(),
            kind: purpose.word().to_owned(),
            address: address.to_owned(),
            nonce,
            digest: digest(&bare),
            flow_id,
            wrong: 0,
            expires_at: now.plus_seconds(self.life(purpose)),
        };
        one_time_tokens::put(conn, &row, now)?;
        accounts::mark_sent(conn, user_id, purpose.sent(), now)?;
        Ok(Minted { code, token })
    }

    /// Seconds for which a mail of this purpose works.
    fn life(&self, purpose: Purpose) -> i64 {
        match purpose {
            Purpose::Invite => self.config.invite_seconds.into(),
            _ => self.config.link_seconds.into(),
        }
    }

    /// Makes a code and a link and puts their letter into the outbox, in this very transaction. Returns the link.
    ///
    /// # Errors
    /// What the store says.
    pub fn send(
        &self,
        conn: &Connection,
        user: &User,
        purpose: Purpose,
        address: &str,
        lead: &Lead,
        now: Time,
    ) -> Result<Option<String>> {
        let minted = self.mint(
            conn,
            &user.id,
            purpose,
            address,
            lead.challenge.as_ref(),
            now,
        )?;
        let link = (purpose != Purpose::Reauthentication)
            .then(|| self.link(&minted.token, purpose, lead.redirect_to.as_deref()));
        let new_email = match purpose {
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => user.new_email.clone(),
            _ => None,
        };
        let letter = AccountLetter {
            kind: purpose.letter(),
            to: address.to_owned(),
            code: minted.code,
            link: link.clone(),
            new_email,
            minutes: u32::try_from(self.life(purpose) / 60).unwrap_or(u32::MAX),
        };
        outbox::enqueue(conn, &Notice::Account(letter), now)?;
        Ok(link)
    }

    /// The address of the page that a link opens.
    pub fn link(&self, token: &str, purpose: Purpose, redirect_to: Option<&str>) -> String {
        let query = [
            ("token", token),
            ("type", purpose.link_type()),
            ("redirect_to", &self.checked_redirect(redirect_to)),
        ];
        let query = serde_urlencoded::to_string(query).unwrap_or_default();
        format!("{}/auth/v1/verify?{query}", self.origin)
    }

    /// Whether `code` is the one in this slot. A wrong one counts, and the fifth voids the slot; a right one is used up.
    ///
    /// # Errors
    /// What the store says.
    pub(super) fn take_code(
        &self,
        conn: &Connection,
        row: &OneTimeToken,
        code: &str,
        now: Time,
    ) -> Result<bool> {
        let (user, slot) = (&row.user_id, &row.slot);
        let given = link_token(
            &self.keys.ring(now),
            user,
            slot,
            &row.address,
            &row.nonce,
            code,
        );
        let right = bool::from(digest(&given).as_bytes().ct_eq(row.digest.as_bytes()));
        if right && row.expires_at > now {
            one_time_tokens::delete(conn, user, slot)?;
            return Ok(true);
        }
        if row.wrong + 1 >= WRONG_CODES || row.expires_at <= now {
            one_time_tokens::delete(conn, user, slot)?;
        } else {
            one_time_tokens::count_wrong(conn, user, slot)?;
        }
        Ok(false)
    }

    /// Uses up the row of a link token, if it is still good and lies in one of `slots`: a link is for what it was sent for.
    ///
    /// # Errors
    /// What the store says.
    pub(super) fn take_link(
        &self,
        conn: &Connection,
        slots: &[&str],
        token: &str,
        waiting: Waiting,
        now: Time,
    ) -> Result<Option<OneTimeToken>> {
        let bare = token.strip_prefix(PKCE_PREFIX).unwrap_or(token);
        let found = one_time_tokens::by_digest(conn, &digest(bare))?;
        let fits = |row: &OneTimeToken| {
            slots.contains(&row.slot.as_str())
                && (waiting == Waiting::Maybe || row.flow_id.is_none())
        };
        let Some(row) = found.filter(fits) else {
            return Ok(None);
        };
        one_time_tokens::delete(conn, &row.user_id, &row.slot)?;
        Ok(Some(row).filter(|row| row.expires_at > now))
    }
}

fn link_token(
    ring: &KeyRing,
    user_id: &str,
    slot: &str,
    address: &str,
    nonce: &str,
    code: &str,
) -> String {
    let parts = [user_id, slot, address, nonce, code].map(str::as_bytes);
    hex::encode(&ring.derive("link", &parts)[..28])
}

/// What of a secret is kept: enough to know it again.
pub(super) fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret))
}

/// An unguessable text of 32 bytes.
pub fn unguessable() -> String {
    URL_SAFE_NO_PAD.encode(ids::random_bytes::<32>())
}

/// Six digits, each as likely as the others; the first is not 0, so that no program drops it.
fn six_digits() -> String {
    const FIRST: u64 = 100_000;
    const COUNT: u64 = 900_000;
    let random = u64::from_be_bytes(ids::random_bytes::<8>());
    // 2^64 is no multiple of the count; the bias is one in 10^13.
    (FIRST + random % COUNT).to_string()
}

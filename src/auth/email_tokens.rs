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
use crate::domain::notice::{AccountEmail, CodeAndLink, EmailSecret, Notice};
use crate::store::one_time_tokens::{OneTimeToken, Sender, SignUp, WRONG_CODES};
use crate::store::{Connection, accounts, decoys, one_time_tokens, outbox};

/// Before the link token of a browser that waits for a code.
pub const PKCE_PREFIX: &str = "pkce_";

/// A fresh code and its link token.
#[derive(Clone, Debug)]
pub struct IssuedToken {
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
pub struct EmailRedirect {
    /// As the caller wrote it; checked before use.
    pub redirect_to: Option<String>,
    /// The browser's challenge, if it waits for a code.
    pub challenge: Option<pkce::Challenge>,
}

/// A mail to make a code and a link for.
#[derive(Clone, Debug)]
pub(super) struct MailRequest<'a> {
    /// Whose account it is about. Without one nothing is mailed, and the same work is done.
    pub user: Option<&'a User>,
    /// What it is for.
    pub purpose: Purpose,
    /// Where it goes.
    pub address: &'a str,
    /// Where it leads.
    pub lead: EmailRedirect,
    /// Who has it sent.
    pub sender: Sender,
    /// What takes effect when it is answered.
    pub sign_up: Option<SignUp>,
}

impl<'a> MailRequest<'a> {
    /// A mail that anybody may have asked for; a decoy without a user.
    pub fn new(
        user: Option<&'a User>,
        purpose: Purpose,
        address: &'a str,
        lead: &EmailRedirect,
    ) -> Self {
        Self {
            user,
            purpose,
            address,
            lead: lead.clone(),
            sender: Sender::Request,
            sign_up: None,
        }
    }

    /// The same, sent by an admin or an operator: no request ends it.
    pub fn by_admin(self) -> Self {
        Self {
            sender: Sender::Admin,
            ..self
        }
    }

    /// The same with what takes effect when it is answered.
    pub fn with_sign_up(self, sign_up: Option<SignUp>) -> Self {
        Self { sign_up, ..self }
    }
}

impl Auth {
    /// Makes a code and a link token. They end those that the same sender had in this slot (`one_time_tokens::put`).
    ///
    /// # Errors
    /// What the store says.
    pub(super) fn mint(
        &self,
        conn: &Connection,
        request: &MailRequest<'_>,
        now: Time,
    ) -> Result<IssuedToken> {
        let purpose = request.purpose;
        let user_id = request.user.map(|user| user.id.as_str());
        let ring = self.keys.ring(now);
        // An address without an account is kept as a digest only; it is computed for the others as well, so that the work is the same.
        let hidden = ring.digest("decoy", &[request.address.as_bytes()]);
        let address = match request.user {
            Some(_) => request.address.to_owned(),
            None => hidden,
        };
        let code = six_digits();
        let nonce = hex::encode(ids::random_bytes::<16>());
        let bare = link_token(
            &ring,
            user_id.unwrap_or_default(),
            purpose.slot(),
            &address,
            &nonce,
            &code,
        );
        let flow_id = match &request.lead.challenge {
            Some(challenge) => {
                let life = self.life(purpose);
                Some(pkce::begin(
                    conn,
                    user_id,
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
            id: 0,
            user_id: user_id.map(str::to_owned),
            slot: purpose.slot().to_owned(),
            sender: request.sender,
            kind: purpose.word().to_owned(),
            address,
            nonce,
            digest: digest(&bare),
            flow_id,
            wrong: 0,
            sign_up: request.sign_up.clone(),
            expires_at: now.plus_seconds(self.life(purpose)),
        };
        one_time_tokens::put(conn, &row, now)?;
        match user_id {
            Some(id) => accounts::mark_sent(conn, id, purpose.sent(), now)?,
            None => decoys::mark_sent(conn, now)?,
        }
        Ok(IssuedToken { code, token })
    }

    /// Seconds for which a mail of this purpose works.
    fn life(&self, purpose: Purpose) -> i64 {
        match purpose {
            Purpose::Invite => self.config.invite_seconds.into(),
            _ => self.config.link_seconds.into(),
        }
    }

    /// Makes a code and a link and puts their email into the outbox, in this very transaction. Returns the link.
    ///
    /// # Errors
    /// What the store says.
    pub(super) fn send(
        &self,
        conn: &Connection,
        request: &MailRequest<'_>,
        now: Time,
    ) -> Result<Option<String>> {
        let purpose = request.purpose;
        let minted = self.mint(conn, request, now)?;
        // An invited person chooses a password there, whoever has the invitation sent again.
        let dashboard = format!("{}/admin", self.origin);
        let redirect_to = match &request.lead.redirect_to {
            None if purpose == Purpose::Invite => Some(dashboard.as_str()),
            asked => asked.as_deref(),
        };
        let link = (purpose != Purpose::Reauthentication)
            .then(|| self.link(&minted.token, purpose, redirect_to));
        let new_email = match purpose {
            Purpose::EmailChangeCurrent | Purpose::EmailChangeNew => {
                request.user.and_then(|user| user.new_email.clone())
            }
            _ => None,
        };
        let secret = CodeAndLink {
            code: minted.code,
            link: link.clone(),
        };
        let letter = AccountEmail {
            kind: purpose.letter(),
            to: request.address.to_owned(),
            secret: EmailSecret::seal(&secret, self.keys.ring(now).emails(), request.address)?,
            new_email,
            minutes: u32::try_from(self.life(purpose) / 60).unwrap_or(u32::MAX),
        };
        let notice = Notice::Account(letter);
        match request.user {
            Some(_) => outbox::enqueue(conn, &notice, now)?,
            None => decoys::enqueue(conn, &notice, now)?,
        }
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

    /// Whether `code` is the one in this row. A right one is used up. A wrong one counts, and the fifth voids the slot: every code and link that was asked for, but of
    /// what an admin sent the code alone, since the link cannot be guessed and strangers may type wrong codes.
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
        let user = row.user_id.as_deref();
        let given = link_token(
            &self.keys.ring(now),
            user.unwrap_or_default(),
            &row.slot,
            &row.address,
            &row.nonce,
            code,
        );
        let right = bool::from(digest(&given).as_bytes().ct_eq(row.digest.as_bytes()));
        if right && row.expires_at > now {
            one_time_tokens::delete(conn, row.id)?;
            return Ok(true);
        }
        one_time_tokens::count_wrong(conn, row.id)?;
        if row.wrong + 1 >= WRONG_CODES && row.sender == Sender::Request {
            one_time_tokens::void_requests(conn, user, &row.slot, now)?;
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
        one_time_tokens::delete(conn, row.id)?;
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
pub fn random_token() -> String {
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

//! One-time tokens in emails: a six-digit code to type and a link token to follow, one of each per
//! slot (auth API, section 3, /verify). The link token is derived from the code with a key that is
//! not in the database, so that neither the code nor a stolen row reveals it. The row stores only
//! its digest.

use super::pkce;
use crate::emails::purpose::Purpose;
use crate::error::Result;
use crate::keys::key_ring::KeyRing;
use crate::keys::secrets::digest;
use crate::{Auth, Transaction};
use domain::account::User;
use domain::ids;
use store::accounts::one_time_tokens::{self, OneTimeToken, Sender, SignUp};
use store::accounts::{self, decoys};

/// Prefix of a link token that belongs to a PKCE flow.
pub const PKCE_PREFIX: &str = "pkce_";

/// Lifetime of codes and links in emails, in seconds.
const LINK_SECONDS: i64 = 3_600;
/// Lifetime of an invitation, in seconds.
pub const INVITE_SECONDS: i64 = 86_400;

/// A new code and its link token.
#[derive(Clone, Debug)]
pub struct IssuedToken {
    /// The six-digit code.
    pub code: String,
    /// The token in the link.
    pub token: String,
}

/// Redirect target and PKCE challenge of an email.
#[derive(Clone, Debug, Default)]
pub struct EmailRedirect {
    /// As sent by the client; checked before use.
    pub redirect_to: Option<String>,
    /// The PKCE challenge, if the browser waits for a code.
    pub challenge: Option<pkce::CodeChallenge>,
}

/// An email for which a code and a link are issued.
#[derive(Clone, Debug)]
pub(crate) struct EmailRequest<'a> {
    /// The account; `None` for a decoy, which does the same work but sends no email.
    pub user: Option<&'a User>,
    pub purpose: Purpose,
    /// The recipient's address.
    pub address: &'a str,
    /// The redirect target and PKCE challenge.
    pub redirect: EmailRedirect,
    /// Who triggered the email.
    pub sender: Sender,
    /// The data that take effect when the token is used.
    pub sign_up: Option<SignUp>,
}

impl<'a> EmailRequest<'a> {
    /// An email that any client may request; a decoy if there is no user.
    pub fn new(
        user: Option<&'a User>,
        purpose: Purpose,
        address: &'a str,
        redirect: &EmailRedirect,
    ) -> Self {
        Self {
            user,
            purpose,
            address,
            redirect: redirect.clone(),
            sender: Sender::Request,
            sign_up: None,
        }
    }

    /// Marks the email as sent by an admin or operator: client requests do not replace it.
    pub fn by_admin(self) -> Self {
        Self {
            sender: Sender::Admin,
            ..self
        }
    }

    /// Sets the data that take effect when the token is used.
    pub fn with_sign_up(self, sign_up: Option<SignUp>) -> Self {
        Self { sign_up, ..self }
    }
}

impl Auth {
    pub(crate) fn lifetime_seconds(&self, purpose: Purpose) -> i64 {
        match purpose {
            Purpose::Invite => INVITE_SECONDS,
            _ => LINK_SECONDS,
        }
    }
}

impl Transaction<'_> {
    /// Issues a code and a link token. They replace those of the same sender in this slot
    /// (`one_time_tokens::put`).
    pub(crate) fn issue(&self, request: &EmailRequest<'_>) -> Result<IssuedToken> {
        let Transaction { conn, now, .. } = *self;
        let purpose = request.purpose;
        let user_id = request.user.map(|user| user.id.as_str());
        let ring = self.keys.ring(now);
        // For an address without an account only a digest is stored. It is computed for every
        // address, so that the work is the same.
        let decoy_address = ring.digest("decoy", &[request.address.as_bytes()]);
        let known = request.user.map(|_| request.address.to_owned());
        let address = known.unwrap_or(decoy_address);
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
        let lifetime = self.lifetime_seconds(purpose);
        let start_flow =
            |challenge| pkce::start_flow(self, user_id, purpose.method(), challenge, lifetime);
        let challenge = request.redirect.challenge.as_ref();
        let flow_id = challenge.map(start_flow).transpose()?;
        let prefix = flow_id.as_ref().map_or("", |_| PKCE_PREFIX);
        let row = OneTimeToken {
            id: 0,
            user_id: user_id.map(str::to_owned),
            slot: purpose.slot().to_owned(),
            sender: request.sender,
            kind: purpose.as_str().to_owned(),
            address,
            nonce,
            digest: digest(&bare),
            flow_id,
            wrong: 0,
            sign_up: request.sign_up.clone(),
            expires_at: now.plus_seconds(lifetime),
        };
        one_time_tokens::put(conn, &row, now)?;
        match user_id {
            Some(id) => accounts::mark_sent(conn, id, purpose.sent(), now)?,
            None => decoys::mark_sent(conn, now)?,
        }
        let token = format!("{prefix}{bare}");
        Ok(IssuedToken { code, token })
    }
}

pub(crate) fn link_token(
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

/// Six random digits, uniformly distributed. The first digit is not 0, so that programs do not
/// strip it.
fn six_digits() -> String {
    const FIRST: u64 = 100_000;
    const COUNT: u64 = 900_000;
    let random = u64::from_be_bytes(ids::random_bytes::<8>());
    // 2^64 is not a multiple of COUNT; the bias is one in 10^13.
    (FIRST + random % COUNT).to_string()
}

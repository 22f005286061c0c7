//! Recovery codes replace a lost second factor. Ten are issued at a time, shown once, and each
//! works once. Only their digests are stored, made with a key that is not in the database.

use serde_json::json;

use crate::error::{AuthError, Kind, Result, reject};
use crate::keys::key_ring::KeyRing;
use crate::sessions::session::Grant;
use crate::throttle::SecretKind;
use crate::{Auth, ClientInfo, SignedInUser, Transaction};
use domain::account::Aal;
use domain::ids;
use store::accounts::factors;

const CODES: usize = 10;
/// Unambiguous characters: no 0, 1, i, l, o, u. Sixteen of thirty characters are 78 bits.
const ALPHABET: &[u8; 30] = b"23456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 16;

impl Auth {
    /// Issues new codes, which replace all others. Errors: 422 `insufficient_aal` without a
    /// verified factor used in this session.
    pub async fn make_recovery_codes(&self, caller: SignedInUser) -> Result<Vec<String>> {
        let now = self.clock.now();
        let codes: Vec<String> = (0..CODES).map(|_| generate_code()).collect();
        let ring = self.keys.ring(now);
        let digests: Vec<String> = codes
            .iter()
            .map(|code| digest(&ring, &caller.user.id, code))
            .collect();
        self.change(move |tx| {
            let caller = caller.reload(tx)?;
            if caller.aal < Aal::Aal2 || !caller.user.has_verified_factor() {
                return reject(AuthError::INSUFFICIENT_AAL.with_kind(Kind::Unprocessable));
            }
            let id = &caller.user.id;
            factors::replace_recovery_codes(tx.conn, id, &digests, tx.now)?;
            tx.record_own("recovery_codes_made", id, &[])
        })
        .await?;
        Ok(codes)
    }

    /// The number of unused codes.
    pub async fn recovery_codes_left(&self, caller: &SignedInUser) -> Result<u32> {
        let id = caller.user.id.clone();
        self.read(move |conn| Ok(factors::recovery_codes_left(conn, &id)?))
            .await
    }

    /// Accepts a code instead of the second factor. Errors: 422 `mfa_verification_failed`,
    /// `over_request_rate_limit`.
    pub async fn use_recovery_code(
        &self,
        from: ClientInfo,
        caller: SignedInUser,
        code: String,
    ) -> Result<Grant> {
        self.ip_limiter.check(&from)?;
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let caller = caller.reload(tx)?;
            let id = &caller.user.id;
            let permit = tx.acquire_permit(SecretKind::Factor, id, Some(id), &from)?;
            let typed: String = code
                .to_ascii_lowercase()
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .collect();
            let digest = digest(&tx.keys.ring(now), id, &typed);
            let is_correct = caller.user.has_verified_factor()
                && factors::use_recovery_code(conn, id, &digest, now)?;
            if !is_correct {
                tx.record_own_from(&from, "factor_failed", id, &[])?;
                return reject(AuthError::WRONG_RECOVERY_CODE);
            }
            permit.refund(conn)?;
            let left = factors::recovery_codes_left(conn, id)?;
            let detail = [("left", json!(left))];
            tx.record_own("recovery_code_used", id, &detail)?;
            tx.step_up(&from, &caller, None, "recovery_code")
        })
        .await
    }
}

/// Four groups of four.
fn generate_code() -> String {
    let mut code = String::with_capacity(LENGTH + 3);
    while code.len() < LENGTH + 3 {
        if code.len() % 5 == 4 {
            code.push('-');
        }
        let [byte] = ids::random_bytes::<1>();
        // 240 is the largest multiple of 30 in a byte: larger values would favor the first
        // characters.
        if byte < 240 {
            code.push(char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]));
        }
    }
    code
}

fn digest(ring: &KeyRing, user_id: &str, code: &str) -> String {
    let bare = code.replace('-', "");
    ring.digest("recovery-code", &[user_id.as_bytes(), bare.as_bytes()])
}

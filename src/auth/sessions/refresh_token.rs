//! Encoding of refresh tokens. A token is derived from the session's id and a counter, so none is
//! stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::keys::key_ring::KeyRing;

/// Length of a token in bytes: the session's id, the counter, and a tag of 128 bits.
const TAG: usize = 16;
const LENGTH: usize = 16 + 4 + TAG;

/// The refresh token for this counter: 48 characters.
pub(crate) fn derive(ring: &KeyRing, session_id: &str, counter: u32) -> Result<String> {
    let id = Uuid::parse_str(session_id)
        .map_err(|_| Error::Internal("a session's id is no UUID".into()))?;
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&counter.to_be_bytes());
    bytes.extend_from_slice(&tag(ring, &bytes));
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

fn tag(ring: &KeyRing, head: &[u8]) -> [u8; TAG] {
    let mut tag = [0; TAG];
    tag.copy_from_slice(&ring.derive("refresh", &[head])[..TAG]);
    tag
}

/// The session id and counter of a token that we issued.
pub(crate) fn parse(ring: &KeyRing, token: &str) -> Option<(String, u32)> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let (head, given) = bytes.split_at_checked(LENGTH - TAG)?;
    let is_correct = given.len() == TAG && bool::from(tag(ring, head).ct_eq(given));
    let (id, counter) = head.split_at_checked(16)?;
    is_correct.then_some((
        Uuid::from_slice(id).ok()?.to_string(),
        u32::from_be_bytes(counter.try_into().ok()?),
    ))
}

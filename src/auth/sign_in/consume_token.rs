//! Checks codes and links from emails. Each works once.

use subtle::ConstantTimeEq;

use super::email_tokens::{PKCE_PREFIX, link_token};
use crate::Transaction;
use crate::error::Result;
use crate::keys::secrets::digest;
use store::accounts::one_time_tokens::{self, OneTimeToken, Sender, WRONG_CODES};

/// Whether a link token of a PKCE flow is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PkceLinks {
    /// Accepted: the browser gets a code, which yields a session only with the verifier.
    Accept,
    /// Rejected: this path returns a session to the holder of the token.
    Reject,
}

impl Transaction<'_> {
    /// Checks `code` against a row. A correct code is consumed. Wrong codes are counted, and the
    /// fifth voids the slot: all codes and links that clients requested. Of an admin's email it
    /// voids only the code: the link cannot be guessed, and anyone may type wrong codes.
    pub(crate) fn consume_code(&self, row: &OneTimeToken, code: &str) -> Result<bool> {
        let Transaction { conn, now, .. } = *self;
        let user = row.user_id.as_deref();
        let given = link_token(
            &self.keys.ring(now),
            user.unwrap_or_default(),
            &row.slot,
            &row.address,
            &row.nonce,
            code,
        );
        let is_correct = bool::from(digest(&given).as_bytes().ct_eq(row.digest.as_bytes()));
        if is_correct && row.expires_at > now {
            one_time_tokens::delete(conn, row.id)?;
            return Ok(true);
        }
        one_time_tokens::count_wrong(conn, row.id)?;
        if row.wrong + 1 >= WRONG_CODES && row.sender == Sender::Request {
            one_time_tokens::void_requests(conn, user, &row.slot, now)?;
        }
        Ok(false)
    }

    /// Consumes the row of a link token if it has not expired and belongs to one of `slots`, so
    /// that a link works only for its own purpose.
    pub(crate) fn consume_link(
        &self,
        slots: &[&str],
        token: &str,
        pkce_links: PkceLinks,
    ) -> Result<Option<OneTimeToken>> {
        let Transaction { conn, now, .. } = *self;
        let bare = token.strip_prefix(PKCE_PREFIX).unwrap_or(token);
        let found = one_time_tokens::by_digest(conn, &digest(bare))?;
        let is_usable = |row: &OneTimeToken| {
            slots.contains(&row.slot.as_str())
                && (pkce_links == PkceLinks::Accept || row.flow_id.is_none())
        };
        let Some(row) = found.filter(is_usable) else {
            return Ok(None);
        };
        one_time_tokens::delete(conn, row.id)?;
        Ok(Some(row).filter(|row| row.expires_at > now))
    }
}

//! One-time tokens, and how their rows are read.

use rusqlite::Row;

use crate::database::row::{self, read_row};
use domain::account::Metadata;
use domain::clock::Time;

domain::text_enum! {
    /// Who requested an email.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Sender {
        /// A client without admin rights.
        Request = "request",
        /// An admin or an operator.
        Admin = "admin",
    }
}

row::stored!(text: Sender);

/// The data of a sign-up; applied when the code or link of its email is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignUp {
    /// The PHC string of the password's hash; none for a sign-up by code.
    pub password_hash: Option<String>,
    /// The user's own metadata.
    pub user_metadata: Metadata,
}

#[derive(Clone, Debug)]
pub struct OneTimeToken {
    /// The row id; 0 before the insertion.
    pub id: i64,
    /// The user; none for an address without an account.
    pub user_id: Option<String>,
    /// `confirmation`, `recovery`, `email_change_current`, `email_change_new` or
    /// `reauthentication`.
    pub slot: String,
    /// Who requested it.
    pub sender: Sender,
    /// The kind of the email.
    pub kind: String,
    /// The recipient.
    pub address: String,
    /// Makes each token unique.
    pub nonce: String,
    /// The digest of the link token.
    pub digest: String,
    /// The PKCE flow that it completes.
    pub flow_id: Option<String>,
    /// Wrong attempts so far.
    pub wrong: u32,
    /// The sign-up that it confirms.
    pub sign_up: Option<SignUp>,
    pub expires_at: Time,
}

pub(super) const COLUMNS: &str = "id, user_id, slot, sender, kind, address, nonce, digest, \
    flow_id, wrong, password_hash, user_metadata, expires_at";

pub(super) fn read(found: &Row<'_>) -> rusqlite::Result<OneTimeToken> {
    let metadata: Option<String> = found.get("user_metadata")?;
    read_row!(found => OneTimeToken {
        id, user_id, slot, sender, kind, address, nonce, digest, flow_id, wrong, expires_at;
        sign_up: match metadata {
            Some(_) => Some(read_row!(found => SignUp { password_hash, user_metadata })?),
            None => None,
        },
    })
}

//! Accounts whose address nobody has proved yet. Whoever signed up may be a stranger, so nothing that a sign-up brought is part of the account: it waits with its
//! own mail (`store::one_time_tokens`), and goes when an admin takes the account in hand.

use serde_json::json;

use super::accounts::merged;
use super::audit::{self, Actor};
use super::error::Result;
use super::purpose::Purpose;
use crate::domain::account::User;
use crate::domain::clock::Time;
use crate::store::one_time_tokens::SignUp;
use crate::store::{Connection, accounts, flows, one_time_tokens, passwords, sessions};

/// Discards what strangers may have left in a pending account: password, sessions, and every mail under way. From then on sign-ups for it carry no password.
/// Call it before an admin gives such an account a role, confirms or invites it; does nothing to an account whose address is proved.
///
/// # Errors
/// What the store says.
pub(super) fn reset(conn: &Connection, user: &User, actor: Actor<'_>, now: Time) -> Result<()> {
    if !user.is_pending() {
        return Ok(());
    }
    let id = &user.id;
    let had_password = passwords::password_hash(conn, id)?.is_some();
    passwords::drop_password(conn, id, now)?;
    let ended = sessions::end_all(conn, id)?;
    let mails = one_time_tokens::delete_all(conn, id)?;
    flows::delete_all(conn, id)?;
    accounts::mark_admin_managed(conn, id, now)?;
    if had_password || ended + mails > 0 {
        let detail = [
            ("password", json!(had_password)),
            ("sessions_ended", json!(ended)),
            ("mails_voided", json!(mails)),
        ];
        audit::record(conn, "pending_account_reset", actor, Some(id), &detail, now)?;
    }
    Ok(())
}

/// Gives the account what the sign-up brought whose mail was answered, and voids the other mails that wait for the same answer. A mail that is no sign-up's leaves
/// the account without a password.
///
/// # Errors
/// What the store says.
pub(super) fn settle(
    conn: &Connection,
    user: &User,
    purpose: Purpose,
    sign_up: Option<&SignUp>,
    now: Time,
) -> Result<()> {
    if purpose != Purpose::Signup {
        passwords::drop_password(conn, &user.id, now)?;
    }
    if let Some(sign_up) = sign_up {
        if let Some(hash) = &sign_up.password_hash {
            passwords::set_password_hash(conn, &user.id, hash, now)?;
        }
        let facts = merged(user.user_metadata.clone(), sign_up.user_metadata.clone());
        accounts::set_user_metadata(conn, &user.id, &facts, now)?;
    }
    one_time_tokens::delete_slot(conn, &user.id, Purpose::Signup.slot())?;
    Ok(())
}

/// The hash that a password is compared with at sign-in: the account's own, or for a pending account that of the newest sign-up, whose password then earns the
/// answer that the address is unconfirmed.
///
/// # Errors
/// What the store says.
pub(super) fn sign_in_hash(conn: &Connection, user: &User) -> Result<Option<String>> {
    match passwords::password_hash(conn, &user.id)? {
        None if user.is_pending() => Ok(one_time_tokens::newest_password_hash(conn, &user.id)?),
        hash => Ok(hash),
    }
}

/// What a request for a pending account mails: an invited one gets its invitation again.
pub(super) fn purpose_for(user: &User, otherwise: Purpose) -> Purpose {
    if user.invited_at.is_some() {
        Purpose::Invite
    } else {
        otherwise
    }
}

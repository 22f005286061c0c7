//! Accounts with an unconfirmed address. Anyone may have signed up, so no data of a sign-up belongs
//! to the account yet: it is stored with its own email (`store::accounts::one_time_tokens`) and is
//! deleted when an admin takes over the account.

use crate::Transaction;
use serde_json::json;

use super::create_user_with_identity;
use super::metadata::merge_metadata;
use crate::audit::Actor;
use crate::emails::purpose::Purpose;
use crate::error::{AuthError, Result, reject};
use domain::account::{Metadata, User};
use domain::email::email_address::EmailAddress;
use store::Connection;
use store::accounts::one_time_tokens::{self, SignUp};
use store::accounts::{self, NewUser, flows, passwords, sessions};

/// The account of `known`, which is reset, or a new one for `email` with `data`, for an admin to
/// confirm by a link. Errors: `email_exists` if the address is confirmed.
pub(crate) fn take_over(
    tx: &Transaction<'_>,
    known: Option<User>,
    email: &EmailAddress,
    data: Metadata,
    actor: Actor<'_>,
) -> Result<User> {
    if let Some(user) = known {
        if user.email_confirmed_at.is_some() {
            return reject(AuthError::EMAIL_EXISTS);
        }
        reset(tx, &user, actor)?;
        return Ok(user);
    }
    let user = NewUser {
        email: Some(email.clone()),
        user_metadata: data,
        admin_managed: true,
        ..NewUser::default()
    };
    let user = create_user_with_identity(tx, user, None)?;
    tx.record("user_created", actor, Some(&user.id), &[])?;
    Ok(user)
}

/// Deletes what unconfirmed sign-ups left in a pending account: password, sessions and all pending
/// emails. Later sign-ups for it carry no password. Call it before an admin gives the account a
/// role, confirms or invites it. Does nothing to a confirmed account.
pub(crate) fn reset(tx: &Transaction<'_>, user: &User, actor: Actor<'_>) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    if !user.is_pending() {
        return Ok(());
    }
    let id = &user.id;
    let had_password = passwords::password_hash(conn, id)?.is_some();
    passwords::drop_password(conn, id, now)?;
    let ended = sessions::end_all(conn, id)?;
    let emails = one_time_tokens::delete_all(conn, id)?;
    flows::delete_all(conn, id)?;
    accounts::mark_admin_managed(conn, id, now)?;
    if had_password || ended + emails > 0 {
        let detail = [
            ("password", json!(had_password)),
            ("sessions_ended", json!(ended)),
            ("mails_voided", json!(emails)),
        ];
        tx.record("pending_account_reset", actor, Some(id), &detail)?;
    }
    Ok(())
}

/// Applies the sign-up whose email was confirmed, and deletes the other confirmation emails. If the
/// email belongs to no sign-up, the account has no password afterwards.
pub(crate) fn apply_sign_up(
    tx: &Transaction<'_>,
    user: &User,
    purpose: Purpose,
    sign_up: Option<&SignUp>,
) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    if purpose != Purpose::Signup {
        passwords::drop_password(conn, &user.id, now)?;
    }
    if let Some(sign_up) = sign_up {
        if let Some(hash) = &sign_up.password_hash {
            passwords::set_password_hash(conn, &user.id, hash, now)?;
        }
        let metadata = merge_metadata(user.user_metadata.clone(), sign_up.user_metadata.clone());
        accounts::set_user_metadata(conn, &user.id, &metadata, now)?;
    }
    one_time_tokens::delete_slot(conn, &user.id, Purpose::Signup.slot())?;
    Ok(())
}

/// The hash to compare at sign-in: the account's own, or for a pending account that of the newest
/// sign-up. The correct password then yields `email_not_confirmed`.
pub(crate) fn sign_in_hash(conn: &Connection, user: &User) -> Result<Option<String>> {
    match passwords::password_hash(conn, &user.id)? {
        None if user.is_pending() => Ok(one_time_tokens::newest_password_hash(conn, &user.id)?),
        hash => Ok(hash),
    }
}

/// The purpose of an email for a pending account: an invited user gets the invitation again.
pub(crate) fn purpose_for(user: &User, otherwise: Purpose) -> Purpose {
    if user.invited_at.is_some() {
        Purpose::Invite
    } else {
        otherwise
    }
}

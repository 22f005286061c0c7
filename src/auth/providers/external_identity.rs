//! Maps an external identity to an account (auth API, section 9). An account is found by provider
//! and subject; it is linked by address only if the provider has verified the address **and** the
//! account's own address is confirmed; else a new account is created. Claiming an address at a
//! provider therefore opens no existing account.

use serde_json::json;

use super::oidc;
use crate::accounts::create_user_with_identity;
use crate::error::{AuthError, Kind, Result, reject};
use crate::{Auth, SignedInUser, Transaction};
use domain::account::{Metadata, User};
use domain::email::email_address::EmailAddress;
use store::accounts::identities::{self, NewIdentity};
use store::accounts::{self, NewUser};

/// A user as described by an identity provider or wallet.
#[derive(Clone, Debug)]
pub struct ExternalProfile {
    pub identity: NewIdentity,
    /// The address, only if the provider has verified it and is trusted for its domain.
    pub email: Option<EmailAddress>,
    /// Profile fields for a new account.
    pub profile: Metadata,
}

impl ExternalProfile {
    /// The profile of an OpenID Connect user.
    pub fn of_provider(provider: &str, claims: oidc::IdentityClaims) -> Self {
        let mut data = claims.profile.clone();
        data.insert("sub".into(), json!(claims.subject));
        data.insert("email".into(), json!(claims.email));
        data.insert("email_verified".into(), json!(claims.email_verified));
        data.insert("phone_verified".into(), json!(false));
        Self {
            email: claims
                .email
                .as_deref()
                .filter(|_| claims.email_verified)
                .and_then(|email| email.parse().ok()),
            identity: NewIdentity {
                provider: provider.to_owned(),
                subject: claims.subject,
                email: claims.email,
                data,
            },
            profile: claims.profile,
        }
    }

    /// The profile of a wallet owner: only the chain and the address are known.
    pub fn of_wallet(chain: &str, address: &str, subject: String) -> Self {
        let data = json!({ "sub": subject, "chain": chain, "address": address,
            "email_verified": false, "phone_verified": false });
        Self {
            identity: NewIdentity {
                provider: "web3".to_owned(),
                subject,
                email: None,
                data: data.as_object().cloned().unwrap_or_default(),
            },
            email: None,
            profile: Metadata::new(),
        }
    }
}

/// Returns the id of the account for `external`; creates one if `may_join`. Errors: 422
/// `signup_disabled`.
pub fn find_or_create_user(
    tx: &Transaction<'_>,
    external: ExternalProfile,
    may_join: bool,
) -> Result<String> {
    let Transaction { conn, now, .. } = *tx;
    let ExternalProfile {
        identity,
        email,
        profile,
    } = external;
    if let Some(known) = identities::by_subject(conn, &identity.provider, &identity.subject)? {
        let address = identity.email.as_deref();
        identities::refresh(conn, &known.id, &identity.data, address, now)?;
        return Ok(known.user_id);
    }
    let owner = match &email {
        Some(email) => accounts::by_email(conn, email)?,
        None => None,
    };
    let taken = owner.is_some();
    if let Some(user) = owner.filter(|user| user.email_confirmed_at.is_some()) {
        insert_identity(tx, &user, &identity)?;
        return Ok(user.id);
    }
    if !may_join {
        return reject(AuthError::SIGNUP_DISABLED);
    }
    // An unconfirmed account keeps the address; the new account is created without one.
    let email = email.filter(|_| !taken);
    let user = NewUser {
        email_confirmed: email.is_some(),
        email,
        user_metadata: profile,
        ..NewUser::default()
    };
    let user = create_user_with_identity(tx, user, Some(identity))?;
    tx.record_own("user_created", &user.id, &[])?;
    Ok(user.id)
}

/// Links the external identity to the caller's account. Errors: 422 `identity_already_exists` if it
/// belongs to another account.
pub(crate) fn link_identity(
    tx: &Transaction<'_>,
    caller: &SignedInUser,
    external: &ExternalProfile,
) -> Result<()> {
    let identity = &external.identity;
    if identities::by_subject(tx.conn, &identity.provider, &identity.subject)?.is_some() {
        return reject(AuthError::IDENTITY_ALREADY_EXISTS);
    }
    insert_identity(tx, &caller.user, identity)
}

fn insert_identity(tx: &Transaction<'_>, user: &User, identity: &NewIdentity) -> Result<()> {
    let Transaction { conn, now, .. } = *tx;
    identities::insert(conn, &user.id, identity, now)?;
    let detail = [("provider", json!(identity.provider))];
    tx.record_own("identity_linked", &user.id, &detail)
}

impl Auth {
    /// Unlinks one of the caller's identities. Errors: `single_identity_not_deletable`,
    /// `identity_not_found`, `insufficient_aal`.
    pub async fn unlink_identity(&self, caller: SignedInUser, identity_id: String) -> Result<()> {
        self.change(move |tx| {
            let conn = tx.conn;
            let caller = caller.reload(tx)?;
            caller.require_second_factor(Kind::Unauthenticated)?;
            let own = identities::of_user(conn, &caller.user.id)?;
            if own.len() < 2 {
                return reject(AuthError::SINGLE_IDENTITY_NOT_DELETABLE);
            }
            let Some(identity) = own.iter().find(|identity| identity.id == identity_id) else {
                return reject(AuthError::IDENTITY_NOT_FOUND);
            };
            identities::delete(conn, &identity.id)?;
            let id = &caller.user.id;
            let detail = [("provider", json!(identity.provider))];
            tx.record_own("identity_unlinked", id, &detail)
        })
        .await
    }
}

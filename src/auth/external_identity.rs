//! The account of somebody whom an outside party vouches for (contract section 9): found by provider and subject; linked by address only where the provider has
//! verified it **and** the account's own address is confirmed; else made anew. So nobody gets into an account by claiming its address anywhere.

use serde_json::json;

use super::accounts::create_user_with_identity;
use super::audit::{self, Actor};
use super::error::{AuthError, Kind, Result, reject};
use super::session::insufficient;
use super::{Auth, SignedInUser, oidc};
use crate::domain::account::{EmailAddress, Metadata, User};
use crate::domain::clock::Time;
use crate::store::accounts::NewUser;
use crate::store::identities::NewIdentity;
use crate::store::{Connection, accounts, identities};

/// Somebody an outside party vouches for.
#[derive(Clone, Debug)]
pub struct ExternalProfile {
    /// Who they are to the provider.
    pub identity: NewIdentity,
    /// Their address, only where the provider has verified it and may do so.
    pub email: Option<EmailAddress>,
    /// What a new account shows of them.
    pub profile: Metadata,
}

impl ExternalProfile {
    /// Somebody who signed in at an OpenID provider.
    pub fn of_provider(provider: &str, person: oidc::Person) -> Self {
        let mut data = person.profile.clone();
        data.insert("sub".into(), json!(person.subject));
        data.insert("email".into(), json!(person.email));
        data.insert("email_verified".into(), json!(person.email_verified));
        data.insert("phone_verified".into(), json!(false));
        Self {
            email: person
                .email
                .as_deref()
                .filter(|_| person.email_verified)
                .and_then(|email| email.parse().ok()),
            identity: NewIdentity {
                provider: provider.to_owned(),
                subject: person.subject,
                email: person.email,
                data,
            },
            profile: person.profile,
        }
    }

    /// The owner of a wallet: an address of a chain, and nothing else known.
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

/// The id of the guest's account; makes one where `may_join`.
///
/// # Errors
/// 422 `signup_disabled`; what the store says.
pub fn account_of(
    conn: &Connection,
    guest: ExternalProfile,
    may_join: bool,
    now: Time,
) -> Result<String> {
    let ExternalProfile {
        identity,
        email,
        profile,
    } = guest;
    if let Some(known) = identities::by_subject(conn, &identity.provider, &identity.subject)? {
        let address = identity.email.as_deref();
        identities::refresh(conn, &known.id, &identity.data, address, now)?;
        return Ok(known.user_id);
    }
    let holder = match &email {
        Some(email) => accounts::by_email(conn, email)?,
        None => None,
    };
    let taken = holder.is_some();
    if let Some(user) = holder.filter(|user| user.email_confirmed_at.is_some()) {
        add(conn, &user, &identity, now)?;
        return Ok(user.id);
    }
    if !may_join {
        return reject(AuthError::new(
            Kind::Unprocessable,
            "signup_disabled",
            "Signups not allowed for this instance",
        ));
    }
    // Whoever holds the address without having confirmed it keeps it; the guest's account goes without.
    let email = email.filter(|_| !taken);
    let user = NewUser {
        email_confirmed: email.is_some(),
        email,
        user_metadata: profile,
        ..NewUser::default()
    };
    let user = create_user_with_identity(conn, user, Some(identity), now)?;
    let actor = Actor::User(&user.id);
    audit::record(conn, "user_created", actor, Some(&user.id), &[], now)?;
    Ok(user.id)
}

/// Whoever links or unlinks an identity must have shown the second factor, where there is one.
///
/// # Errors
/// 401 `insufficient_aal`.
pub(super) fn demand_second_factor(caller: &SignedInUser) -> Result<()> {
    if caller.lacks_second_factor() {
        return reject(insufficient());
    }
    Ok(())
}

/// Links the guest to whoever is signed in: from then on the provider opens this account.
///
/// # Errors
/// 422 `identity_already_exists` where it is somebody's already.
pub(super) fn link(
    conn: &Connection,
    caller: &SignedInUser,
    guest: &ExternalProfile,
    now: Time,
) -> Result<()> {
    let identity = &guest.identity;
    if identities::by_subject(conn, &identity.provider, &identity.subject)?.is_some() {
        return reject(AuthError::new(
            Kind::Unprocessable,
            "identity_already_exists",
            "Identity is already linked to another user",
        ));
    }
    add(conn, &caller.user, identity, now)
}

fn add(conn: &Connection, user: &User, identity: &NewIdentity, now: Time) -> Result<()> {
    identities::insert(conn, &user.id, identity, now)?;
    let detail = [("provider", json!(identity.provider))];
    let actor = Actor::User(&user.id);
    audit::record(conn, "identity_linked", actor, Some(&user.id), &detail, now)
}

impl Auth {
    /// Unlinks one of the user's identities.
    ///
    /// # Errors
    /// `single_identity_not_deletable`, `identity_not_found`, `insufficient_aal`.
    pub async fn unlink_identity(&self, caller: SignedInUser, identity_id: String) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let caller = caller.reload(conn, now)?;
            demand_second_factor(&caller)?;
            let own = identities::of_user(conn, &caller.user.id)?;
            if own.len() < 2 {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "single_identity_not_deletable",
                    "User must have at least 1 identity after unlinking",
                ));
            }
            let Some(identity) = own.iter().find(|identity| identity.id == identity_id) else {
                return reject(AuthError::new(
                    Kind::Unprocessable,
                    "identity_not_found",
                    "Identity doesn't exist",
                ));
            };
            identities::delete(conn, &identity.id)?;
            let id = &caller.user.id;
            let detail = [("provider", json!(identity.provider))];
            audit::record(
                conn,
                "identity_unlinked",
                Actor::User(id),
                Some(id),
                &detail,
                now,
            )
        })
        .await
    }
}

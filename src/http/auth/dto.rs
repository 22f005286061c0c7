//! Response bodies of the contract's section 2; nothing else about a user is ever exposed.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::{Value, json};

use crate::auth::Grant;
use crate::auth::access_token::AUDIENCE;
use crate::auth::session::WeakPassword;
use crate::domain::account::{self, Metadata};
use crate::domain::clock::Time;

/// A session, the response of every token endpoint.
#[derive(Object)]
#[oai(skip_serializing_if_is_none)]
pub struct Session {
    /// PASETO v4.public; for the `Authorization` header.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: String,
    /// Lifetime of the access token in seconds.
    pub expires_in: i64,
    /// When the access token expires, in Unix seconds.
    pub expires_at: i64,
    /// Single use; each refresh returns a new one.
    pub refresh_token: String,
    /// `aal1` or `aal2`: the authenticator assurance level of this session.
    pub aal: String,
    /// The user.
    pub user: User,
    /// Present if today's rules would reject the password.
    pub weak_password: Option<Weakness>,
    /// The provider's access token.
    pub provider_token: Option<String>,
    /// The provider's refresh token.
    pub provider_refresh_token: Option<String>,
}

/// Why today's rules would reject the password.
#[derive(Object)]
pub struct Weakness {
    /// A message for people.
    pub message: String,
    /// `length`, `characters`, `pwned`.
    pub reasons: Vec<String>,
}

/// A user.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct User {
    /// UUID.
    pub id: String,
    /// Always `authenticated`.
    pub aud: String,
    /// `authenticated`; roles are not shown here.
    pub role: String,
    /// Empty if there is none.
    pub email: String,
    /// Empty if there is none.
    pub phone: String,
    /// `provider`, `providers` and what admins set.
    pub app_metadata: Any<Value>,
    /// Metadata that the user sets.
    pub user_metadata: Any<Value>,
    /// The ways to sign in.
    pub identities: Vec<Identity>,
    /// RFC 3339, as all times here.
    pub created_at: String,
    /// The last change.
    pub updated_at: String,
    /// Always false.
    pub is_anonymous: bool,
    /// When the address was confirmed.
    pub email_confirmed_at: Option<String>,
    /// When the number was confirmed.
    pub phone_confirmed_at: Option<String>,
    /// The earlier of the two.
    pub confirmed_at: Option<String>,
    /// When the invitation was made.
    pub invited_at: Option<String>,
    /// When the confirmation was sent.
    pub confirmation_sent_at: Option<String>,
    /// When a recovery or magic link was sent.
    pub recovery_sent_at: Option<String>,
    /// When a change of address was sent for confirmation.
    pub email_change_sent_at: Option<String>,
    /// When a reauthentication code was sent.
    pub reauthentication_sent_at: Option<String>,
    /// The new address, until it is confirmed.
    pub new_email: Option<String>,
    /// The last sign-in.
    pub last_sign_in_at: Option<String>,
    /// No sign-in before this time.
    pub banned_until: Option<String>,
    /// Set on an anonymized user.
    pub deleted_at: Option<String>,
    /// Second factors; absent where there are none.
    #[oai(skip_serializing_if_is_none)]
    pub factors: Option<Vec<Factor>>,
    /// `admin` for an admin. Shown to admins only, in the list of users.
    #[oai(skip_serializing_if_is_none)]
    pub roles: Option<Vec<String>>,
}

impl User {
    /// Adds the roles.
    #[must_use]
    pub fn with_roles(self, roles: Vec<String>) -> Self {
        Self {
            roles: Some(roles),
            ..self
        }
    }
}

/// One way to sign in.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct Identity {
    /// The row's id.
    pub identity_id: String,
    /// The provider's id of the user.
    pub id: String,
    /// The user's id.
    pub user_id: String,
    /// `email` or a provider.
    pub provider: String,
    /// The provider's claims.
    pub identity_data: Any<Value>,
    /// The address the provider gave.
    pub email: Option<String>,
    /// The last sign-in by it.
    pub last_sign_in_at: Option<String>,
    /// When it was linked.
    pub created_at: String,
    /// The last change.
    pub updated_at: String,
}

/// A second factor.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct Factor {
    /// UUID.
    pub id: String,
    /// `totp`.
    pub factor_type: String,
    /// `unverified` or `verified`.
    pub status: String,
    /// The user's name for it.
    pub friendly_name: String,
    /// When enrollment started.
    pub created_at: String,
    /// The last change.
    pub updated_at: String,
    /// The last challenge.
    pub last_challenged_at: Option<String>,
}

/// An empty object, `{}`.
#[derive(Object, Default)]
#[oai(rename = "Nothing")]
pub struct Empty {}

fn text(time: Time) -> String {
    time.to_string()
}

impl From<Grant> for Session {
    fn from(grant: Grant) -> Self {
        Self {
            access_token: grant.access_token,
            token_type: "bearer".to_owned(),
            expires_in: grant.expires_in,
            expires_at: grant.expires_at,
            refresh_token: grant.refresh_token,
            aal: grant.aal.as_str().to_owned(),
            user: (&grant.user).into(),
            weak_password: grant.weak_password.map(Weakness::from),
            provider_token: grant.provider_token,
            provider_refresh_token: grant.provider_refresh_token,
        }
    }
}

impl From<WeakPassword> for Weakness {
    fn from(weak: WeakPassword) -> Self {
        Self {
            message: weak.message,
            reasons: weak.reasons.into_iter().map(ToOwned::to_owned).collect(),
        }
    }
}

impl From<&account::User> for User {
    fn from(user: &account::User) -> Self {
        let confirmed = [user.email_confirmed_at, user.phone_confirmed_at];
        Self {
            id: user.id.clone(),
            aud: AUDIENCE.to_owned(),
            role: AUDIENCE.to_owned(),
            email: user.email.clone().unwrap_or_default(),
            phone: user.phone.clone().unwrap_or_default(),
            app_metadata: Any(Value::Object(app_metadata(user))),
            user_metadata: Any(Value::Object(user.user_metadata.clone())),
            identities: user.identities.iter().map(Identity::from).collect(),
            created_at: text(user.created_at),
            updated_at: text(user.updated_at),
            is_anonymous: false,
            email_confirmed_at: user.email_confirmed_at.map(text),
            phone_confirmed_at: user.phone_confirmed_at.map(text),
            confirmed_at: confirmed.into_iter().flatten().min().map(text),
            invited_at: user.invited_at.map(text),
            confirmation_sent_at: user.confirmation_sent_at.map(text),
            recovery_sent_at: user.recovery_sent_at.map(text),
            email_change_sent_at: user.email_change_sent_at.map(text),
            reauthentication_sent_at: user.reauthentication_sent_at.map(text),
            new_email: user.new_email.clone(),
            last_sign_in_at: user.last_sign_in_at.map(text),
            banned_until: user.banned_until.map(text),
            deleted_at: user.deleted_at.map(text),
            factors: (!user.factors.is_empty())
                .then(|| user.factors.iter().map(Factor::from).collect()),
            roles: None,
        }
    }
}

/// `provider` and `providers` reflect the identities, whatever an admin has set. The decoy user of
/// a sign-up has no identities and brings its own values.
fn app_metadata(user: &account::User) -> Metadata {
    let mut metadata = user.app_metadata.clone();
    if user.identities.is_empty() {
        metadata
            .entry("providers")
            .or_insert_with(|| Value::Array(Vec::new()));
        return metadata;
    }
    let mut providers: Vec<&str> = Vec::new();
    for identity in &user.identities {
        if !providers.contains(&identity.provider.as_str()) {
            providers.push(&identity.provider);
        }
    }
    if let Some(first) = providers.first() {
        metadata.insert("provider".to_owned(), json!(first));
    }
    metadata.insert("providers".to_owned(), json!(providers));
    metadata
}

impl From<&account::Identity> for Identity {
    fn from(identity: &account::Identity) -> Self {
        Self {
            identity_id: identity.id.clone(),
            id: identity.subject.clone(),
            user_id: identity.user_id.clone(),
            provider: identity.provider.clone(),
            identity_data: Any(Value::Object(identity.data.clone())),
            email: identity.email.clone(),
            last_sign_in_at: identity.last_sign_in_at.map(text),
            created_at: text(identity.created_at),
            updated_at: text(identity.updated_at),
        }
    }
}

impl From<&account::Factor> for Factor {
    fn from(factor: &account::Factor) -> Self {
        Self {
            id: factor.id.clone(),
            factor_type: "totp".to_owned(),
            status: if factor.verified {
                "verified"
            } else {
                "unverified"
            }
            .to_owned(),
            friendly_name: factor.friendly_name.clone(),
            created_at: text(factor.created_at),
            updated_at: text(factor.updated_at),
            last_challenged_at: factor.last_challenged_at.map(text),
        }
    }
}

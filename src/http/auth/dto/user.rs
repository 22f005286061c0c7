//! The response body that describes a user.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::{Value, json};

use super::factor::Factor;
use super::identity::Identity;
use auth::sessions::access_token::AUDIENCE;
use domain::account::{self, Metadata};

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
    /// Sign-in is blocked until this time.
    pub banned_until: Option<String>,
    /// Set on an anonymized user.
    pub deleted_at: Option<String>,
    /// Second factors; absent where there are none.
    #[oai(skip_serializing_if_is_none)]
    pub factors: Option<Vec<Factor>>,
    /// `admin` or `dispatcher`. Shown to admins only, in the list of users.
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
            created_at: user.created_at.to_string(),
            updated_at: user.updated_at.to_string(),
            is_anonymous: false,
            email_confirmed_at: user.email_confirmed_at.map(|time| time.to_string()),
            phone_confirmed_at: user.phone_confirmed_at.map(|time| time.to_string()),
            confirmed_at: confirmed
                .into_iter()
                .flatten()
                .min()
                .map(|time| time.to_string()),
            invited_at: user.invited_at.map(|time| time.to_string()),
            confirmation_sent_at: user.confirmation_sent_at.map(|time| time.to_string()),
            recovery_sent_at: user.recovery_sent_at.map(|time| time.to_string()),
            email_change_sent_at: user.email_change_sent_at.map(|time| time.to_string()),
            reauthentication_sent_at: user.reauthentication_sent_at.map(|time| time.to_string()),
            new_email: user.new_email.clone(),
            last_sign_in_at: user.last_sign_in_at.map(|time| time.to_string()),
            banned_until: user.banned_until.map(|time| time.to_string()),
            deleted_at: user.deleted_at.map(|time| time.to_string()),
            factors: (!user.factors.is_empty())
                .then(|| user.factors.iter().map(Factor::from).collect()),
            roles: None,
        }
    }
}

/// `provider` and `providers` reflect the identities, regardless of values set by admins. The decoy
/// user of a sign-up has no identities and brings its own values.
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

//! The response body that describes a user.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::{Value, json};

use auth::sessions::access_token::AUDIENCE;
use domain::account::{self, Factor, Metadata};
use domain::clock::Time;

/// A user.
#[derive(Object, Clone)]
#[oai(skip_serializing_if_is_none)]
pub struct User {
    #[oai(flatten)]
    pub account: account::User,
    /// Always `authenticated`.
    pub aud: String,
    /// `authenticated`; roles are not shown here.
    pub role: String,
    /// Empty if there is none.
    pub email: String,
    /// Empty if there is none.
    pub phone: String,
    /// `provider`, `providers` and what admins set.
    pub app_metadata: Any<Metadata>,
    /// Metadata that the user sets.
    pub user_metadata: Any<Metadata>,
    /// Always false.
    pub is_anonymous: bool,
    /// The earlier of the two.
    pub confirmed_at: Option<Time>,
    /// Second factors; absent where there are none.
    pub factors: Option<Vec<Factor>>,
    /// `admin` or `dispatcher`. Shown to admins only, in the list of users.
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

impl From<account::User> for User {
    fn from(account: account::User) -> Self {
        let confirmed = [account.email_confirmed_at, account.phone_confirmed_at];
        let factors = Some(account.factors.clone());
        Self {
            aud: AUDIENCE.to_owned(),
            role: AUDIENCE.to_owned(),
            email: account.email.clone().unwrap_or_default(),
            phone: account.phone.clone().unwrap_or_default(),
            app_metadata: Any(app_metadata(&account)),
            user_metadata: Any(account.user_metadata.clone()),
            is_anonymous: false,
            confirmed_at: confirmed.into_iter().flatten().min(),
            factors: factors.filter(|factors| !factors.is_empty()),
            roles: None,
            account,
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

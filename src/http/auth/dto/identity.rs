//! The response body that describes a way to sign in.

use poem_openapi::Object;
use poem_openapi::types::Any;
use serde_json::Value;

use domain::account;

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

impl From<&account::Identity> for Identity {
    fn from(identity: &account::Identity) -> Self {
        Self {
            identity_id: identity.id.clone(),
            id: identity.subject.clone(),
            user_id: identity.user_id.clone(),
            provider: identity.provider.clone(),
            identity_data: Any(Value::Object(identity.data.clone())),
            email: identity.email.clone(),
            last_sign_in_at: identity.last_sign_in_at.map(|time| time.to_string()),
            created_at: identity.created_at.to_string(),
            updated_at: identity.updated_at.to_string(),
        }
    }
}

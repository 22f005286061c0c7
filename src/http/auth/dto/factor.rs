//! The response body that describes a second factor.

use poem_openapi::Object;

use domain::account;

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
            created_at: factor.created_at.to_string(),
            updated_at: factor.updated_at.to_string(),
            last_challenged_at: factor.last_challenged_at.map(|time| time.to_string()),
        }
    }
}

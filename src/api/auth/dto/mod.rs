//! Response bodies of the contract's section 2; no other data of a user is exposed.

pub(super) mod user;

use poem_openapi::Object;

use self::user::User;
use auth::Grant;

/// A session, the response of every token endpoint.
#[derive(Object)]
pub struct Session {
    #[oai(flatten)]
    pub grant: Grant,
    /// Always `bearer`.
    pub token_type: String,
    /// The user.
    pub user: User,
}

/// An empty object, `{}`.
#[derive(Object, Default)]
#[oai(rename = "Nothing")]
pub struct Empty {}

impl From<Grant> for Session {
    fn from(mut grant: Grant) -> Self {
        Self {
            token_type: "bearer".to_owned(),
            user: std::mem::take(&mut grant.user).into(),
            grant,
        }
    }
}

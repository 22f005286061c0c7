//! Who may call what. A call of the desk says it by the type of its parameter (`desk.rs` of the
//! crate `api`), one of the account administration is for admins, and those of the storage service
//! for dispatchers are listed here.

use auth::{Auth, Result, SignedInUser};
use domain::account::Role;

/// Admins only.
pub const ADMIN: &[Role] = &[Role::Admin];
/// Everyone who works on requests.
pub const DESK: &[Role] = &[Role::Admin, Role::Dispatcher];

/// In place of the method: a call whose header `x-upsert` lets it replace a file. One that a
/// customer may have received is replaced by admins only, by whichever call.
pub const REPLACE: &str = "POST x-upsert";

/// The calls about the files of quote requests, and emails of customers: method, and path below
/// `/storage/v1/object`. `{key}` stands for one or more segments. `HEAD` counts as `GET`.
const OF_DISPATCHERS: [(&str, &str); 10] = [
    ("POST", "/sign/mail/{key}"),
    ("POST", "/mail/{key}"),
    ("GET", "/mail/{key}"),
    ("GET", "/authenticated/mail/{key}"),
    ("POST", "/sign/quotes"),
    ("POST", "/sign/quotes/{key}"),
    ("GET", "/quotes/{key}"),
    ("GET", "/authenticated/quotes/{key}"),
    ("GET", "/info/quotes/{key}"),
    ("GET", "/info/authenticated/quotes/{key}"),
];

/// The roles of which one is enough for a call of the storage service: its method, or `REPLACE`,
/// and its path.
fn storage_roles(method: &str, path: &str) -> &'static [Role] {
    let method = match method {
        "HEAD" => "GET",
        method => method,
    };
    let path = path.strip_prefix("/storage/v1/object").unwrap_or_default();
    let is_listed = |(allowed, template): &(&str, &str)| {
        *allowed == method
            && match template.strip_suffix("{key}") {
                Some(before) => path.starts_with(before),
                None => path == *template,
            }
    };
    match OF_DISPATCHERS.iter().any(is_listed) {
        true => DESK,
        false => ADMIN,
    }
}

/// Requires that the caller may make this call of the storage service. Errors: 403 `not_admin`, 401
/// `insufficient_aal`.
pub fn require(auth: &Auth, caller: &SignedInUser, method: &str, path: &str) -> Result<()> {
    auth.require_role(caller, storage_roles(method, path))
}

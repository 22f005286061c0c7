//! The actor of a call.

use crate::http::request::client_address::Client;
use crate::http::request::require_admin::Admin;
use crate::store::Actor;

/// Who changes a request.
pub(super) fn actor(admin: Admin, client: Client) -> Actor {
    Actor {
        user_id: admin.0.user.id,
        client: client.key,
    }
}

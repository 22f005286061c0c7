//! The actor of a call.

use crate::request::client_address::Client;
use crate::request::require_admin::Admin;
use store::Actor;

/// Who changes a request.
pub(super) fn actor(admin: Admin, client: Client) -> Actor {
    Actor {
        user_id: admin.0.user.id,
        client: client.key,
    }
}

//! Who may call what: each call that needs a role, of the product's own API, of the account
//! administration and of the storage service. A call that is not listed is refused to everyone.

use auth::{Auth, AuthError, Result, SignedInUser};
use domain::account::Role;

/// Admins only.
pub const ADMIN: &[Role] = &[Role::Admin];
/// Everyone who works on requests.
pub const DESK: &[Role] = &[Role::Admin, Role::Dispatcher];

/// What a call needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// The roles of which one is enough.
    pub roles: &'static [Role],
    /// Whether the sign-in must be recent.
    pub recent: bool,
}

/// Requests: everyone who works on them.
const REQUESTS: Permission = Permission {
    roles: DESK,
    recent: false,
};
/// All other calls.
const ADMINS: Permission = Permission {
    roles: ADMIN,
    recent: false,
};
/// What cannot be undone, or discloses everything.
const RECENT: Permission = Permission {
    roles: ADMIN,
    recent: true,
};

/// In place of the method: a call whose header `x-upsert` lets it replace a file.
pub const REPLACE: &str = "POST x-upsert";

/// Method, path and what the call needs; the first match counts. `{…}` stands for one segment of
/// the path, `{key}` at the end for one or more. `HEAD` counts as `GET`.
const CALLS: &[(&str, &str, Permission)] = &[
    ("GET", "/api/admin/inbox", REQUESTS),
    ("GET", "/api/admin/inbox/ids", REQUESTS),
    ("POST", "/api/admin/inbox/bulk", REQUESTS),
    ("POST", "/api/admin/inbox/undo", REQUESTS),
    ("GET", "/api/admin/inbox/phone", REQUESTS),
    ("POST", "/api/admin/inbox/phone", REQUESTS),
    ("GET", "/api/admin/inbox/{id}", REQUESTS),
    ("PATCH", "/api/admin/inbox/{id}", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/calls", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/corrections", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/discard", REQUESTS),
    ("PUT", "/api/admin/inbox/{id}/drafts/{form}", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/files/remove", REQUESTS),
    ("PATCH", "/api/admin/inbox/{id}/fields", REQUESTS),
    ("PUT", "/api/admin/inbox/{id}/follow-up", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/notes", REQUESTS),
    ("DELETE", "/api/admin/inbox/{id}/notes/{event}", REQUESTS),
    ("PUT", "/api/admin/inbox/{id}/outcome", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/merge", REQUESTS),
    (
        "POST",
        "/api/admin/inbox/{id}/messages/{event}/forward",
        REQUESTS,
    ),
    ("POST", "/api/admin/inbox/{id}/quote", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/read", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/release", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/replies", REQUESTS),
    ("GET", "/api/admin/inbox/{id}/reply-templates", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/separate", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/set-aside", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/spam", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/undo", REQUESTS),
    ("GET", "/api/admin/unmatched", REQUESTS),
    ("POST", "/api/admin/unmatched/{id}/attach", REQUESTS),
    ("POST", "/api/admin/unmatched/{id}/discard", REQUESTS),
    ("GET", "/api/admin/unmatched/{id}/fields", REQUESTS),
    ("POST", "/api/admin/unmatched/{id}/quote", REQUESTS),
    ("POST", "/api/admin/unmatched/{id}/request", REQUESTS),
    ("POST", "/api/admin/unmatched/{id}/restore", REQUESTS),
    ("GET", "/api/admin/quotes", REQUESTS),
    ("GET", "/api/admin/quotes/{id}", REQUESTS),
    ("PATCH", "/api/admin/quotes/{id}", REQUESTS),
    ("POST", "/api/admin/emails/{id}/retry", REQUESTS),
    ("GET", "/api/admin/filters", REQUESTS),
    ("POST", "/api/admin/filters", REQUESTS),
    ("DELETE", "/api/admin/filters/{id}", REQUESTS),
    ("GET", "/api/admin/live", REQUESTS),
    ("POST", "/api/admin/live/presence", REQUESTS),
    ("GET", "/api/admin/people", REQUESTS),
    ("GET", "/api/admin/reply-templates", REQUESTS),
    ("POST", "/api/admin/reply-templates", REQUESTS),
    ("PUT", "/api/admin/reply-templates/{id}", REQUESTS),
    ("DELETE", "/api/admin/reply-templates/{id}", REQUESTS),
    ("GET", "/api/admin/profile", REQUESTS),
    ("PUT", "/api/admin/profile", REQUESTS),
    ("GET", "/api/admin/taps", REQUESTS),
    ("GET", "/api/admin/inbox/{id}/offers", REQUESTS),
    ("POST", "/api/admin/inbox/{id}/offers", REQUESTS),
    ("GET", "/api/admin/offers", REQUESTS),
    ("POST", "/api/admin/offers/price", REQUESTS),
    ("GET", "/api/admin/offers/{number}", REQUESTS),
    ("PUT", "/api/admin/offers/{number}", REQUESTS),
    ("DELETE", "/api/admin/offers/{number}", REQUESTS),
    ("POST", "/api/admin/offers/{number}/preview", REQUESTS),
    ("POST", "/api/admin/offers/{number}/send", REQUESTS),
    ("POST", "/api/admin/offers/{number}/withdraw", REQUESTS),
    ("POST", "/api/admin/offers/{number}/answer", REQUESTS),
    ("POST", "/api/admin/offers/{number}/confirm", REQUESTS),
    (
        "GET",
        "/api/admin/offers/{number}/versions/{version}/{part}",
        REQUESTS,
    ),
    ("GET", "/api/admin/rates", REQUESTS),
    ("GET", "/api/admin/rates/versions", ADMINS),
    ("GET", "/api/admin/rates/versions/{version}", ADMINS),
    ("PUT", "/api/admin/rates/draft", ADMINS),
    ("DELETE", "/api/admin/rates/draft", ADMINS),
    ("POST", "/api/admin/rates/publish", RECENT),
    ("GET", "/api/admin/export", RECENT),
    ("POST", "/api/admin/person/find", ADMINS),
    ("POST", "/api/admin/person/export", ADMINS),
    ("POST", "/api/admin/person/erase", RECENT),
    ("GET", "/api/admin/emails", ADMINS),
    ("GET", "/api/admin/on-call", REQUESTS),
    ("PUT", "/api/admin/on-call/rota", ADMINS),
    ("POST", "/api/admin/on-call/overrides", ADMINS),
    ("DELETE", "/api/admin/on-call/overrides/{id}", ADMINS),
    ("PUT", "/api/admin/on-call/people/{id}/phone", ADMINS),
    ("POST", "/api/admin/on-call/calendar", ADMINS),
    ("GET", "/api/admin/alarms", REQUESTS),
    ("POST", "/api/admin/alarms/test", ADMINS),
    ("POST", "/api/admin/alarms/{id}/acknowledge", REQUESTS),
    ("POST", "/api/admin/alarms/{id}/pass-on", REQUESTS),
    ("GET", "/api/admin/push", REQUESTS),
    ("PUT", "/api/admin/push", REQUESTS),
    ("POST", "/api/admin/push/remove", REQUESTS),
    ("POST", "/api/admin/push/test", REQUESTS),
    ("GET", "/api/admin/webhooks", ADMINS),
    ("POST", "/api/admin/webhooks", ADMINS),
    ("GET", "/api/admin/webhooks/deliveries", ADMINS),
    ("POST", "/api/admin/webhooks/deliveries/{id}/replay", ADMINS),
    ("PUT", "/api/admin/webhooks/{id}", ADMINS),
    ("DELETE", "/api/admin/webhooks/{id}", ADMINS),
    ("POST", "/api/admin/webhooks/{id}/secret", ADMINS),
    ("GET", "/api/admin/figures", ADMINS),
    ("GET", "/api/admin/figures/{table}", ADMINS),
    ("GET", "/api/admin/report", ADMINS),
    ("GET", "/api/admin/conversions", ADMINS),
    ("GET", "/api/admin/to-do", ADMINS),
    ("GET", "/api/admin/system", ADMINS),
    ("GET", "/api/admin/site", ADMINS),
    ("GET", "/api/admin/site/history", ADMINS),
    ("PUT", "/api/admin/site/drafts/{section}", ADMINS),
    ("DELETE", "/api/admin/site/drafts/{section}", ADMINS),
    ("POST", "/api/admin/site/pictures", ADMINS),
    ("GET", "/api/admin/site/pictures/{name}", ADMINS),
    ("POST", "/api/admin/site/preview", ADMINS),
    ("GET", "/api/admin/site/changes", ADMINS),
    ("PUT", "/api/admin/site/schedule/{section}", RECENT),
    ("DELETE", "/api/admin/site/schedule/{section}", ADMINS),
    ("POST", "/api/admin/site/publish", RECENT),
    ("POST", "/api/admin/site/back", RECENT),
    ("GET", "/auth/v1/admin/users", ADMINS),
    ("POST", "/auth/v1/admin/users", ADMINS),
    ("GET", "/auth/v1/admin/users/{id}", ADMINS),
    ("PUT", "/auth/v1/admin/users/{id}", ADMINS),
    ("DELETE", "/auth/v1/admin/users/{id}", ADMINS),
    ("GET", "/auth/v1/admin/users/{id}/factors", ADMINS),
    (
        "DELETE",
        "/auth/v1/admin/users/{id}/factors/{factor_id}",
        ADMINS,
    ),
    ("POST", "/auth/v1/admin/generate_link", ADMINS),
    ("POST", "/auth/v1/admin/invite", ADMINS),
    ("GET", "/storage/v1/bucket", ADMINS),
    ("POST", "/storage/v1/bucket", ADMINS),
    ("GET", "/storage/v1/bucket/{id}", ADMINS),
    ("PUT", "/storage/v1/bucket/{id}", ADMINS),
    ("DELETE", "/storage/v1/bucket/{id}", ADMINS),
    ("POST", "/storage/v1/bucket/{id}/empty", ADMINS),
    // The files of quote requests, and emails of customers.
    ("POST", "/storage/v1/object/sign/mail/{key}", REQUESTS),
    ("POST", "/storage/v1/object/mail/{key}", REQUESTS),
    ("GET", "/storage/v1/object/mail/{key}", REQUESTS),
    (
        "GET",
        "/storage/v1/object/authenticated/mail/{key}",
        REQUESTS,
    ),
    ("POST", "/storage/v1/object/sign/quotes", REQUESTS),
    ("POST", "/storage/v1/object/sign/quotes/{key}", REQUESTS),
    ("GET", "/storage/v1/object/quotes/{key}", REQUESTS),
    (
        "GET",
        "/storage/v1/object/authenticated/quotes/{key}",
        REQUESTS,
    ),
    ("GET", "/storage/v1/object/info/quotes/{key}", REQUESTS),
    (
        "GET",
        "/storage/v1/object/info/authenticated/quotes/{key}",
        REQUESTS,
    ),
    ("POST", "/storage/v1/object/list/{bucket}", ADMINS),
    ("POST", "/storage/v1/object/list-v2/{bucket}", ADMINS),
    ("POST", "/storage/v1/object/move", ADMINS),
    ("POST", "/storage/v1/object/copy", ADMINS),
    ("POST", "/storage/v1/object/sign/{bucket}", ADMINS),
    ("POST", "/storage/v1/object/{key}", ADMINS),
    ("GET", "/storage/v1/object/{key}", ADMINS),
    // A file that a customer may have received is replaced by admins only, by whichever call:
    // `PUT`, an upload, a signed URL for one, a copy, or a resumable upload.
    ("PUT", "/storage/v1/object/{key}", ADMINS),
    (REPLACE, "/storage/v1/object/{key}", ADMINS),
    (REPLACE, "/storage/v1/upload/resumable", ADMINS),
    (REPLACE, "/storage/v1/upload/resumable/", ADMINS),
    ("DELETE", "/storage/v1/object/{key}", ADMINS),
    ("POST", "/storage/v1/upload/resumable", ADMINS),
    ("POST", "/storage/v1/upload/resumable/", ADMINS),
    ("GET", "/storage/v1/upload/resumable/{id}", ADMINS),
    ("PATCH", "/storage/v1/upload/resumable/{id}", ADMINS),
    ("DELETE", "/storage/v1/upload/resumable/{id}", ADMINS),
];

/// What the call of this method, or `REPLACE`, and path needs; `None` if it is not listed.
pub fn permission(method: &str, path: &str) -> Option<Permission> {
    let method = match method {
        "HEAD" => "GET",
        method => method,
    };
    CALLS
        .iter()
        .find(|(allowed, template, _)| *allowed == method && matches(template, path))
        .map(|(_, _, permission)| *permission)
}

fn matches(template: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    let mut parts = template.split('/').peekable();
    while let Some(part) = parts.next() {
        match segments.next() {
            None => return false,
            // The rest of the path, slashes included.
            Some(_) if part == "{key}" && parts.peek().is_none() => return true,
            Some(_) if part.starts_with('{') => {}
            Some(segment) if segment == part => {}
            Some(_) => return false,
        }
    }
    segments.next().is_none()
}

/// Requires that the caller may make this call: its method, or `REPLACE`, and its path. Errors:
/// 403 `not_admin`, 401 `insufficient_aal`, 403 `reauthentication_needed`.
pub fn require(auth: &Auth, caller: &SignedInUser, method: &str, path: &str) -> Result<()> {
    let Some(permission) = permission(method, path) else {
        return Err(AuthError::NOT_ADMIN.into());
    };
    auth.require_role(caller, permission.roles)?;
    if permission.recent {
        auth.require_recent_sign_in(caller)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_not_listed_is_denied() {
        for (method, path) in [
            ("GET", "/api/admin/new"),
            ("PUT", "/api/admin/inbox"),
            ("GET", "/api/admin/inbox/1/notes"),
            ("GET", "/api/admin"),
            ("GET", "//api/admin/inbox"),
            ("OPTIONS", "/storage/v1/bucket"),
            (REPLACE, "/storage/v1/bucket"),
        ] {
            assert_eq!(permission(method, path), None, "{method} {path}");
        }
    }
}

//! Redirects that end a browser's sign-in, with a session, a code or an error (contract section 3,
//! GET /verify).

use poem_openapi::ApiResponse;

use auth::sign_in::redirect::{with_fragment, with_query};
use auth::{AuthError, Grant, Kind};

/// A redirect by GET (303).
#[derive(ApiResponse)]
pub enum Redirect {
    /// The target has a session in its fragment, a code in its query, or an error.
    #[oai(status = 303)]
    SeeOther(#[oai(header = "Location")] String),
}

/// `target` with a session in its fragment; the client recognizes its own fragments by the final
/// `sb`. `kind` is the client's name for the link's purpose, such as `magiclink`.
pub fn with_session(target: &str, grant: &Grant, kind: Option<&str>) -> String {
    let (expires_at, expires_in) = (grant.expires_at.to_string(), grant.expires_in.to_string());
    let mut pairs = vec![
        ("access_token", grant.access_token.as_str()),
        ("expires_at", &expires_at),
        ("expires_in", &expires_in),
        ("refresh_token", &grant.refresh_token),
        ("token_type", "bearer"),
    ];
    let more = [
        ("provider_token", grant.provider_token.as_deref()),
        (
            "provider_refresh_token",
            grant.provider_refresh_token.as_deref(),
        ),
        ("type", kind),
    ];
    pairs.extend(
        more.into_iter()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    pairs.push(("sb", ""));
    with_fragment(target, &pairs)
}

/// `target` with a code in its query.
pub fn with_code(target: &str, code: &str) -> String {
    with_query(target, &[("code", code)])
}

/// `target` with an error in its fragment, and also in its query if the browser expects a code
/// there.
pub fn with_error(target: &str, auth_error: &AuthError, in_query: bool) -> String {
    let error = match auth_error.kind {
        Kind::Busy | Kind::RateLimited(_) => "temporarily_unavailable",
        _ => "access_denied",
    };
    let pairs = [
        ("error", error),
        ("error_code", auth_error.code),
        ("error_description", &auth_error.message),
        ("sb", ""),
    ];
    if in_query {
        with_fragment(&with_query(target, &pairs[..3]), &pairs)
    } else {
        with_fragment(target, &pairs)
    }
}

//! The last step of every way that leads through a browser's address: back to where it may go, with a session, a code or a failure (contract section 3, GET /verify).

use poem_openapi::ApiResponse;

use crate::auth::redirect::{with_fragment, with_query};
use crate::auth::{AuthError, Grant, Kind};

/// A redirect by GET.
#[derive(ApiResponse)]
pub enum Redirect {
    /// Go there. At the end of a way there is a session in the fragment, a code in the query, or what went wrong.
    #[oai(status = 303)]
    SeeOther(#[oai(header = "Location")] String),
}

/// `landing` with a session in its fragment; the client knows its own fragments by the `sb` at their end. `kind` is what the client calls the way it came by, as in `magiclink`.
pub fn with_session(landing: &str, grant: &Grant, kind: Option<&str>) -> String {
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
    with_fragment(landing, &pairs)
}

/// `landing` with a code in its query.
pub fn with_code(landing: &str, code: &str) -> String {
    with_query(landing, &[("code", code)])
}

/// `landing` with a failure in its fragment, and in its query too where the browser looks for a code there.
pub fn with_failure(landing: &str, refusal: &AuthError, in_query: bool) -> String {
    let error = match refusal.kind {
        Kind::Busy | Kind::RateLimited(_) => "temporarily_unavailable",
        _ => "access_denied",
    };
    let pairs = [
        ("error", error),
        ("error_code", refusal.code),
        ("error_description", &refusal.message),
        ("sb", ""),
    ];
    if in_query {
        with_fragment(&with_query(landing, &pairs[..3]), &pairs)
    } else {
        with_fragment(landing, &pairs)
    }
}

//! What every endpoint of the service has in common: bodies are JSON and bounded, nothing is cached, and an error takes the form the client asked for
//! (contract section 1).

use std::sync::Arc;
use std::time::Duration;

use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response};
use serde_json::json;

use super::error_response::Refused;
use crate::auth::{AuthError, Kind};
use crate::http::App;
use crate::http::body::{self, Fault, RETRY_AFTER};
use crate::http::body_budget::{Exhausted, Lease};
use crate::http::client_address::{Client, network};

/// The longest body, in bytes.
const LIMIT: usize = 1024 * 1024;
/// Where the browser's own form posts to; everything else takes JSON alone.
pub const CONFIRM: &str = "/auth/v1/verify/confirm";
/// Where providers that answer by a form post to (OAuth 2.0 Form Post Response Mode).
const CALLBACK: &str = "/auth/v1/callback";
/// Known to the client and not offered by us; it must not be taken for the id of an identity.
const NOT_SERVED: &str = "/auth/v1/user/identities/authorize";
/// From this version of the interface on, errors have the new form.
const NEW_FORM: &str = "2024-01-01";

/// Around every endpoint of the service: bodies are JSON and bounded, nothing is cached, and every error has the contract's form.
///
/// # Errors
/// Where the request has no client; what the endpoints return as errors is answered here.
pub async fn speak<E: Endpoint>(
    next: &E,
    mut request: Request,
    app: &App,
    patience: Duration,
) -> poem::Result<Response> {
    let new_form = wants_new_form(request.headers());
    // Lives until the request is answered.
    let mut lease = app.bodies.lease(network(Client::of(&request)?.address));
    let response = match take_body(&mut request, patience, &mut lease).await {
        Ok(()) if request.uri().path() == NOT_SERVED => {
            poem::Error::from_status(StatusCode::NOT_FOUND).into_response()
        }
        Ok(()) => next
            .call(request)
            .await
            .map_or_else(poem::Error::into_response, IntoResponse::into_response),
        Err((refusal, status)) => poem::Error::from(Refused(refusal, status)).into_response(),
    };
    Ok(finish(response, new_form))
}

/// Answers a call with a refusal before anything of it is read but its headers.
pub fn refuse(headers: &HeaderMap, refusal: AuthError) -> Response {
    let response = poem::Error::from(Refused::from(refusal)).into_response();
    finish(response, wants_new_form(headers))
}

fn finish(response: Response, new_form: bool) -> Response {
    let mut response = dress(response, new_form);
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn take_body(
    request: &mut Request,
    patience: Duration,
    lease: &mut Lease,
) -> Result<(), (AuthError, StatusCode)> {
    if matches!(*request.method(), Method::GET | Method::HEAD) || request.uri().path() == CONFIRM {
        return Ok(());
    }
    let whole = request.take_body();
    let bytes = body::read(request.headers(), whole, LIMIT, patience, lease)
        .await
        .map_err(unread)?;
    let is_form = request.uri().path() == CALLBACK;
    if !bytes.is_empty() && !is_form && !body::is("application/json", request.headers()) {
        let refusal = AuthError::new(
            Kind::Invalid,
            "bad_json",
            "Send the body as application/json",
        );
        return Err((refusal, StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    // To delete, an address is enough: no body is the body without wishes.
    if bytes.is_empty() && *request.method() == Method::DELETE {
        request.set_body("{}");
    } else {
        request.set_body(bytes);
    }
    Ok(())
}

/// What a body that could not be taken is answered with.
fn unread(fault: Fault) -> (AuthError, StatusCode) {
    let (kind, code, message, status) = match fault {
        Fault::TooLong => (
            Kind::Invalid,
            "request_entity_too_large",
            "The body is longer than 1 MiB",
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
        Fault::TooSlow => (
            Kind::Invalid,
            "request_timeout",
            "The body did not arrive in time",
            StatusCode::REQUEST_TIMEOUT,
        ),
        Fault::Broken => (
            Kind::Invalid,
            "bad_json",
            "The body cannot be read",
            StatusCode::BAD_REQUEST,
        ),
        Fault::NoRoom(Exhausted::Client) => (
            Kind::RateLimited(RETRY_AFTER),
            "over_request_rate_limit",
            "Too many requests from your network are being sent at once",
            StatusCode::TOO_MANY_REQUESTS,
        ),
        Fault::NoRoom(Exhausted::Server) => (
            Kind::Busy,
            "unexpected_failure",
            "We are busy for a moment. Please try again.",
            StatusCode::SERVICE_UNAVAILABLE,
        ),
    };
    (AuthError::new(kind, code, message), status)
}

/// Whether the client reads the new form: a date in its version header, not before the one that brought it.
fn wants_new_form(headers: &HeaderMap) -> bool {
    let version = headers
        .get("x-supabase-api-version")
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<jiff::civil::Date>().ok());
    version.is_some_and(|version| version.to_string().as_str() >= NEW_FORM)
}

/// Gives an error the form the client reads. What the framework itself refused has no code yet.
fn dress(response: Response, new_form: bool) -> Response {
    let status = response.status();
    let refusal = match response.data::<Arc<AuthError>>() {
        Some(refusal) => refusal.clone(),
        None if status.is_client_error() || status.is_server_error() => Arc::new(plain(status)),
        None => return response,
    };
    let mut body = if new_form {
        json!({ "code": refusal.code, "message": refusal.message })
    } else {
        json!({ "code": status.as_u16(), "error_code": refusal.code, "msg": refusal.message })
    };
    if !refusal.reasons.is_empty() {
        body["weak_password"] = json!({ "reasons": refusal.reasons });
    }
    let mut dressed = Response::builder()
        .status(status)
        .content_type("application/json; charset=utf-8")
        .body(body.to_string());
    let headers = dressed.headers_mut();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        headers.insert(header::ALLOW, allow.clone());
    }
    if new_form {
        headers.insert("x-supabase-api-version", HeaderValue::from_static(NEW_FORM));
    }
    headers.insert("x-sb-error-code", HeaderValue::from_static(refusal.code));
    match refusal.kind {
        Kind::RateLimited(seconds) => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        Kind::Busy => {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(2));
        }
        Kind::Unauthenticated => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        _ => {}
    }
    dressed
}

/// What a bare status of the framework means here.
fn plain(status: StatusCode) -> AuthError {
    let (code, message) = match status {
        StatusCode::NOT_FOUND => ("not_found", "There is nothing at this address"),
        StatusCode::METHOD_NOT_ALLOWED => (
            "method_not_allowed",
            "This address does not take this method",
        ),
        status if status.is_client_error() => (
            "bad_json",
            "Could not parse the request: a JSON object with fields of the described types is needed",
        ),
        _ => (
            "unexpected_failure",
            "Unexpected failure, please check server logs for more information",
        ),
    };
    AuthError::new(Kind::Invalid, code, message)
}

//! Middleware of the authentication service: bodies are JSON and bounded, nothing is cached, and
//! errors have the version that the client requests (contract section 1).

use std::sync::Arc;
use std::time::Duration;

use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response};
use serde_json::json;

use super::error_response::ErrorResponse;
use auth::{AuthError, Kind};
use http::request::body::{self, Bodies, BodyError, RETRY_AFTER_SECONDS};
use http::request::body_budget::{Exhausted, Lease};
use http::request::client_address::Client;

/// Maximum body length, in bytes.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// The action of the link page's form, the only form that a browser posts here.
pub const CONFIRM: &str = "/auth/v1/verify/confirm";
/// The path of the providers' form posts (OAuth 2.0 Form Post Response Mode).
const CALLBACK: &str = "/auth/v1/callback";
/// Known to clients but not supported; it must not be parsed as the id of an identity.
const UNSUPPORTED: &str = "/auth/v1/user/identities/authorize";
/// The API version that introduced the current error format.
const CURRENT_FORMAT: &str = "2024-01-01";

/// Handles a request: reads the body, calls `next`, and formats errors by the contract. Errors of
/// the endpoints become responses. Fails if the request has no client.
pub async fn handle<E: Endpoint>(
    next: &E,
    mut request: Request,
    bodies: &Bodies,
) -> poem::Result<Response> {
    let current_format = wants_current_format(request.headers());
    // Held until the response is made.
    let mut lease = bodies.lease(Client::of(&request)?.address);
    let response = match take_body(&mut request, bodies.timeout, &mut lease).await {
        Ok(()) if request.uri().path() == UNSUPPORTED => {
            poem::Error::from_status(StatusCode::NOT_FOUND).into_response()
        }
        Ok(()) => next
            .call(request)
            .await
            .map_or_else(poem::Error::into_response, IntoResponse::into_response),
        Err(error) => poem::Error::from(error).into_response(),
    };
    Ok(finish(response, current_format))
}

/// Rejects a request by its headers alone, without reading its body.
pub fn reject(headers: &HeaderMap, error: AuthError) -> Response {
    let response = poem::Error::from(ErrorResponse::from(error)).into_response();
    finish(response, wants_current_format(headers))
}

fn finish(response: Response, current_format: bool) -> Response {
    let mut response = format_error(response, current_format);
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn take_body(
    request: &mut Request,
    timeout: Duration,
    lease: &mut Lease,
) -> Result<(), ErrorResponse> {
    if matches!(*request.method(), Method::GET | Method::HEAD) || request.uri().path() == CONFIRM {
        return Ok(());
    }
    let body = request.take_body();
    let bytes = body::read(request.headers(), body, MAX_BODY_BYTES, timeout, lease)
        .await
        .map_err(body_error)?;
    let is_form = request.uri().path() == CALLBACK;
    if !bytes.is_empty() && !is_form && !body::has_media_type("application/json", request.headers())
    {
        let error = AuthError::BAD_JSON;
        return Err(ErrorResponse(error, StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    // A DELETE without a body means `{}`: the path is enough.
    if bytes.is_empty() && *request.method() == Method::DELETE {
        request.set_body("{}");
    } else {
        request.set_body(bytes);
    }
    Ok(())
}

/// The error for a body that could not be read.
fn body_error(fault: BodyError) -> ErrorResponse {
    match fault {
        BodyError::TooLong(_) => {
            let error = AuthError::REQUEST_ENTITY_TOO_LARGE;
            ErrorResponse(error, StatusCode::PAYLOAD_TOO_LARGE)
        }
        BodyError::TimedOut => {
            ErrorResponse(AuthError::REQUEST_TIMEOUT, StatusCode::REQUEST_TIMEOUT)
        }
        BodyError::Invalid => AuthError::UNREADABLE_BODY.into(),
        BodyError::OverBudget(Exhausted::Client) => AuthError {
            kind: Kind::RateLimited(RETRY_AFTER_SECONDS),
            ..AuthError::TOO_MANY_AT_ONCE
        }
        .into(),
        BodyError::OverBudget(Exhausted::Server) => AuthError::BUSY.into(),
    }
}

/// Whether the client's API version has the current error format.
fn wants_current_format(headers: &HeaderMap) -> bool {
    let version = headers
        .get("x-supabase-api-version")
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<jiff::civil::Date>().ok());
    version.is_some_and(|version| version.to_string().as_str() >= CURRENT_FORMAT)
}

/// Formats an error for the client's API version. Errors of the framework have no code yet.
fn format_error(response: Response, current_format: bool) -> Response {
    let status = response.status();
    let error = match response.data::<Arc<AuthError>>() {
        Some(error) => error.clone(),
        None if status.is_client_error() || status.is_server_error() => {
            Arc::new(framework_error(status))
        }
        None => return response,
    };
    let mut body = if current_format {
        json!({ "code": error.code, "message": error.message })
    } else {
        json!({ "code": status.as_u16(), "error_code": error.code, "msg": error.message })
    };
    if !error.reasons.is_empty() {
        let member = match error.code {
            "weak_password" => &mut body["weak_password"]["reasons"],
            _ => &mut body["reasons"],
        };
        *member = json!(error.reasons);
    }
    let mut formatted = Response::builder()
        .status(status)
        .content_type("application/json; charset=utf-8")
        .body(body.to_string());
    let headers = formatted.headers_mut();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        headers.insert(header::ALLOW, allow.clone());
    }
    if current_format {
        headers.insert(
            "x-supabase-api-version",
            HeaderValue::from_static(CURRENT_FORMAT),
        );
    }
    headers.insert("x-sb-error-code", HeaderValue::from_static(error.code));
    match error.kind {
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
    formatted
}

/// The service's error for a status of the framework.
fn framework_error(status: StatusCode) -> AuthError {
    match status {
        StatusCode::NOT_FOUND => AuthError::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED => AuthError::METHOD_NOT_ALLOWED,
        status if status.is_client_error() => AuthError::UNPARSABLE,
        _ => AuthError::INTERNAL,
    }
}

//! Error responses of the storage service: HTTP 400 for most values of `statusCode` (contract
//! section 2).

use std::borrow::Cow;

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};
use serde_json::json;

use http::request::body::{BodyError, RETRY_AFTER_SECONDS};
use http::request::body_budget::Exhausted;
use storage::{Code, Refusal};

/// An error of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    /// The `statusCode` of the error.
    status: StatusCode,
    code: &'static str,
    error: &'static str,
    message: Cow<'static, str>,
    retry_after: Option<u32>,
}

/// Result of a call.
pub type Result<T, E = ErrorResponse> = std::result::Result<T, E>;

impl ErrorResponse {
    /// An unknown route or method.
    pub fn not_found() -> Self {
        let text = "Not Found";
        Self::new(StatusCode::NOT_FOUND, "InvalidRequest", text, text)
    }

    /// A route of the reference that the service does not have.
    pub fn left_out() -> Self {
        let message = "This feature is not available";
        let feature = "FeatureNotEnabled";
        Self::new(StatusCode::NOT_FOUND, feature, feature, message)
    }

    /// Too many requests; retry after `seconds`.
    pub fn slow_down(seconds: u32) -> Self {
        let (error, message) = ("too_many_requests", "Please wait a moment and try again");
        let response = Self::new(StatusCode::TOO_MANY_REQUESTS, "SlowDown", error, message);
        response.after(seconds.max(1))
    }

    fn busy() -> Self {
        let message = "We are busy for a moment. Please try again.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "SlowDown", "busy", message).after(2)
    }

    fn internal() -> Self {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        let message = "Something went wrong on our side";
        Self::new(status, "InternalError", "internal", message)
    }

    fn after(self, seconds: u32) -> Self {
        let retry_after = Some(seconds);
        Self {
            retry_after,
            ..self
        }
    }

    fn new(
        status: StatusCode,
        code: &'static str,
        error: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            status,
            code,
            error,
            message: message.into(),
            retry_after: None,
        }
    }

    /// The status that is sent.
    fn sent_status(&self) -> StatusCode {
        let is_route = self.status == StatusCode::NOT_FOUND
            && matches!(self.code, "InvalidRequest" | "FeatureNotEnabled");
        match self.status.as_u16() {
            416 | 429 | 500 | 503 | 507 => self.status,
            _ if is_route => self.status,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The response.
    pub fn into_response(self) -> Response {
        let body = json!({
            "statusCode": self.status.as_str(),
            "code": self.code,
            "error": self.error,
            "message": self.message,
        });
        let mut response = Response::builder()
            .status(self.sent_status())
            .content_type("application/json; charset=utf-8")
            .header(header::CACHE_CONTROL, "no-store")
            .body(body.to_string());
        self.add_retry_after(&mut response);
        response
    }

    /// The response of the protocol for resumable uploads: plain text with the status itself.
    pub fn into_plain_response(self) -> Response {
        let status = match self.code {
            // The protocol has its own status for these.
            "InvalidJWT" | "InvalidSignature" | "ExpiredToken" => StatusCode::FORBIDDEN,
            _ => self.status,
        };
        let mut response = Response::builder()
            .status(status)
            .content_type("text/plain; charset=utf-8")
            .header(header::CACHE_CONTROL, "no-store")
            .body(self.message.clone().into_owned());
        self.add_retry_after(&mut response);
        response
    }

    fn add_retry_after(&self, response: &mut Response) {
        if let Some(seconds) = self.retry_after {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
    }
}

impl From<Refusal> for ErrorResponse {
    fn from(Refusal { code, message }: Refusal) -> Self {
        let (status, code, error) = code.parts();
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
        Self::new(status, code, error, message)
    }
}

impl From<Code> for ErrorResponse {
    fn from(code: Code) -> Self {
        Refusal::from(code).into()
    }
}

impl From<storage::Error> for ErrorResponse {
    fn from(error: storage::Error) -> Self {
        match error {
            storage::Error::Refused(refusal) => refusal.into(),
            storage::Error::Store(error) => error.into(),
            error @ storage::Error::Unavailable(_) => {
                error.log();
                Self::busy()
            }
            error => {
                tracing::error!(%error, "the storage service failed");
                Self::internal()
            }
        }
    }
}

impl From<store::Error> for ErrorResponse {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Busy => Self::busy(),
            store::Error::Full => Code::InsufficientStorage.into(),
            error => {
                error.log_request(None);
                match error.is_disk_error() {
                    true => Self::busy(),
                    false => Self::internal(),
                }
            }
        }
    }
}

impl From<auth::Error> for ErrorResponse {
    fn from(error: auth::Error) -> Self {
        match error {
            auth::Error::Rejected(rejected) => {
                Refusal::new(Code::AccessDenied, rejected.message).into()
            }
            auth::Error::Store(error) => error.into(),
            error @ auth::Error::Internal(_) => {
                tracing::error!(%error, "the storage service failed");
                Self::internal()
            }
        }
    }
}

impl From<BodyError> for ErrorResponse {
    fn from(fault: BodyError) -> Self {
        let message = match fault {
            BodyError::TooLong(_) => "The body is longer than 1 MiB",
            BodyError::TimedOut => "The body did not arrive in time",
            BodyError::Invalid => "The body cannot be read",
            BodyError::OverBudget(Exhausted::Client) => {
                return Self::slow_down(RETRY_AFTER_SECONDS);
            }
            BodyError::OverBudget(Exhausted::Server) => return Self::busy(),
        };
        Refusal::invalid(message).into()
    }
}

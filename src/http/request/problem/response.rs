//! The response with a problem: as JSON, or as a page.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};

use super::Problem;

impl Problem {
    /// The problem's status and headers with a page as the body.
    pub fn into_page(self, html: String) -> Response {
        let mut response = self.into_response();
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        );
        response.set_body(html);
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = Response::builder()
            .status(status)
            .content_type("application/problem+json")
            .body(body);
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds.get()));
        }
        response
    }
}

impl From<Problem> for poem::Error {
    fn from(problem: Problem) -> Self {
        Self::from_response(problem.into_response())
    }
}

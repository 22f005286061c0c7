//! The responses of the page map: a page in the coding that the client takes, a redirect, or a line
//! of text.

use bytes::Bytes;
use http_body_util::Full;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

use super::map::{PageMap, PageResponse};
use crate::forms::paths::FORMS;
use crate::pages::encoding::negotiate;
use crate::pages::resource::{Resource, TEXT_PLAIN};

/// How long a browser may cache a redirect.
const REDIRECT_CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

impl PageMap {
    pub(super) fn respond(
        &self,
        page: &Resource,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> PageResponse {
        let head = *method == Method::HEAD;
        if !head && *method != Method::GET {
            return self.not_allowed(path);
        }
        let coding = negotiate(headers, page.is_compressible());
        let encoded = page.encoded(coding, &self.context);
        if page.status == StatusCode::OK && encoded.is_not_modified(headers) {
            let mut response = PageResponse::default();
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
                .headers_mut()
                .clone_from(encoded.not_modified_headers());
            return response;
        }
        let body = if head {
            Bytes::new()
        } else {
            encoded.body.clone()
        };
        let mut response = PageResponse::new(Full::new(body));
        *response.status_mut() = page.status;
        response.headers_mut().clone_from(&encoded.headers);
        response
    }

    /// A redirect that may change.
    pub(super) fn see_other(&self, to: &'static str) -> PageResponse {
        let mut response = self.text_response(StatusCode::SEE_OTHER, "");
        let location = HeaderValue::from_static(to);
        response.headers_mut().insert(header::LOCATION, location);
        response
    }

    pub(super) fn redirect(&self, to: &str, uri: &Uri) -> PageResponse {
        let location = match uri.query() {
            Some(query) if !to.contains('?') => format!("{to}?{query}"),
            _ => to.to_owned(),
        };
        let mut response = self.text_response(StatusCode::PERMANENT_REDIRECT, "");
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, REDIRECT_CACHE);
        match HeaderValue::try_from(location) {
            Ok(location) => {
                response.headers_mut().insert(header::LOCATION, location);
                response
            }
            Err(_) => self.text_response(StatusCode::BAD_REQUEST, "This address cannot be read.\n"),
        }
    }

    fn not_allowed(&self, path: &str) -> PageResponse {
        let mut response = self.text_response(
            StatusCode::METHOD_NOT_ALLOWED,
            "This page can only be read.\n",
        );
        let allowed = if FORMS.contains(&path) {
            "GET, HEAD, POST"
        } else {
            "GET, HEAD"
        };
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static(allowed));
        response
    }

    /// A response with one line of text.
    pub fn text_response(&self, status: StatusCode, text: &'static str) -> PageResponse {
        let mut response = PageResponse::new(Full::new(Bytes::from_static(text.as_bytes())));
        *response.status_mut() = status;
        if !text.is_empty() {
            let plain = HeaderValue::from_static(TEXT_PLAIN);
            response.headers_mut().insert(header::CONTENT_TYPE, plain);
        }
        self.context.security.apply_to(response.headers_mut());
        response
    }
}

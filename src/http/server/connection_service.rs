//! The hyper service that answers the requests of one connection. `PageMap` answers pages at once;
//! all other requests go to the `Router`.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::{BoxFuture, Either};
use hyper::body::Incoming;
use hyper::service::Service;
use poem::http::{HeaderMap, HeaderValue, StatusCode, Version, header};

use super::metrics;
use super::server_state::{Body, MAX_HEAD_BYTES, ServerState, body_length};
use super::timeouts::{ConnectionTimer, DownloadSlot, StreamSlot};
use crate::forms::html_forms;
use crate::pages::page_map::PageResponse;
use crate::pages::redirect;

/// Maximum number of headers of a request; more get 431.
const MAX_HEADERS: usize = 100;

type ServiceResult = Result<hyper::Response<Body>, Infallible>;

/// The hyper service of one connection.
pub(crate) struct ConnectionService {
    pub state: Arc<ServerState>,
    pub timer: Arc<ConnectionTimer>,
    pub peer: SocketAddr,
    /// Whether requests are only redirected to https.
    pub redirected: bool,
}

impl Service<hyper::Request<Incoming>> for ConnectionService {
    type Response = hyper::Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<ServiceResult>, BoxFuture<'static, ServiceResult>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let started = Instant::now();
        self.timer.head_received();
        if let Some(found) = self.find_page(&request) {
            let response = self.page_response(&request, found, started);
            return Either::Left(ready(Ok(response)));
        }
        let Some(running) = self.timer.begin_request() else {
            // The connection is being closed, and this request has not been started.
            let text = "Please send this again on another connection.\n";
            let pages = self.state.app.pages.current();
            let busy = pages.text_response(StatusCode::SERVICE_UNAVAILABLE, text);
            return Either::Left(ready(Ok(busy.map(Body::Left))));
        };
        let (state, peer, timer) = (self.state.clone(), self.peer, self.timer.clone());
        Either::Right(Box::pin(async move {
            let logged = state.access_log.is_some();
            let logged = logged.then(|| (request.method().clone(), request.uri().clone()));
            let mut response = state.clone().dispatch(request, peer).await;
            match response.extensions_mut().remove::<DownloadSlot>() {
                Some(slot) => drop(slot.set(timer.begin_download())),
                None => timer.record_response(body_length(&response)),
            }
            let counters = &state.app.metrics;
            counters.record_response(metrics::API, response.status(), started.elapsed());
            if let (Some(log), Some((method, uri))) = (&state.access_log, logged) {
                let path = state.routes.template(uri.path());
                state.log_request(log, &method, path, &response, started);
            }
            match response.extensions_mut().remove::<StreamSlot>() {
                Some(slot) => drop(slot.set(ConnectionTimer::begin_stream(running))),
                None => drop(running),
            }
            Ok(response)
        }))
    }
}

impl ConnectionService {
    /// The response to a request that needs no handler: for a challenge, a redirect, a page, or a
    /// request without a valid target.
    fn find_page(&self, request: &hyper::Request<Incoming>) -> Option<PageResponse> {
        let (state, uri) = (&self.state, request.uri());
        let proof = state.challenge_response(uri.path());
        if proof.is_some() {
            return proof;
        }
        let unread = if !has_small_head(request) {
            Some((
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "The head of a request has at most 16 KB and 100 headers.\n",
            ))
        } else if !has_plain_encoding(request.headers()) {
            Some((
                StatusCode::BAD_REQUEST,
                "The only transfer coding is chunked, once.\n",
            ))
        } else {
            None
        };
        if let Some((status, text)) = unread {
            let pages = state.app.pages.current();
            let mut response = pages.text_response(status, text);
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
            return Some(response);
        }
        if !has_valid_target(request) {
            let text = "A request names one host and one path.\n";
            let pages = state.app.pages.current();
            return Some(pages.text_response(StatusCode::BAD_REQUEST, text));
        }
        if self.redirected {
            return Some(redirect::response(&state.origin, uri));
        }
        let pages = state.app.pages.current();
        pages.response(request.method(), uri, request.headers())
    }

    /// Records and logs the response of a page.
    fn page_response(
        &self,
        request: &hyper::Request<Incoming>,
        found: PageResponse,
        started: Instant,
    ) -> hyper::Response<Body> {
        let (state, app) = (&self.state, &self.state.app);
        if html_forms::is_form_view(request) && !self.redirected {
            let client = app.addresses.client(self.peer.ip(), request.headers());
            app.form_views.record(&client.key, app.clock.now());
        }
        if !self.redirected {
            let address = || app.addresses.address(self.peer.ip(), request.headers());
            app.page_views
                .see(request, found.status(), &app.pages.current(), address);
        }
        let response = found.map(Body::Left);
        self.timer.record_response(body_length(&response));
        app.metrics
            .record_response(metrics::PAGE, response.status(), started.elapsed());
        if let Some(log) = &state.access_log {
            let path = is_site_path(response.status()).then(|| request.uri().path());
            state.log_request(log, request.method(), path, &response, started);
        }
        response
    }
}

/// Whether a response of the page map belongs to a path of the site.
fn is_site_path(status: StatusCode) -> bool {
    !matches!(status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST)
}

/// Whether the head of a request is within `MAX_HEAD_BYTES` and `MAX_HEADERS`: hyper accepts longer
/// ones if they come in one piece.
fn has_small_head(request: &hyper::Request<Incoming>) -> bool {
    let (uri, headers) = (request.uri(), request.headers());
    let authority = uri
        .authority()
        .map_or(0, |authority| authority.as_str().len());
    let target = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let line = request.method().as_str().len() + authority + target + "  HTTP/1.1\r\n".len();
    let lines = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    headers.len() <= MAX_HEADERS && line + lines.sum::<usize>() + 2 <= MAX_HEAD_BYTES
}

/// RFC 9112, section 6.1: a body is chunked at most once, and nothing else. hyper reads what ends
/// with `chunked`; a proxy may read it otherwise.
fn has_plain_encoding(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let first = codings.next();
    first.is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked"))
        && codings.next().is_none()
}

/// RFC 9112, section 3.2: an HTTP/1.1 request has exactly one `Host`. Requests to a proxy are
/// rejected.
fn has_valid_target(request: &hyper::Request<Incoming>) -> bool {
    let host_names = host_count(request.headers());
    let valid = match request.version() {
        Version::HTTP_11 => host_names == 1,
        Version::HTTP_2 => {
            host_names <= 1 && (host_names == 1 || request.uri().authority().is_some())
        }
        _ => host_names <= 1,
    };
    valid && request.uri().path().starts_with('/')
}

fn host_count(headers: &HeaderMap) -> usize {
    headers.get_all(header::HOST).iter().count()
}

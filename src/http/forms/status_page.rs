//! The status page of a request, for visitors with its link. It shows nothing personal, and reading
//! it changes nothing: mail scanners open links. An unknown reference and a wrong tag get the same
//! response.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};

use crate::domain::clock::Time;
use crate::domain::local_time::customer_time;
use crate::domain::quote::Status;
use crate::domain::request;
use crate::domain::status_link::PREFIX;
use crate::http::AppState;
use crate::http::request::problem::Problem;
use crate::site::status_page::{CaseFacts, CaseState, fill};
use crate::store::Error;

/// The route template.
pub const TEMPLATE: &str = "/case/{link}";

/// Headers of every response: caches and search engines do not store it, and linked pages do not
/// learn its URL.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

/// Shows the status page.
#[handler]
pub async fn show(app: Data<&Arc<AppState>>, request: &Request) -> Response {
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => respond(&app, request).await,
        _ => {
            let problem = Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "This page can only be read.",
            );
            problem
                .into_response()
                .with_header(header::ALLOW, "GET, HEAD")
                .into_response()
        }
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn respond(app: &AppState, request: &Request) -> Response {
    let name = request
        .uri()
        .path()
        .strip_prefix(PREFIX)
        .unwrap_or_default();
    let Some(reference) = app.status_links.verify(name) else {
        return not_found(app);
    };
    match app.store.request(reference).await {
        Ok(request) => page(app, &request),
        Err(Error::Missing) => not_found(app),
        Err(error) => Problem::from(error).into_response(),
    }
}

fn page(app: &AppState, request: &request::Request) -> Response {
    let Some(html) = app.pages.current().status_page() else {
        return not_found(app);
    };
    match fill(&html, &facts(app, request)) {
        Ok(html) => html_response(StatusCode::OK, html.into()),
        Err(error) => {
            tracing::error!(%error, "the status page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn facts(app: &AppState, request: &request::Request) -> CaseFacts {
    let now = app.clock.now();
    let received = Time::parse(&request.created_at).unwrap_or(now);
    let due = app.answer_times.due_of(request);
    let answered = request.answered_at.as_deref().and_then(Time::parse);
    let emailed = request.emailed_at.as_deref().and_then(Time::parse);
    CaseFacts {
        reference: request.reference.clone(),
        received: customer_time(request, &app.time_zone, received),
        due: customer_time(request, &app.time_zone, due),
        answered: answered.map(|at| customer_time(request, &app.time_zone, at)),
        emailed: emailed.map(|at| customer_time(request, &app.time_zone, at)),
        state: state(request, now > due),
    }
}

fn state(request: &request::Request, is_overdue: bool) -> CaseState {
    let wants_call = request.emergency_contact;
    match request.status {
        Status::Cancelled => CaseState::Closed,
        _ if request.answered_at.is_some() && wants_call => CaseState::Called,
        _ if request.answered_at.is_some() => CaseState::Answered,
        Status::Completed => CaseState::Closed,
        _ if wants_call && request.emailed_at.is_some() => CaseState::CallEmailed,
        _ if wants_call && is_overdue => CaseState::CallOverdue,
        _ if wants_call => CaseState::CallWaiting,
        _ if is_overdue => CaseState::Overdue,
        _ => CaseState::Waiting,
    }
}

fn not_found(app: &AppState) -> Response {
    html_response(StatusCode::NOT_FOUND, app.pages.current().not_found_html())
}

fn html_response(status: StatusCode, html: bytes::Bytes) -> Response {
    Response::builder()
        .status(status)
        .content_type("text/html; charset=utf-8")
        .body(html)
}

//! The status page of a request, for visitors with its link. It shows nothing personal, and reading
//! it changes nothing: mail scanners open links. An unknown reference and a wrong tag get the same
//! response. A post from the page is a message to the office (`status_message`).

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use poem::web::Data;
use poem::{Body, IntoResponse, Request, Response, handler};

use super::status_message;
use super::status_message::Refused;
use crate::AppState;
use crate::request::client_address::Client;
use crate::request::problem::Problem;
use domain::clock::Time;
use domain::clock::local_time::customer_time;
use domain::request;
use domain::request::quote::Status;
use domain::request::status_link::PREFIX;
use site::status_page::{CaseFacts, CaseState, fill};
use store::Error;
use store::conversation::status_page::Step;

/// The route template.
pub const TEMPLATE: &str = "/case/{link}";

/// Headers of every response: caches and search engines do not store it, and linked pages of other
/// sites do not learn its URL. With `no-referrer` browsers would send `Origin: null` with its form.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

/// Shows the status page, or takes what its form sends.
#[handler]
pub async fn show(
    app: Data<&Arc<AppState>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    let mut response = match *request.method() {
        Method::GET | Method::HEAD => respond(&app, request, None).await,
        Method::POST => match status_message::take(&app, &client, request, body).await {
            Ok(done) => redirect(request.uri().path(), done),
            Err(refused) => respond(&app, request, Some(refused)).await,
        },
        _ => {
            let problem = Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "This page can be read, and its form be sent.",
            );
            problem
                .into_response()
                .with_header(header::ALLOW, "GET, HEAD, POST")
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

/// The page, after a form was refused if there is one.
async fn respond(app: &AppState, request: &Request, refused: Option<Refused>) -> Response {
    let name = request
        .uri()
        .path()
        .strip_prefix(PREFIX)
        .unwrap_or_default();
    let Some(reference) = app.status_links.verify(name) else {
        return not_found(app);
    };
    match app.store.request(reference).await {
        Ok(found) => {
            let steps = match app.store.conversation_steps(found.seq).await {
                Ok(steps) => steps,
                Err(error) => return Problem::from(error).into_response(),
            };
            let note = done(request.uri().query().unwrap_or_default());
            page(app, &found, &steps, request.uri().path(), refused, note)
        }
        Err(Error::Missing) => not_found(app),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// The note of what was done before a redirect.
fn done(query: &str) -> &'static str {
    match query {
        "sent=1" => "sent",
        "settled=1" => "settled",
        _ => "",
    }
}

fn redirect(path: &str, done: &str) -> Response {
    Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(header::LOCATION, format!("{path}?{done}=1"))
        .finish()
}

fn page(
    app: &AppState,
    request: &request::Request,
    steps: &[(Step, Time)],
    path: &str,
    refused: Option<Refused>,
    note: &'static str,
) -> Response {
    let Some(html) = app.pages.current().status_page() else {
        return not_found(app);
    };
    let status = refused
        .as_ref()
        .map_or(StatusCode::OK, |refused| refused.status);
    let facts = CaseFacts {
        steps: named(app, request, steps),
        path: path.to_owned(),
        note: refused.as_ref().map_or(note, |refused| refused.note),
        text: refused.map(|refused| refused.text).unwrap_or_default(),
        ..facts(app, request)
    };
    match fill(&html, &facts) {
        Ok(html) => html_response(status, html.into()),
        Err(error) => {
            tracing::error!(%error, "the status page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn facts(app: &AppState, request: &request::Request) -> CaseFacts {
    let now = app.clock.now();
    let due = app.answer_times.first_due_of(request);
    let time = |at| customer_time(request, &app.time_zone, at);
    CaseFacts {
        reference: request.reference.clone(),
        received: time(request.created_at),
        due: time(due),
        answered: request.answered_at.map(time),
        emailed: request.emailed_at.map(time),
        state: state(request, now > due),
        steps: Vec::new(),
        path: String::new(),
        note: "",
        text: String::new(),
    }
}

/// The steps as the visitor reads them. A request that was answered in another way has one for
/// that.
fn named(
    app: &AppState,
    request: &request::Request,
    steps: &[(Step, Time)],
) -> Vec<(&'static str, String)> {
    let mut steps = steps.to_vec();
    let has_answer = steps
        .iter()
        .any(|(step, _)| matches!(step, Step::Answered | Step::Called));
    let by = match request.emergency_contact {
        true => Step::Called,
        false => Step::Answered,
    };
    let answered = request.answered_at.filter(|_| !has_answer);
    steps.extend(answered.map(|at| (by, at)));
    let name = |step: Step| match step {
        Step::Answered => "We answered",
        Step::Called => "We called you",
        Step::Wrote => "You wrote",
        Step::Settled => "You said that this is settled",
    };
    let time = |at| customer_time(request, &app.time_zone, at);
    steps
        .into_iter()
        .map(|(step, at)| (name(step), time(at)))
        .collect()
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

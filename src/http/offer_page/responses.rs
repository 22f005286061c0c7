//! Opens a link, and answers with a page.

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::form::Form;
use super::opened::Opened;
use super::page::{self, Notice, Page};
use crate::AppState;
use crate::pages::security_headers::keep_private;
use crate::request::problem::Problem;
use domain::offer::link::PREFIX;
use domain::offer::state::OfferState;
use store::Error;

/// The version of a link; the response if it is not valid, or the offer was deleted.
pub(super) async fn open(app: &AppState, name: &str) -> Result<Opened, Response> {
    let link = app.offer_keys.verify(name).ok_or_else(|| missing(app))?;
    let (number, version) = (link.number.clone(), link.version);
    let read = async {
        let offer = app.store.offer(number.clone()).await?;
        let mut versions = offer.sent.iter();
        let sent = versions.find(|sent| sent.version == version).cloned();
        let sent = sent.ok_or(Error::Missing)?;
        // An accepted offer is kept when its request is erased, but no longer shown.
        if offer.request.is_none() {
            return Err(Error::Missing);
        }
        let stored = app.store.offer_version(number.clone(), version).await?;
        let has_code = app.store.has_offer_code(number, app.clock.now()).await?;
        Ok(Opened {
            link,
            offer,
            sent,
            stored,
            has_code,
        })
    };
    read.await.map_err(|error| match error {
        Error::Missing => {
            let text = "This offer was removed, with the request that it belongs to. If you still \
                        need it, call us.";
            respond(
                StatusCode::GONE,
                page::document(app, "Offer removed", &page::note("bad", text)),
            )
        }
        other => refused(app, &Problem::from(other)),
    })
}

/// The link is wrong. It does not say whether the offer exists.
pub(super) fn missing(app: &AppState) -> Response {
    let text = "There is no offer under this link. Open the link in our email again, and make sure \
                that all of it is copied. If that does not help, call us.";
    respond(
        StatusCode::NOT_FOUND,
        page::document(app, "Offer not found", &page::note("bad", text)),
    )
}

/// A problem as a page.
pub(super) fn refused(app: &AppState, problem: &Problem) -> Response {
    let page = page::document(app, problem.title(), &page::note("bad", problem.detail()));
    refused_with(problem, page)
}

/// A problem with a page that says it.
pub(super) fn refused_with(problem: &Problem, html: String) -> Response {
    let mut response = respond(problem.status(), html);
    if let Some(seconds) = problem.retry_after() {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

pub(super) fn respond(status: StatusCode, html: String) -> Response {
    keep_private(
        Response::builder()
            .status(status)
            .content_type("text/html; charset=utf-8")
            .body(html),
    )
}

/// 409: the version was answered, or is no longer open. The page says which.
pub(super) async fn lost(app: &AppState, opened: &Opened) -> Result<Response, Problem> {
    let path = app
        .offer_keys
        .path(&opened.link.number, opened.link.version);
    let name = path.trim_start_matches(PREFIX);
    let opened = match open(app, name).await {
        Ok(opened) => opened,
        Err(response) => return Ok(response),
    };
    let notice = match opened.sent.state_at(app.clock.now()) {
        OfferState::Sent => None,
        _ => Some(Notice::NotTaken),
    };
    let form = Form::of(&opened);
    let page = Page::new(app, &opened, &form, notice);
    Ok(respond(StatusCode::CONFLICT, page.html()))
}

pub(super) fn invalid(
    app: &AppState,
    opened: &Opened,
    form: &Form,
    notice: Option<Notice>,
) -> Response {
    let page = Page::new(app, opened, form, notice);
    let status = match form.errors.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    respond(status, page.html())
}

/// To the page, so that a reload sends nothing again.
pub(super) fn back(app: &AppState, opened: &Opened, query: &str) -> Response {
    let path = app
        .offer_keys
        .path(&opened.link.number, opened.link.version);
    keep_private(
        Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, format!("{path}{query}"))
            .finish(),
    )
}

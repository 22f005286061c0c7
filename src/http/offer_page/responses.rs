//! Opens a link, and answers with a page.

use poem::http::{StatusCode, header};
use poem::{Error, Response};

use super::form::{Form, Opened};
use super::page::{self, Notice, Page};
use super::parts::OfferPages;
use crate::pages::security_headers::keep_private;
use crate::request::problem::Problem;
use domain::offer::link::PREFIX;
use domain::offer::state::OfferState;

/// The version of a link; the response if it is not valid, or the offer was deleted.
pub(super) async fn open(app: &OfferPages<'_>, name: &str) -> poem::Result<Opened> {
    let link = app.offer_keys.verify(name);
    let link = link.ok_or_else(|| Error::from_response(missing(app)))?;
    let (number, version) = (link.number.clone(), link.version);
    let read = async {
        let offer = app.store.offer(number.clone()).await?;
        let mut versions = offer.sent.iter();
        let sent = versions.find(|sent| sent.version == version).cloned();
        let sent = sent.ok_or(store::Error::Missing)?;
        // An accepted offer is kept when its request is erased, but no longer shown.
        if offer.request.is_none() {
            return Err(store::Error::Missing);
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
    let gone = |error| match error {
        store::Error::Missing => {
            let text = "This offer was removed, with the request that it belongs to. If you still \
                        need it, call us.";
            note_page(app, StatusCode::GONE, "Offer removed", text)
        }
        other => refused(app, &Problem::from(other)),
    };
    read.await
        .map_err(|error| Error::from_response(gone(error)))
}

/// A page with a title and a note.
fn note_page(app: &OfferPages<'_>, status: StatusCode, title: &str, text: &str) -> Response {
    respond(status, page::document(app, title, &page::note("bad", text)))
}

/// The link is wrong. It does not say whether the offer exists.
pub(super) fn missing(app: &OfferPages<'_>) -> Response {
    let text = "There is no offer under this link. Open the link in our email again, and make sure \
                that all of it is copied. If that does not help, call us.";
    note_page(app, StatusCode::NOT_FOUND, "Offer not found", text)
}

/// A problem as a page.
pub(super) fn refused(app: &OfferPages<'_>, problem: &Problem) -> Response {
    let page = page::document(app, problem.title(), &page::note("bad", problem.detail()));
    refused_with(problem, page)
}

/// A problem with a page that says it.
pub(super) fn refused_with(problem: &Problem, html: String) -> Response {
    keep_private(problem.clone().into_page(html))
}

pub(super) fn respond(status: StatusCode, html: String) -> Response {
    let response = Response::builder().status(status);
    keep_private(response.content_type("text/html; charset=utf-8").body(html))
}

/// 409: the version was answered, or is no longer open. The page says which.
pub(super) async fn lost(app: &OfferPages<'_>, opened: &Opened) -> Result<Response, Problem> {
    let path = app
        .offer_keys
        .path(&opened.link.number, opened.link.version);
    let name = path.trim_start_matches(PREFIX);
    let opened = match open(app, name).await {
        Ok(opened) => opened,
        Err(error) => return Ok(error.into_response()),
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
    app: &OfferPages<'_>,
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
pub(super) fn back(app: &OfferPages<'_>, opened: &Opened, query: &str) -> Response {
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

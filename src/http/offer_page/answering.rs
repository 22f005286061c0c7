//! Answers of customers: accept, decline, ask.

use poem::http::StatusCode;
use poem::{Request, Response};

use super::accepting::{accept, accept_form};
use super::form::{Form, Opened};
use super::page::Page;
use super::parts::OfferPages;
use super::posted::text;
use super::responses::{back, invalid, lost, refused_with};
use crate::pages::security_headers::keep_private;
use crate::request::client_address::Client;
use crate::request::posted_fields::Fields;
use crate::request::problem::{Problem, too_long};
use store::offers::OfferAnswer;

const MAX_REASON: usize = 500;
const MAX_QUESTION: usize = 2000;

/// The response to a post of one of the page's forms. Errors: what refuses the post as a whole.
pub(super) async fn answer(
    app: &OfferPages<'_>,
    client: &Client,
    request: &Request,
    opened: &Opened,
    fields: &Fields,
) -> Result<Response, Problem> {
    match fields.get("answer").map(String::as_str) {
        Some("accept") => accept(app, client, request.headers(), opened, fields).await,
        Some("decline") => decline(app, opened, fields).await,
        Some("ask") => ask(app, opened, fields).await,
        Some("opened") => read(app, opened).await,
        _ => {
            let detail = "The form is not complete. Open the link in our email again.";
            Err(Problem::new(StatusCode::BAD_REQUEST, detail))
        }
    }
}

/// The page with what was typed into the form of a refused post.
pub(super) fn returned(
    app: &OfferPages<'_>,
    opened: &Opened,
    fields: &Fields,
    problem: &Problem,
) -> Response {
    let answer = fields.get("answer").map(String::as_str);
    let mut form = match answer {
        Some("accept") => accept_form(opened, fields),
        _ => Form::of(opened),
    };
    form.reason = text(fields, "reason");
    form.question = text(fields, "question");
    let page = Page {
        problem: Some(problem),
        ..Page::new(app, opened, &form, None)
    };
    refused_with(problem, page.html())
}

async fn decline(
    app: &OfferPages<'_>,
    opened: &Opened,
    fields: &Fields,
) -> Result<Response, Problem> {
    let reason = text(fields, "reason");
    if let Some(message) = too_long("text", &reason, MAX_REASON) {
        let form = Form {
            reason,
            errors: vec![("reason", message)],
            ..Form::of(opened)
        };
        return Ok(invalid(app, opened, &form, None));
    }
    record(app, opened, OfferAnswer::Declined { reason }, "").await
}

async fn ask(app: &OfferPages<'_>, opened: &Opened, fields: &Fields) -> Result<Response, Problem> {
    let question = text(fields, "question");
    let nothing = question
        .is_empty()
        .then(|| "Write your question.".to_owned());
    if let Some(message) = nothing.or_else(|| too_long("text", &question, MAX_QUESTION)) {
        let form = Form {
            question,
            errors: vec![("question", message)],
            ..Form::of(opened)
        };
        return Ok(invalid(app, opened, &form, None));
    }
    let answer = OfferAnswer::Question { text: question };
    record(app, opened, answer, "?asked").await
}

/// A person reads the page: sent by its script at the first press.
async fn read(app: &OfferPages<'_>, opened: &Opened) -> Result<Response, Problem> {
    if opened.sent.opened_at.is_none() {
        let now = app.clock.now();
        app.store.open_offer(opened.version_id(), now).await?;
    }
    let nothing = Response::builder().status(StatusCode::NO_CONTENT);
    Ok(keep_private(nothing.finish()))
}

async fn record(
    app: &OfferPages<'_>,
    opened: &Opened,
    answer: OfferAnswer,
    query: &str,
) -> Result<Response, Problem> {
    let now = app.clock.now();
    let closed = app
        .store
        .answer_offer(opened.version_id(), answer, None, now);
    match closed.await? {
        None => Ok(back(app, opened, query)),
        Some(_) => lost(app, opened).await,
    }
}

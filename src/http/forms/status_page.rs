//! The status page of a request, for visitors with its link. It shows nothing personal, and reading
//! it changes nothing: mail scanners open links. An unknown reference and a wrong tag get the same
//! response. A post from the page is a message to the office (`status_message`), or files that the
//! quote form could not send (`status_files`).

use poem::http::{Method, StatusCode, header};
use poem::{Body, IntoResponse, Request, Response, handler};

use super::FormPages;
use super::status_files;
use super::status_message;
use super::status_message::Refused;
use super::status_words::{CurrentOffer, Known, words};
use crate::Uses;
use crate::pages::security_headers::keep_private;
use crate::request::client_address::Client;
use crate::request::problem::Problem;
use crate::uploads::multipart::boundary;
use domain::clock::local_time::customer_time;
use domain::offer::document::{first_shift, from_json};
use domain::offer::state::OfferState;
use domain::request::status_link::PREFIX;
use site::status_page::{CaseFacts, fill};
use store::Error;
use store::offers::Offer;
use store::status_page::RequestStatus;

/// The route template.
pub const TEMPLATE: &str = "/case/{link}";

/// Shows the status page, or takes what its form sends.
#[handler]
pub async fn show(
    app: Uses<FormPages<'_>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    let link = request.uri().path().strip_prefix(PREFIX);
    let Some(reference) = link.and_then(|link| app.status_links.verify(link)) else {
        return keep_private(not_found(&app));
    };
    let response = match *request.method() {
        Method::GET | Method::HEAD => respond(&app, request, reference, None).await,
        Method::POST => match take(&app, &client, request, body, reference.clone()).await {
            Ok(done) => redirect(request.uri().path(), done),
            Err(refused) => respond(&app, request, reference, Some(refused)).await,
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
    keep_private(response)
}

/// Takes a post of one of the page's forms; returns what was done.
async fn take(
    app: &FormPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
    reference: String,
) -> Result<&'static str, Refused> {
    match boundary(request.headers()) {
        Some(Some(boundary)) => {
            status_files::take(app, client, request, body, &boundary, reference).await
        }
        _ => status_message::take(app, client, request, body, reference).await,
    }
}

/// The page, after a form was refused if there is one.
async fn respond(
    app: &FormPages<'_>,
    request: &Request,
    reference: String,
    refused: Option<Refused>,
) -> Response {
    let path = request.uri().path();
    let note = match request.uri().query().unwrap_or_default() {
        "sent=1" => "sent",
        "settled=1" => "settled",
        "files=1" => "files",
        _ => "",
    };
    let read = async {
        let status = app.store.request_status(reference).await?;
        let offers = current_offers(app, &status.offers).await?;
        Ok::<_, Error>((status, offers))
    };
    match read.await {
        Ok((status, offers)) => page(app, &status, &offers, path, refused, note),
        Err(Error::Missing) => not_found(app),
        Err(error) => Problem::from(error).into_response(),
    }
}

fn redirect(path: &str, done: &str) -> Response {
    Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(header::LOCATION, format!("{path}?{done}=1"))
        .finish()
}

/// The newest versions of offers; of an accepted one also when its service begins.
async fn current_offers(app: &FormPages<'_>, offers: &[Offer]) -> Result<Vec<CurrentOffer>, Error> {
    let mut current = Vec::new();
    for offer in offers {
        let Some(sent) = offer.current() else {
            continue;
        };
        let (number, state) = (&offer.number, sent.state_at(app.clock.now()));
        let first_shift = match state {
            OfferState::Accepted => {
                let stored = app
                    .store
                    .offer_version(number.clone(), sent.version)
                    .await?;
                let document = from_json(&stored.json).ok();
                document.and_then(|document| first_shift(&document))
            }
            _ => None,
        };
        current.push(CurrentOffer {
            path: app.offer_keys.path(number, sent.version),
            number: number.clone(),
            version: sent.version,
            state,
            until: sent.last_minute(),
            first_shift,
        });
    }
    Ok(current)
}

fn page(
    app: &FormPages<'_>,
    status: &RequestStatus,
    offers: &[CurrentOffer],
    path: &str,
    refused: Option<Refused>,
    note: &'static str,
) -> Response {
    let Some(html) = app.pages.current().status_page() else {
        return not_found(app);
    };
    let request = &status.request;
    let known = Known {
        request,
        history: &status.history,
        offers,
        files: &status.files,
        due: app.answer_times.first_due_of(request),
        now: app.clock.now(),
        phone: &app.publisher.site().company.phone,
        time: &|at| customer_time(request, app.time_zone, at),
    };
    let code = refused
        .as_ref()
        .map_or(StatusCode::OK, |refused| refused.status);
    let refused = refused.unwrap_or_default();
    let facts = CaseFacts {
        reference: request.reference.clone(),
        words: words(&known),
        missing: missing(request, status.missing_files),
        path: path.to_owned(),
        note: if code == StatusCode::OK {
            note
        } else {
            refused.note
        },
        refused: refused.files,
        text: refused.text,
    };
    match fill(&html, &facts) {
        Ok(html) => html_response(code, html.into()),
        Err(error) => {
            tracing::error!(%error, "the status page cannot be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// How many files did not arrive, as `1 file`; none if all have, or the request is closed.
pub(super) fn missing(request: &domain::request::Request, count: u32) -> Option<String> {
    match count {
        _ if !request.status.is_open() => None,
        0 => None,
        1 => Some("1 file".to_owned()),
        many => Some(format!("{many} files")),
    }
}

fn not_found(app: &FormPages<'_>) -> Response {
    html_response(StatusCode::NOT_FOUND, app.pages.current().not_found_html())
}

fn html_response(status: StatusCode, html: bytes::Bytes) -> Response {
    Response::builder()
        .status(status)
        .content_type("text/html; charset=utf-8")
        .body(html)
}

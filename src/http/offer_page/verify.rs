//! The public page that says whether a file is an offer as sent or accepted.

use poem::http::StatusCode;
use poem::{Body, Request, Response, handler};
use tokio::time::timeout;

use super::page::{self, note};
use super::parts::OfferPages;
use super::posted;
use super::responses::{refused, respond};
use crate::Uses;
use crate::request::client_address::Client;
use crate::request::problem::Problem;
use crate::uploads::body::UploadBody;
use crate::uploads::multipart::{Multipart, boundary};
use domain::clock::Time;
use domain::clock::local_time::long_time;
use domain::offer::document::digest;
use domain::offer::verdict::{Finding, compare};

/// The path of the page.
pub const VERIFY: &str = "/offer/verify";

const TITLE: &str = "Check an offer";
const FORM: &str = include_str!("verify.html");
/// The longest file, in bytes: ten times an offer.
const MAX_FILE: usize = 1024 * 1024;
/// The rest of a body: headers of its parts.
const MAX_BODY: u64 = MAX_FILE as u64 + 16 * 1024;

/// Shows the form.
#[handler]
pub async fn file_form(app: Uses<OfferPages<'_>>) -> Response {
    respond(StatusCode::OK, page::document(&app, TITLE, FORM))
}

/// Says what a file is.
#[handler]
pub async fn check(
    app: Uses<OfferPages<'_>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    let answer = async {
        posted::allow(&app, &client, request)?;
        let file = read(&app, &client, request, body).await?;
        let stored = app.store.offers_with_digest(digest(&file)).await?;
        let mut stored = stored.iter();
        let found = stored.find_map(|stored| compare(&file, stored, app.seal_key));
        Ok(verdict(&app, found.as_ref()))
    };
    match answer.await {
        Ok(html) => respond(StatusCode::OK, page::document(&app, TITLE, &(html + FORM))),
        Err(problem) => refused(&app, &problem),
    }
}

/// The file of the form.
async fn read(
    app: &OfferPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
) -> Result<Vec<u8>, Problem> {
    let malformed = || {
        let detail = "Choose the PDF that we sent you, and send it again.";
        Problem::new(StatusCode::BAD_REQUEST, detail).with_title("There was no file.")
    };
    let too_long = || {
        let detail = "An offer is much shorter than this file.";
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).with_title("The file is too large.")
    };
    let boundary = boundary(request.headers()).flatten();
    let boundary = boundary.ok_or_else(malformed)?;
    let mut lease = app.bodies.lease(client.address);
    lease
        .grow(MAX_FILE)
        .map_err(|error| Problem::from(crate::request::body::BodyError::from(error)))?;
    let mut body = UploadBody::new(body, request.headers(), MAX_BODY, app.files);
    let mut multipart = Multipart::new(&mut body, &boundary);
    let read = async {
        while let Some(part) = multipart.next_part().await.map_err(|_| malformed())? {
            if part.name != "file" {
                continue;
            }
            let mut file = Vec::new();
            while let Some(chunk) = multipart.chunk().await.map_err(|_| too_long())? {
                if file.len() + chunk.len() > MAX_FILE {
                    return Err(too_long());
                }
                file.extend_from_slice(&chunk);
            }
            return match file.is_empty() {
                true => Err(malformed()),
                false => Ok(file),
            };
        }
        Err(malformed())
    };
    let file = timeout(app.bodies.timeout, read).await;
    body.drain().await;
    file.map_err(|_| malformed())?
}

fn verdict(app: &OfferPages<'_>, found: Option<&Finding>) -> String {
    let Some(found) = found else {
        return note(
            "bad",
            "This file is neither an offer that we sent nor one that was accepted, or it was \
             changed since. Saving a PDF from some programs changes it: check the file that was \
             attached to our email.",
        );
    };
    let (part, number, version) = (found.part.name(), &found.number, found.version);
    let mut html = note(
        "good",
        &format!("This is {part} of offer {number}, version {version}, exactly as we sent it."),
    );
    html += &match &found.accepted {
        Some(accepted) => {
            let at = Time::parse(&accepted.at);
            let at = at.map(|at| long_time(app.time_zone, at));
            let at = at.unwrap_or_else(|| accepted.at.clone());
            note("good", &format!("This version was accepted on {at}."))
        }
        None => note("", "This version was not accepted."),
    };
    if !found.faults.is_empty() {
        let faults = found.faults.join(" ");
        let text = format!("Our own copy is not as it was, and we look into it: {faults}");
        html += &note("bad", &text);
    }
    html
}

//! The customer's page of an offer, behind a signed link: read, accept, decline, ask. It needs
//! neither an account nor JavaScript. Opening its link changes nothing and is not counted: mail
//! scanners do that. Its script says when a person presses something.

mod accepting;
mod answering;
mod form;
mod page;
mod parts;
mod posted;
pub mod preview;
pub mod previewed;
mod responses;
mod verify;

use poem::http::{StatusCode, header};
use poem::web::Path;
use poem::{Body, Request, Response, handler};

use self::form::Form;
use self::page::{Notice, Page};
pub use self::page::{SCRIPT, STYLE};
use self::parts::OfferPages;
use self::responses::{missing, open, respond};
pub use self::verify::{VERIFY, check, file_form};
use crate::Uses;
use crate::pages::security_headers::keep_private;
use crate::request::client_address::Client;
use crate::request::posted_fields::Fields;

/// The route template.
pub const TEMPLATE: &str = "/offer/{link}";

/// Shows the page.
#[handler]
pub async fn show(
    app: Uses<OfferPages<'_>>,
    Path(name): Path<String>,
    request: &Request,
) -> poem::Result<Response> {
    let opened = open(&app, &name).await?;
    let was_asked = request.uri().query() == Some("asked");
    let notice = was_asked.then_some(Notice::Asked);
    let form = Form::of(&opened);
    let page = Page::new(&app, &opened, &form, notice);
    Ok(respond(StatusCode::OK, page.html()))
}

/// Takes an answer.
#[handler]
pub async fn answer(
    app: Uses<OfferPages<'_>>,
    client: Client,
    Path(name): Path<String>,
    request: &Request,
    body: Body,
) -> poem::Result<Response> {
    let mut fields = Fields::new();
    let read = posted::read(&app, &client, request, body, &mut fields).await;
    let opened = open(&app, &name).await?;
    let answered = match read {
        Ok(()) => answering::answer(&app, &client, request, &opened, &fields).await,
        Err(problem) => Err(problem),
    };
    let returned = |problem| answering::returned(&app, &opened, &fields, &problem);
    Ok(answered.unwrap_or_else(returned))
}

/// A file of the version: `offer.pdf` or `receipt.pdf`.
#[handler]
pub async fn file(
    app: Uses<OfferPages<'_>>,
    Path((name, file)): Path<(String, String)>,
) -> poem::Result<Response> {
    let opened = open(&app, &name).await?;
    let number = &opened.link.number;
    let (bytes, file) = match (file.as_str(), opened.stored.acceptance) {
        ("offer.pdf", _) => {
            let name = format!("Offer-{number}-version-{}.pdf", opened.link.version);
            (opened.stored.pdf, name)
        }
        ("receipt.pdf", Some(acceptance)) => (acceptance.receipt, format!("Receipt-{number}.pdf")),
        _ => return Ok(missing(&app)),
    };
    let disposition = format!("inline; filename=\"{file}\"");
    let response = Response::builder()
        .content_type("application/pdf")
        .header(header::CONTENT_DISPOSITION, disposition)
        .body(bytes);
    Ok(keep_private(response))
}

/// The stylesheet.
#[handler]
pub fn style() -> Response {
    asset("text/css; charset=utf-8", include_str!("page.css"))
}

/// The script.
#[handler]
pub fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("page.js"))
}

fn asset(content_type: &str, text: &'static str) -> Response {
    Response::builder()
        .content_type(content_type)
        .header(header::CACHE_CONTROL, "public, max-age=86400")
        .body(text)
}

//! The customer's page and the PDF of a draft, as they would be sent, for the desk: under a random
//! address for 15 minutes, as long as the session of the person who made it lasts. Nothing is
//! stored, and nothing can be answered.

use poem::web::Path;
use poem::{Response, handler};

use super::form::Form;
use super::page::Page;
use super::parts::OfferPages;
use super::responses::respond;
use crate::Uses;
use crate::request::make_file::make_file;
use crate::request::previews::frame;
use domain::offer::document;
use poem::http::StatusCode;

/// The path before the token.
pub const PREFIX: &str = "/api/admin/offers/preview/";
/// The route template.
pub const TEMPLATE: &str = "/api/admin/offers/preview/{token}";

/// Shows the page.
#[handler]
pub async fn show(app: Uses<OfferPages<'_>>, Path(token): Path<String>) -> poem::Result<Response> {
    let preview = app
        .offer_previews
        .open(&token, app.auth, app.clock.now())
        .await?;
    let opened = &preview.opened;
    let form = Form::of(opened);
    let page = Page {
        path: format!("{PREFIX}{token}"),
        is_preview: true,
        ..Page::new(&app, opened, &form, None)
    };
    let mut response = respond(StatusCode::OK, page.html());
    frame(&mut response, app.pages);
    Ok(response)
}

/// Shows the PDF.
#[handler]
pub async fn file(app: Uses<OfferPages<'_>>, Path(token): Path<String>) -> poem::Result<Response> {
    let preview = app
        .offer_previews
        .open(&token, app.auth, app.clock.now())
        .await?;
    let make = move || document::pdf(&preview.document).map_err(|error| error.to_string());
    let pdf = make_file("The PDF", make).await?;
    let response = Response::builder().content_type("application/pdf");
    let mut response = response.body(pdf);
    frame(&mut response, app.pages);
    Ok(response)
}

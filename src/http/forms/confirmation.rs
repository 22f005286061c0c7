//! The page that confirms a form posted without JavaScript.

use std::sync::Arc;

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};

use super::paths::{QUOTE, REFERENCE};
use crate::domain::status_link::PREFIX;
use crate::http::AppState;

/// Redirects to the page with the confirmation, so that a reload does not send the form again.
pub(in crate::http) fn redirect_to_banner(
    app: &AppState,
    path: &str,
    reference: &str,
    urgent: bool,
) -> Response {
    let call = if urgent { "&call=1" } else { "" };
    let link = app.status_links.path(reference);
    let link = link.trim_start_matches(PREFIX);
    let location = format!("{path}?sent=1&{REFERENCE}{link}{call}");
    Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(header::LOCATION, location)
        .finish()
}

/// The page with the confirmation, with the reference in its banner.
#[handler]
pub async fn sent(app: Data<&Arc<AppState>>, request: &Request) -> Response {
    let (path, query) = (
        request.uri().path(),
        request.uri().query().unwrap_or_default(),
    );
    let pages = app.pages.current();
    let Some(page) = pages.html(path, query) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let link = query
        .split('&')
        .find_map(|pair| pair.strip_prefix(REFERENCE));
    let mut facts = String::new();
    if let Some(reference) = link.and_then(|link| app.status_links.verify(link)) {
        facts = format!("<p>Your reference: <strong>{reference}</strong></p>");
        if path == QUOTE {
            facts += &pages.answer_html(query.split('&').any(|pair| pair == "call=1"));
        }
        let href = app.status_links.path(&reference);
        facts += &format!("<p><a href=\"{href}\">See where your request stands</a></p>");
    }
    let banner = element!(".banner-facts", |element| {
        element.set_inner_content(&facts, ContentType::Html);
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(banner);
    match rewrite_str(&String::from_utf8_lossy(&page), settings) {
        Ok(html) => Response::builder()
            .content_type("text/html; charset=utf-8")
            .body(html),
        Err(error) => {
            tracing::error!(%error, path, "cannot render the confirmation");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

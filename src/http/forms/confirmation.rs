//! The page that confirms a form posted without JavaScript.

use lol_html::errors::RewritingError;
use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, rewrite_str};
use poem::http::{StatusCode, header};
use poem::{IntoResponse, Request, Response, handler};

use super::FormPages;
use super::attachments::{RefusedFile, refusals};
use super::paths::{QUOTE, REFERENCE};
use super::status_page::missing;
use crate::Uses;
use domain::request::status_link::PREFIX;
use site::placeholders::escape_html;

/// Redirects to the page with the confirmation, so that a reload does not send the form again.
pub(crate) fn redirect_to_banner(
    app: &FormPages<'_>,
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

/// The page with the confirmation and, in its banner, the list of refused files.
pub(crate) fn confirmation_with_refused_files(
    app: &FormPages<'_>,
    path: &str,
    reference: &str,
    urgent: bool,
    refused: &[RefusedFile],
) -> Response {
    let files = match refused.len() {
        1 => "file was",
        _ => "files were",
    };
    let text = format!(
        "We have your request, but {} {files} not added. {}",
        refused.len(),
        refusals(refused)
    );
    let alert = format!(
        "<p class=\"form-alert\"><strong>Request sent without all files</strong> {}</p>",
        escape_html(&text)
    );
    let facts = alert + &facts(app, path, reference, urgent);
    let page = app.pages.current().html(path, "sent=1");
    let response = Response::builder().header(header::CACHE_CONTROL, "no-store");
    match page.map(|page| with_facts(&page, &facts)) {
        Some(Ok(html)) => response.content_type("text/html; charset=utf-8").body(html),
        failed => {
            if let Some(Err(error)) = failed {
                tracing::error!(%error, path, "cannot render the confirmation");
            }
            let response = response.content_type("text/plain; charset=utf-8");
            response.body(text)
        }
    }
}

/// The reference in a banner, what happens next, and the link to the status page.
fn facts(app: &FormPages<'_>, path: &str, reference: &str, urgent: bool) -> String {
    let next = match path == QUOTE {
        true => app.pages.current().answer_html(urgent),
        false => String::new(),
    };
    let href = app.status_links.path(reference);
    format!(
        "<p>Your reference: <strong>{reference}</strong></p>{next}\
         <p><a href=\"{href}\">See where your request stands</a></p>"
    )
}

/// What the banner says of files that did not arrive: their page was closed or loaded again while
/// it sent them.
async fn missing_files(app: &FormPages<'_>, reference: &str) -> String {
    let Ok(status) = app.store.request_status(reference.to_owned()).await else {
        return String::new();
    };
    let href = app.status_links.path(reference);
    missing(&status.request, status.missing_files).map_or_else(String::new, |missing| {
        format!(
            "<p><strong>{missing} did not arrive.</strong> <a href=\"{href}#files\">Add it \
             here</a>.</p>"
        )
    })
}

/// The page with these facts in its banner.
fn with_facts(page: &[u8], facts: &str) -> Result<String, RewritingError> {
    let banner = element!(".banner-facts", |element| {
        element.set_inner_content(facts, ContentType::Html);
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(banner);
    rewrite_str(&String::from_utf8_lossy(page), settings)
}

/// The page with the confirmation, with the reference in its banner.
#[handler]
pub async fn sent(app: Uses<FormPages<'_>>, request: &Request) -> Response {
    let (path, query) = (
        request.uri().path(),
        request.uri().query().unwrap_or_default(),
    );
    let Some(page) = app.pages.current().html(path, query) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let link = query
        .split('&')
        .find_map(|pair| pair.strip_prefix(REFERENCE));
    let urgent = query.split('&').any(|pair| pair == "call=1");
    let reference = link.and_then(|link| app.status_links.verify(link));
    let facts = match reference {
        Some(reference) => {
            let missing = missing_files(&app, &reference).await;
            missing + &facts(&app, path, &reference, urgent)
        }
        None => String::new(),
    };
    match with_facts(&page, &facts) {
        Ok(html) => Response::builder()
            .content_type("text/html; charset=utf-8")
            .body(html),
        Err(error) => {
            tracing::error!(%error, path, "cannot render the confirmation");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

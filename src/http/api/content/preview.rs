//! Previews: pages of the drafts under a random address for 15 minutes, as long as the session of
//! the admin who made them lasts. They are in memory and end with the server.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Request, Response, handler};

use crate::http::AppState;
use crate::http::pages::resource::content_type;
use crate::http::request::problem::Problem;

/// The path before the token.
pub const PREFIX: &str = "/api/admin/site/preview/";
/// The route template.
pub const TEMPLATE: &str = "/api/admin/site/preview/{token}";
/// The path before the names of pictures.
const MEDIA: &str = "/media/";
/// Where `public/start.js` is loaded; a preview has no scripts.
const SCRIPT: &str = r#"<script type="module" fetchpriority="low" src="/start.js"></script>"#;

/// Shows a page of a preview.
#[handler]
pub async fn show(app: Data<&Arc<AppState>>, request: &Request) -> poem::Result<Response> {
    let token = request
        .uri()
        .path()
        .strip_prefix(PREFIX)
        .unwrap_or_default();
    let found = app.previews.find(token, app.clock.now());
    let Some((holder, pages)) = found else {
        return Err(ended().into());
    };
    match app.auth.no_longer_admins(vec![holder]).await {
        Ok(signed_out) if signed_out.is_empty() => {}
        Ok(_) => return Err(ended().into()),
        Err(error) => {
            tracing::warn!(%error, "the session of a preview could not be checked");
            return Err(StatusCode::SERVICE_UNAVAILABLE.into());
        }
    }
    let query = request.uri().query().unwrap_or_default();
    let path = query.strip_prefix("path=").unwrap_or("/");
    let Some(html) = pages.html(path, "") else {
        return Err(Problem::new(StatusCode::NOT_FOUND, "There is no page at this path.").into());
    };
    let mut response = match path
        .strip_prefix(MEDIA)
        .and_then(|name| name.rsplit_once('.'))
    {
        Some((_, extension)) => Response::builder()
            .content_type(content_type(extension))
            .body(html),
        None => {
            // Unpublished pictures have no public address.
            let media = format!(" src=\"{PREFIX}{token}?path={MEDIA}");
            let html = String::from_utf8_lossy(&html)
                .replacen(SCRIPT, "", 1)
                .replace(&format!(" src=\"{MEDIA}"), &media);
            Response::builder()
                .content_type("text/html; charset=utf-8")
                .body(html)
        }
    };
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn ended() -> Problem {
    let detail = "This preview has ended. Make a new one in the dashboard.";
    Problem::new(StatusCode::NOT_FOUND, detail)
}

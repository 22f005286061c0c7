//! Previews: pages of the drafts under a random address for 15 minutes, as long as the session of
//! the admin who made them lasts. They are in memory and end with the server.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Request, Response, handler};

use crate::AppState;
use crate::pages::resource::content_type;
use crate::pages::security_headers::SecurityHeaders;
use crate::request::permissions::ADMIN;
use crate::request::problem::Problem;
use site::preview::{self as site_preview, as_preview};

/// The path before the token.
pub const PREFIX: &str = "/api/admin/site/preview/";
/// The route template.
pub const TEMPLATE: &str = "/api/admin/site/preview/{token}";
/// The path before the names of pictures.
const MEDIA: &str = "/media/";
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
    match app.auth.without_role(vec![holder], ADMIN).await {
        Ok(signed_out) if signed_out.is_empty() => {}
        Ok(_) => return Err(ended().into()),
        Err(error) => {
            tracing::warn!(%error, "the session of a preview could not be checked");
            return Err(StatusCode::SERVICE_UNAVAILABLE.into());
        }
    }
    let query = request.uri().query().unwrap_or_default();
    let wanted = query.strip_prefix("path=").unwrap_or("/");
    let (path, query) = wanted.split_once('&').unwrap_or((wanted, ""));
    let mut response = if path == site_preview::STYLES {
        Response::builder()
            .content_type("text/css; charset=utf-8")
            .body(site_preview::STYLESHEET)
    } else {
        let Some(body) = pages.html(path, query) else {
            let detail = "There is no page at this path.";
            return Err(Problem::new(StatusCode::NOT_FOUND, detail).into());
        };
        let picture = path.strip_prefix(MEDIA);
        match picture.and_then(|name| name.rsplit_once('.')) {
            Some((_, extension)) => Response::builder()
                .content_type(content_type(extension))
                .body(body),
            None => {
                let address = format!("{PREFIX}{token}");
                let html = String::from_utf8_lossy(&body);
                let html = as_preview(&html, &address, |path| pages.is_page(path));
                Response::builder()
                    .content_type("text/html; charset=utf-8")
                    .body(html)
            }
        }
    };
    let pages = app.pages.current();
    for (name, value) in framed(pages.security_headers()) {
        response.headers_mut().insert(name, value);
    }
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

/// The security headers that differ: the editor shows a preview in a frame, and a preview sends no
/// forms and runs no scripts.
fn framed(security: &SecurityHeaders) -> Vec<(HeaderName, HeaderValue)> {
    let policy = security.document_policy.to_str().unwrap_or_default();
    let directives = policy
        .split("; ")
        .map(|directive| match directive.split(' ').next() {
            Some("frame-ancestors") => "frame-ancestors 'self'",
            Some("script-src") => "script-src 'none'",
            Some("form-action") => "form-action 'none'",
            _ => directive,
        });
    let policy = directives.collect::<Vec<_>>().join("; ");
    let mut headers = vec![(
        header::X_FRAME_OPTIONS,
        HeaderValue::from_static("SAMEORIGIN"),
    )];
    if let Ok(policy) = policy.parse() {
        headers.push((header::CONTENT_SECURITY_POLICY, policy));
    }
    headers
}

fn ended() -> Problem {
    let detail = "This preview has ended. Make a new one in the dashboard.";
    Problem::new(StatusCode::NOT_FOUND, detail)
}

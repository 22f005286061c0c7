//! Previews: pages of the drafts under a random address for 15 minutes, as long as the session of
//! the admin who made them lasts. They are in memory and end with the server.

use poem::{Request, Response, handler};

use super::parts::Content;
use http::Uses;
use http::pages::resource::content_type;
use http::request::previews::frame;
use http::request::problem::Problem;
use site::preview::{self as site_preview, as_preview};

/// The path before the token.
pub const PREFIX: &str = "/api/admin/site/preview/";
/// The route template.
pub const TEMPLATE: &str = "/api/admin/site/preview/{token}";
/// The path before the names of pictures.
const MEDIA: &str = "/media/";
/// Shows a page of a preview.
#[handler]
pub async fn show(content: Uses<Content<'_>>, request: &Request) -> poem::Result<Response> {
    let token = request
        .uri()
        .path()
        .strip_prefix(PREFIX)
        .unwrap_or_default();
    let pages = content
        .previews
        .open(token, content.auth, content.clock.now())
        .await?;
    let query = request.uri().query().unwrap_or_default();
    let wanted = query.strip_prefix("path=").unwrap_or("/");
    let (path, query) = wanted.split_once('&').unwrap_or((wanted, ""));
    let mut response = if path == site_preview::STYLES {
        Response::builder()
            .content_type("text/css; charset=utf-8")
            .body(site_preview::STYLESHEET)
    } else {
        let Some(body) = pages.html(path, query) else {
            return Err(Problem::missing("There is no page at this path.").into());
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
    frame(&mut response, content.pages);
    Ok(response)
}

//! Previews: pages of the drafts under an address that only the admin who made them knows, for 15
//! minutes and as long as the session lasts. They are in memory and end with the server.

use std::sync::{Arc, Mutex, PoisonError};

use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Request, Response, handler};
use subtle::ConstantTimeEq;

use crate::auth::{SignedInUser, TokenHolder};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::http::AppState;
use crate::http::pages::page_map::PageMap;
use crate::http::pages::resource::content_type;
use crate::http::request::problem::Problem;

/// The path before the token.
pub const PREFIX: &str = "/api/admin/site/preview/";
/// The route template.
pub const TEMPLATE: &str = "/api/admin/site/preview/{token}";
/// The path before the names of pictures.
const MEDIA: &str = "/media/";
/// How long a preview can be seen, in seconds.
const LIFETIME: i64 = 15 * 60;
/// How many previews are kept; the oldest goes.
const MAX_PREVIEWS: usize = 4;
/// Where `public/start.js` is loaded; a preview has no scripts, whose addresses would not be its
/// own.
const SCRIPT: &str = r#"<script type="module" fetchpriority="low" src="/start.js"></script>"#;

/// The previews of all admins.
#[derive(Default)]
pub struct Previews(Mutex<Vec<Preview>>);

struct Preview {
    token: String,
    holder: Arc<TokenHolder>,
    until: Time,
    pages: Arc<PageMap>,
}

impl Previews {
    /// Keeps the pages for this admin; returns the token of their address.
    pub fn add(&self, pages: PageMap, admin: &SignedInUser, now: Time) -> String {
        let token = hex::encode(ids::random_bytes::<16>());
        let mut previews = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        previews.retain(|preview| preview.until > now);
        if previews.len() >= MAX_PREVIEWS {
            previews.remove(0);
        }
        previews.push(Preview {
            token: token.clone(),
            holder: Arc::new(admin.holder()),
            until: now.plus_seconds(LIFETIME),
            pages: Arc::new(pages),
        });
        token
    }

    fn find(&self, token: &str, now: Time) -> Option<(Arc<TokenHolder>, Arc<PageMap>)> {
        let previews = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = previews.iter().find(|preview| {
            bool::from(preview.token.as_bytes().ct_eq(token.as_bytes())) && preview.until > now
        })?;
        Some((found.holder.clone(), found.pages.clone()))
    }
}

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
            // Pictures that are not published have no address of their own yet.
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

//! The current previews: in memory, for 15 minutes, and as long as the session of the person who
//! made them lasts. An unguessable token in the address opens one; a frame sends no access token.

use std::sync::Arc;

use parking_lot::Mutex;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Error, Response};
use subtle::ConstantTimeEq;

use crate::pages::Pages;
use crate::request::problem::Problem;
use auth::{Auth, SignedInUser, TokenHolder};
use domain::account::Role;
use domain::clock::Time;
use domain::ids;

/// Lifetime of a preview, in seconds.
const LIFETIME: i64 = 15 * 60;
/// Previews of one kind that a person has at the same time; their oldest one is dropped.
const PER_PERSON: usize = 8;

/// The previews of one kind.
pub struct Previews<T> {
    roles: &'static [Role],
    current: Mutex<Vec<Preview<T>>>,
}

struct Preview<T> {
    token: String,
    holder: Arc<TokenHolder>,
    /// What of the kind it shows, such as the number of an offer.
    subject: String,
    until: Time,
    content: Arc<T>,
}

impl<T> Previews<T> {
    /// Each is shown as long as the person who made it has one of `roles`.
    pub fn new(roles: &'static [Role]) -> Self {
        Self {
            roles,
            current: Mutex::default(),
        }
    }

    /// Stores what is shown for this user, in place of the preview of `subject` that the session
    /// has; returns the token of its address, which a session keeps: a frame that is open shows the
    /// next preview when it is loaded again.
    pub fn add(&self, subject: &str, content: Arc<T>, user: &SignedInUser, now: Time) -> String {
        let mut previews = self.current.lock();
        previews.retain(|preview| preview.until > now);
        let holder = user.holder();
        let is_same = |one: &&mut Preview<T>| {
            one.holder.session_id == holder.session_id && one.subject == subject
        };
        let same = previews.iter_mut().find(is_same);
        if let Some(preview) = same {
            preview.content = content;
            preview.holder = Arc::new(holder);
            preview.until = now.plus_seconds(LIFETIME);
            return preview.token.clone();
        }
        let token = hex::encode(ids::random_bytes::<16>());
        let is_own = |one: &Preview<T>| one.holder.user_id == holder.user_id;
        if previews.iter().filter(|one| is_own(one)).count() >= PER_PERSON
            && let Some(oldest) = previews.iter().position(is_own)
        {
            previews.remove(oldest);
        }
        previews.push(Preview {
            token: token.clone(),
            holder: Arc::new(holder),
            subject: subject.to_owned(),
            until: now.plus_seconds(LIFETIME),
            content,
        });
        token
    }

    /// What is shown under this token. Errors: 404 if it is not known, or has ended with its time,
    /// its session or the role of its person; 503 if the session could not be checked.
    pub async fn open(&self, token: &str, auth: &Auth, now: Time) -> Result<Arc<T>, Error> {
        let (holder, content) = self.find(token, now).ok_or_else(ended)?;
        match auth.without_role(vec![holder], self.roles).await {
            Ok(signed_out) if signed_out.is_empty() => Ok(content),
            Ok(_) => Err(ended()),
            Err(error) => {
                tracing::warn!(%error, "the session of a preview could not be checked");
                Err(StatusCode::SERVICE_UNAVAILABLE.into())
            }
        }
    }

    fn find(&self, token: &str, now: Time) -> Option<(Arc<TokenHolder>, Arc<T>)> {
        let previews = self.current.lock();
        let found = previews.iter().find(|preview| {
            bool::from(preview.token.as_bytes().ct_eq(token.as_bytes())) && preview.until > now
        })?;
        Some((found.holder.clone(), found.content.clone()))
    }
}

fn ended() -> Error {
    Problem::missing("This preview has ended. Make a new one in the dashboard.").into()
}

/// Adds the headers of a preview: the policy of what it shows, except that the dashboard shows it
/// in a frame and that it sends no forms and runs no scripts.
pub fn frame(response: &mut Response, pages: &Pages) {
    let pages = pages.current();
    let policy = pages.security_headers().document_policy.to_str();
    let directives = policy.unwrap_or_default().split("; ");
    let directives = directives.map(|directive| match directive.split(' ').next() {
        Some("frame-ancestors") => "frame-ancestors 'self'",
        Some("script-src") => "script-src 'none'",
        Some("connect-src") => "connect-src 'none'",
        Some("form-action") => "form-action 'none'",
        _ => directive,
    });
    let policy = directives.collect::<Vec<_>>().join("; ");
    let headers = response.headers_mut();
    if let Ok(policy) = policy.parse() {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("x-robots-tag"), "noindex"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

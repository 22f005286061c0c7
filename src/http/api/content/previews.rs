//! The current previews: in memory, for 15 minutes, and as long as the session lasts.

use std::sync::Arc;

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::pages::page_map::PageMap;
use auth::{SignedInUser, TokenHolder};
use domain::clock::Time;
use domain::ids;

/// Lifetime of a preview, in seconds.
const LIFETIME: i64 = 15 * 60;

/// Maximum number of previews; the oldest is dropped.
const MAX_PREVIEWS: usize = 4;

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
    /// Stores the pages for this admin, in place of those that the session has; returns the token
    /// of their address, which a session keeps: a page that is open shows the next preview when it
    /// is loaded again.
    pub fn add(&self, pages: PageMap, admin: &SignedInUser, now: Time) -> String {
        let mut previews = self.0.lock();
        previews.retain(|preview| preview.until > now);
        let own = admin.holder().session_id;
        let mut of_session = previews.iter_mut();
        if let Some(preview) = of_session.find(|one| one.holder.session_id == own) {
            preview.pages = Arc::new(pages);
            preview.holder = Arc::new(admin.holder());
            preview.until = now.plus_seconds(LIFETIME);
            return preview.token.clone();
        }
        let token = hex::encode(ids::random_bytes::<16>());
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

    /// The pages under this token, and the session that they belong to.
    pub(super) fn find(&self, token: &str, now: Time) -> Option<(Arc<TokenHolder>, Arc<PageMap>)> {
        let previews = self.0.lock();
        let found = previews.iter().find(|preview| {
            bool::from(preview.token.as_bytes().ct_eq(token.as_bytes())) && preview.until > now
        })?;
        Some((found.holder.clone(), found.pages.clone()))
    }
}

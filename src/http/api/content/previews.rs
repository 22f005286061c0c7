//! The current previews: in memory, for 15 minutes, and as long as the session lasts.

use std::sync::Arc;

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::auth::{SignedInUser, TokenHolder};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::http::pages::page_map::PageMap;

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
    /// Stores the pages for this admin; returns the token of their address.
    pub fn add(&self, pages: PageMap, admin: &SignedInUser, now: Time) -> String {
        let token = hex::encode(ids::random_bytes::<16>());
        let mut previews = self.0.lock();
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

    /// The pages under this token, and the session that they belong to.
    pub(super) fn find(&self, token: &str, now: Time) -> Option<(Arc<TokenHolder>, Arc<PageMap>)> {
        let previews = self.0.lock();
        let found = previews.iter().find(|preview| {
            bool::from(preview.token.as_bytes().ct_eq(token.as_bytes())) && preview.until > now
        })?;
        Some((found.holder.clone(), found.pages.clone()))
    }
}

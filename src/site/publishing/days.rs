//! The days on which pages changed.

use anyhow::Result;

use super::{Days, Publisher};
use crate::bundle::{Bundle, Document};
use crate::current::SiteState;

impl Publisher {
    /// The days on which pages changed: today for those whose text differs from the current one.
    /// New company facts change all of them.
    pub(super) fn days(&self, current: &SiteState, next: &SiteState) -> Result<Days> {
        let mut days = current.days.clone();
        let today = next.company.today(self.now()).to_string();
        let facts = ["facts", "licenses"]
            .iter()
            .any(|key| next.sections.get(*key) != current.sections.get(*key));
        for document in Bundle::embedded()?.documents {
            let id = document.id();
            let texts = next.rendered.get(&id) != current.rendered.get(&id);
            if facts || texts || shows_other_photo(&document, current, next) {
                days.insert(document.path, today.clone());
            }
        }
        Ok(days)
    }
}

/// Whether a scene of the document has a different photo in `next` and in `current`.
fn shows_other_photo(document: &Document, current: &SiteState, next: &SiteState) -> bool {
    let mut scenes = current.photos.keys().chain(next.photos.keys());
    scenes.any(|scene| {
        current.photos.get(scene) != next.photos.get(scene)
            && document.html().contains(&format!("data-scene=\"{scene}\""))
    })
}

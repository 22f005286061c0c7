//! The content with drafts in it.

use std::collections::BTreeMap;

use super::{PublishError, Publisher};
use domain::content::Sections;
use store::content::drafts::Draft;

/// The sections with some drafts, and the numbers of these.
#[derive(Debug)]
pub struct Drafted {
    /// Every section: the draft, or as it is in force.
    pub sections: Sections,
    /// The numbers of the drafts by section.
    pub numbers: BTreeMap<String, i64>,
}

impl Publisher {
    /// Every section, with the drafts that `wanted` takes.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn drafted(&self, wanted: impl Fn(&Draft) -> bool) -> Result<Drafted, PublishError> {
        let mut drafted = Drafted {
            sections: self.sections()?,
            numbers: BTreeMap::new(),
        };
        for draft in self.store.content_drafts().await? {
            if wanted(&draft) {
                drafted.numbers.insert(draft.section.clone(), draft.number);
                drafted.sections.insert(draft.section, draft.value);
            }
        }
        Ok(drafted)
    }
}

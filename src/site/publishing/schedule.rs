//! Scheduled publication: the drafts that are due, and what becomes of those that are refused.

use super::drafts::Drafted;
use super::{Publication, PublishError, Publisher};
use domain::clock::{HOUR_MS, Time};
use store::content::publish::Reason;

/// How long after its time a publication is tried again that could not be rendered, in
/// milliseconds: what the renderer lacks, such as memory, may come back.
const RETRY_MS: i64 = HOUR_MS;

/// Drafts whose time has come.
#[derive(Debug)]
pub struct Due {
    /// The content with these drafts.
    pub drafted: Drafted,
    /// Who scheduled the first of them.
    pub publication: Publication,
    /// The time of the first of them.
    pub at: Time,
}

impl Publisher {
    /// The drafts whose time has come and that were not refused; `None` if there are none.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn due(&self) -> Result<Option<Due>, PublishError> {
        let now = self.now();
        let mut due = self.store.content_schedule().await?;
        due.retain(|row| row.refused.is_none() && row.at <= now);
        let Some(first) = due.first() else {
            return Ok(None);
        };
        let (by, at) = (Some(first.by_id.clone()), first.at);
        let is_due = |section: &str| due.iter().any(|row| row.section == section);
        let drafted = self.drafted(|draft| is_due(&draft.section)).await?;
        let publication = Publication {
            by,
            reason: Reason::Publish,
            drafts: drafted.numbers.clone(),
        };
        Ok(Some(Due {
            drafted,
            publication,
            at,
        }))
    }

    /// Notes at the schedule of these sections, due `at`, why they were not published, unless it is
    /// tried again: after a conflict, while the database is busy, and for an hour if the pages
    /// could not be rendered.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn refuse_due(
        &self,
        sections: Vec<String>,
        at: Time,
        error: &PublishError,
    ) -> Result<(), store::Error> {
        let reason = match error {
            PublishError::Conflict | PublishError::Store(_) => return Ok(()),
            PublishError::Failed(_) if self.now() < at.plus_millis(RETRY_MS) => return Ok(()),
            PublishError::Failed(_) => "the pages could not be rendered".to_owned(),
            PublishError::Invalid(_) => error.to_string(),
        };
        self.store.refuse_scheduled(sections, reason).await
    }
}

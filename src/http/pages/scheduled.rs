//! Publishes the drafts whose time has come.

use std::sync::Arc;

use anyhow::Result;

use super::Pages;
impl Pages {
    /// Publishes the drafts that are due, as one version; returns whether it did. What breaks a
    /// rule is noted at its schedule and not tried again.
    ///
    /// # Errors
    /// If the database fails, or the content is not published; the reason is its text.
    pub async fn publish_due(self: Arc<Self>) -> Result<bool> {
        let publisher = self.publisher.clone();
        let publishing = publisher.begin().await;
        let Some(due) = publisher.due().await? else {
            return Ok(false);
        };
        let (at, sections) = (
            due.at,
            due.drafted.numbers.keys().cloned().collect::<Vec<_>>(),
        );
        let base = publisher.current().get().version;
        let published = self.publish(&publishing, base, due.drafted.sections, due.publication);
        let published = published.await;
        match published {
            Ok(version) => {
                tracing::info!(version, ?sections, "scheduled content was published");
                Ok(true)
            }
            Err(error) => {
                publisher.refuse_due(sections, at, &error).await?;
                Err(error.into())
            }
        }
    }
}

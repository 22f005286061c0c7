//! Indexes and merges between other writes, before a search and after an erasure.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use crate::search::index::{index_pending, is_pending};
use crate::{Result, Store, query};

/// How long a search waits for the newest requests to be indexed: it responds within a second.
const TIMEOUT: Duration = Duration::from_millis(700);
/// Pages merged in one transaction: takes as long as a few dozen posts.
const MERGE_PAGES: i64 = 256;
/// Pause of the merge while other writes are pending.
const BATCH_PAUSE: Duration = Duration::from_millis(200);

impl Store {
    /// Indexes every request stored so far, if a search has words. False if they could not be
    /// indexed in time: a full disk or a lock does not keep a search from what is indexed.
    pub(crate) async fn index_for(&self, search: &str) -> Result<bool> {
        let is_pending = |conn: &Connection| Ok(is_pending(conn)?);
        if search.is_empty() || !self.read(is_pending).await? {
            return Ok(true);
        }
        let indexed = timeout(TIMEOUT, self.index_all()).await;
        if let Ok(Err(error)) = &indexed {
            tracing::warn!(%error, "a search may lack the newest requests");
        }
        Ok(matches!(indexed, Ok(Ok(()))))
    }

    async fn index_all(&self) -> Result<()> {
        let slice = |conn: &Connection| {
            index_pending(conn)?;
            Ok(is_pending(conn)?)
        };
        while self.write(slice).await? {}
        Ok(())
    }

    /// Merges the whole index in small steps between other writes, so that no page holds a word of
    /// a deleted request, and empties the WAL, which holds earlier versions of the pages.
    pub(crate) async fn purge_index(&self) -> Result<()> {
        // A negative number of pages selects all segments (FTS5, "The 'merge' Command").
        let mut pages = -MERGE_PAGES;
        while self.write(move |conn| merge(conn, pages)).await? {
            pages = MERGE_PAGES;
            while self.pending_writes() > 0 {
                tokio::time::sleep(BATCH_PAUSE).await;
            }
        }
        self.truncate_log().await
    }
}

/// Merges about `pages` pages; returns whether there is more to merge.
fn merge(conn: &Connection, pages: i64) -> Result<bool> {
    let before = conn.total_changes();
    let sql = "INSERT INTO request_words (request_words, rank) VALUES ('merge', ?1)";
    query::execute(conn, sql, [pages])?;
    // A merge with nothing to do changes one row.
    Ok(conn.total_changes() - before >= 2)
}

//! Merges the segments of the search index, since a search reads each of them.

use std::time::Duration;

use rusqlite::Connection;

use super::index::is_pending;
use crate::{Result, Store};

/// Number of segments that are not merged while they are small: SQLite itself merges eight at a
/// time (`automerge` in the schema).
const MAX_SEGMENTS: i64 = 8;
/// The other segments together may have the size of the largest one divided by this. Smaller parts
/// would rewrite the same pages again and again.
const LARGEST_DIVISOR: i64 = 8;
/// Index pages merged in one commit: takes as long as a few dozen posts. SQLite finds a prefix
/// sooner in an index that was merged in few steps.
const MERGE_PAGES: i64 = 256;
/// How often the number of segments is checked.
const MERGE_INTERVAL: Duration = Duration::from_secs(600);
/// Pause of the merge while other writes are pending.
const BATCH_PAUSE: Duration = Duration::from_millis(200);

impl Store {
    /// Merges the search index at intervals until the server stops.
    pub async fn run_index_merge(self) {
        loop {
            if let Err(error) = self.merge_index().await {
                tracing::warn!(%error, "the search index could not be merged");
            }
            tokio::time::sleep(MERGE_INTERVAL).await;
        }
    }

    /// Merges the segments of the search index if there are too many, in small steps between other
    /// writes. After an error, the steps before it stay done.
    pub async fn merge_index(&self) -> Result<()> {
        if self.read(|conn| Ok(is_pending(conn)?)).await? {
            self.ensure_indexed().await?;
        }
        if self.read(|conn| Ok(is_merged(conn)?)).await? {
            return Ok(());
        }
        self.merge_segments().await
    }

    /// Merges all segments, so that no page holds a word of a deleted entry, and empties the WAL,
    /// which holds earlier versions of the pages.
    pub(crate) async fn purge_index(&self) -> Result<()> {
        self.merge_segments().await?;
        self.truncate_log().await
    }

    /// Merges all segments into one, in small steps between other writes.
    async fn merge_segments(&self) -> Result<()> {
        // A negative number of pages selects all segments (FTS5, "The 'merge' Command").
        let mut pages = -MERGE_PAGES;
        while self.write(move |conn| Ok(merge(conn, pages)?)).await? {
            pages = MERGE_PAGES;
            while self.pending_writes() > 0 {
                tokio::time::sleep(BATCH_PAUSE).await;
            }
        }
        Ok(())
    }
}

/// Merges all segments at once, for a database that no other process has open.
pub(crate) fn optimize(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("INSERT INTO request_words (request_words) VALUES ('optimize')")
}

/// Whether the index has few segments and most of it is in one. Each transaction adds a segment.
fn is_merged(conn: &Connection) -> rusqlite::Result<bool> {
    conn.query_row(
        "SELECT count(*) <= ?1 AND coalesce(sum(pages) - max(pages), 0) <= coalesce(max(pages),
            0) / ?2
         FROM (SELECT count(*) AS pages FROM request_words_idx GROUP BY segid)",
        [MAX_SEGMENTS, LARGEST_DIVISOR],
        |row| row.get(0),
    )
}

/// Merges about `pages` pages; returns whether there is more to merge.
fn merge(conn: &Connection, pages: i64) -> rusqlite::Result<bool> {
    let before = conn.total_changes();
    conn.prepare_cached("INSERT INTO request_words (request_words, rank) VALUES ('merge', ?1)")?
        .execute([pages])?;
    // A merge with nothing to do changes one row.
    Ok(conn.total_changes() - before >= 2)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::is_merged;
    use crate::Store;

    #[tokio::test]
    async fn many_segments_become_one_and_every_word_is_found_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        for batch in 0..40_u32 {
            let insert = move |conn: &Connection| {
                let mut index =
                    conn.prepare("INSERT INTO request_words (rowid, words) VALUES (?1, ?2)")?;
                for n in 0..100 {
                    let row = batch * 100 + n;
                    index.execute((row, format!("houston lot{row}")))?;
                }
                Ok(())
            };
            store.write(insert).await.unwrap();
        }
        let inspect = |conn: &Connection| {
            let found = |word| {
                let sql = "SELECT count(*) FROM request_words WHERE request_words MATCH ?1";
                conn.query_row(sql, [word], |row| row.get::<_, i64>(0))
            };
            let segments = "SELECT count(DISTINCT segid) FROM request_words_idx";
            let segments: i64 = conn.query_row(segments, [], |row| row.get(0))?;
            let merged = is_merged(conn)?;
            Ok((segments == 1, merged, found("houston")?, found("lot1234")?))
        };
        assert_eq!(store.read(inspect).await.unwrap(), (false, false, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(inspect).await.unwrap(), (true, true, 4000, 1));
        store.merge_index().await.unwrap();
        assert_eq!(store.read(inspect).await.unwrap(), (true, true, 4000, 1));
    }
}

//! The full-text index of requests: indexes new and changed ones.

use std::time::Duration;

use rusqlite::Connection;
use tokio::time::timeout;

use super::words::WORDS;
use crate::{Result, Store, query};

/// How long a search waits for the newest requests to be indexed: it responds within a second.
const TIMEOUT: Duration = Duration::from_millis(700);
/// Requests indexed in one transaction: takes as long as a few dozen posts.
const SLICE: i64 = 2000;
/// Pages merged in one transaction: takes as long as a few dozen posts.
const MERGE_PAGES: i64 = 256;
/// Pause of the merge while other writes are pending.
const BATCH_PAUSE: Duration = Duration::from_millis(200);

/// The `seq` of the newest indexed request. Requests are indexed in order, so later ones are
/// pending.
const NEWEST: &str = "(SELECT coalesce(max(id), 0) FROM request_words_docsize)";

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

/// Merges the whole index at once, for a database that no other process has open.
pub(crate) fn optimize(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("INSERT INTO request_words (request_words) VALUES ('optimize')")
}

/// Whether there are unindexed requests.
pub(crate) fn is_pending(conn: &Connection) -> rusqlite::Result<bool> {
    let sql = format!("SELECT (SELECT coalesce(max(seq), 0) FROM requests) > {NEWEST}");
    conn.prepare_cached(&sql)?.query_row([], |row| row.get(0))
}

/// Indexes up to `SLICE` pending requests, oldest first. To index many at a time writes a fraction
/// of one at a time: so storing a request does not index it. The writer does so a moment later, and
/// a search requests it first.
pub(crate) fn index_pending(conn: &Connection) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO request_words (rowid, words) SELECT seq, {WORDS} FROM requests AS listed
         WHERE seq > {NEWEST} ORDER BY seq LIMIT {SLICE}"
    );
    conn.prepare_cached(&sql)?.execute([]).map(drop)
}

/// Indexes a request immediately if its `seq` is below the newest indexed one, as after the clock
/// was set back: `index_pending` would skip it.
pub(crate) fn index_out_of_order(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    write(conn, seq, "INSERT INTO request_words (rowid, words)")
}

/// Replaces the indexed words of a request after a change of a text. A pending request has no row
/// yet; it is indexed later in its state at that time.
pub(crate) fn reindex(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    write(
        conn,
        seq,
        "INSERT OR REPLACE INTO request_words (rowid, words)",
    )
}

fn write(conn: &Connection, seq: i64, insert: &str) -> rusqlite::Result<()> {
    let sql = format!(
        "{insert} SELECT seq, {WORDS} FROM requests AS listed WHERE seq = ?1 AND seq <= {NEWEST}"
    );
    conn.prepare_cached(&sql)?.execute([seq]).map(drop)
}

/// The `seq` of each request whose words include this one, or that is pending and has this value in
/// `column`.
pub(crate) fn seqs_with_word(
    conn: &Connection,
    word: &str,
    column: &'static str,
    value: &str,
) -> Result<Vec<i64>> {
    let sql = format!(
        "SELECT rowid FROM request_words WHERE request_words MATCH ?1
         UNION ALL SELECT seq FROM requests WHERE seq > {NEWEST} AND {column} = ?2"
    );
    let words = format!("\"{word}\"");
    query::all(conn, &sql, [words.as_str(), value], |row| row.get(0))
}

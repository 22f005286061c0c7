//! The full-text index of requests: indexes new and changed ones.

use rusqlite::Connection;

use super::words::WORDS;
use crate::{Result, query};

/// Requests indexed in one transaction: takes as long as a few dozen posts.
const SLICE: i64 = 2000;

/// The `seq` of the newest indexed request. Requests are indexed in order, so later ones are
/// pending.
const NEWEST: &str = "(SELECT coalesce(max(id), 0) FROM request_words_docsize)";

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

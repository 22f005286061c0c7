//! The full-text index of requests: indexes new and changed ones. `words` defines the indexed
//! words, `merge` merges the segments.

use rusqlite::{Connection, params};

use super::words::{WordReader, split_words};
use crate::inbox::columns::{BY_SEQ, columns, read_seq};

/// The `seq` of the newest indexed request. Requests are indexed in order, so later ones are
/// pending.
macro_rules! newest_indexed {
    () => {
        "SELECT coalesce(max(id), 0) FROM request_words_docsize"
    };
}

/// Requests indexed in one transaction: takes as long as a few dozen posts.
pub(crate) const SLICE: usize = 2000;

/// Whether there are unindexed requests.
pub(crate) fn is_pending(conn: &Connection) -> rusqlite::Result<bool> {
    let mut compare = conn.prepare_cached(concat!(
        "SELECT (SELECT coalesce(max(seq), 0) FROM requests) > (",
        newest_indexed!(),
        ")"
    ))?;
    compare.query_row([], |row| row.get(0))
}

/// The unindexed requests, oldest first. A bare `LIMIT ?1` would be prepared again at each
/// execution.
const PENDING: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM requests WHERE seq > (",
    newest_indexed!(),
    ") ORDER BY seq LIMIT ?1 + 0"
);

/// Indexes up to `SLICE` pending requests. Each transaction adds a segment to the index, and
/// segments have to be merged: indexing many requests at a time costs a fraction of one at a time.
/// So storing a request does not index it: the writer does so a moment later, and a search requests
/// it first.
pub(crate) fn index_pending(conn: &Connection) -> rusqlite::Result<()> {
    let mut requests = conn.prepare_cached(PENDING)?;
    let mut requests = requests.query([SLICE as i64])?;
    let mut words = WordReader::after(conn, newest_indexed(conn)?)?;
    let mut insert = conn.prepare_cached(INSERT)?;
    while let Some(request) = requests.next()? {
        insert.execute(params![read_seq(request)?, words.read(request)?])?;
    }
    Ok(())
}

/// The `seq` of the newest indexed request; 0 if there is none.
fn newest_indexed(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached(newest_indexed!())?
        .query_row([], |row| row.get(0))
}

/// Indexes a request immediately if its `seq` is below the newest indexed one, as after the clock
/// was set back: `index_pending` would skip it.
pub(crate) fn index_out_of_order(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    if seq > newest_indexed(conn)? {
        return Ok(());
    }
    let words = words_of(conn, seq)?;
    conn.prepare_cached(INSERT)?.execute(params![seq, words])?;
    Ok(())
}

const INSERT: &str = "INSERT INTO request_words (rowid, words) VALUES (?1, ?2)";

/// Replaces the indexed words of a request after a change of a text. A pending request has no row
/// yet; it is indexed later in its state at that time.
pub(crate) fn reindex(conn: &Connection, seq: i64) -> rusqlite::Result<()> {
    if seq > newest_indexed(conn)? {
        return Ok(());
    }
    let words = words_of(conn, seq)?;
    conn.prepare_cached("UPDATE request_words SET words = ?2 WHERE rowid = ?1")?
        .execute(params![seq, words])?;
    Ok(())
}

/// The words of the request at `seq`.
fn words_of(conn: &Connection, seq: i64) -> rusqlite::Result<String> {
    let mut find = conn.prepare_cached(BY_SEQ)?;
    find.query_row([seq], |request| WordReader::new(conn)?.read(request))
}

/// The `seq` of each request whose words include this reference, or that is pending.
pub(crate) fn seqs_with_reference(
    conn: &Connection,
    reference: &str,
) -> rusqlite::Result<Vec<i64>> {
    let word = split_words(reference).last().unwrap_or_default();
    let mut find = conn.prepare_cached(concat!(
        "SELECT rowid FROM request_words WHERE request_words MATCH ?1
         UNION ALL SELECT seq FROM requests WHERE seq > (",
        newest_indexed!(),
        ") AND reference = ?2"
    ))?;
    let rows = find.query_map([&format!("\"{word}\""), reference], |row| row.get(0))?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;
    use domain::ids;

    /// Adds a quote at this `seq`.
    const QUOTE: &str =
        "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, first_name,
           last_name, email, phone, service, duration, start_date, location, emergency_contact,
           company, merged_into)
         VALUES (?1, 'quote', ?2, '', '', '', '', '', '', '', '', '', '', '', 0, ?3, ?4)";

    #[tokio::test]
    async fn what_other_rows_hold_of_an_unindexed_request_is_indexed_with_it() {
        let note = "INSERT INTO events (seq, kind, at, verb, detail)
            VALUES (160, 'quote', '', 'noted', '{\"text\":\"gatehouse\"}')";
        let file = "INSERT INTO storage_buckets (id, name, public, created_at, updated_at)
              VALUES ('quotes', 'quotes', 0, '', '');
            INSERT INTO objects (id, bucket_id, name, version, sha256, size, media_type,
              cache_control, created_at, updated_at)
            SELECT '1', 'quotes', id || '/gatehouse.pdf', '', '', 0, '', '', '', '' FROM requests";
        let duplicate = QUOTE.replace("?1, 'quote', ?2", "161, 'quote', '2'");
        let duplicate = duplicate.replace("?3, ?4", "'gatehouse', 160");
        for (related, sql) in [("note", note), ("file", file), ("duplicate", &duplicate)] {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
            let sql = sql.to_owned();
            let is_found = move |conn: &Connection| {
                let id = ids::from_seq(160).to_string();
                conn.execute(QUOTE, params![160, id, "mill", None::<i64>])?;
                conn.execute_batch(&sql)?;
                index_pending(conn)?;
                let mut find = conn.prepare(
                    "SELECT 1 FROM request_words WHERE request_words MATCH 'gatehouse mill'",
                )?;
                Ok(find.exists([])?)
            };
            assert!(store.write(is_found).await.unwrap(), "{related}");
        }
    }
}

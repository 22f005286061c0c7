//! Whether the customers of listed requests have asked before. It takes two lookups in the search
//! index for each, a third of the time of a page, and a desk reads its list again after each
//! change. So the results are cached until one of them may have changed (docs/performance.md).

use std::collections::HashMap;

use parking_lot::Mutex;
use rusqlite::Connection;

use crate::domain::request::Request;
use crate::store::search::index::{has_earlier, newest_indexed};

/// Maximum number of cached results: 80 pages, about 100 KB.
const MAX_RESULTS: usize = 4096;

/// The cache of a store.
#[derive(Default)]
pub(in crate::store) struct AskedBeforeCache(Mutex<Results>);

#[derive(Default)]
struct Results {
    /// The state of the counter to which they belong.
    changes: i64,
    /// By the `seq` of the request.
    by_seq: HashMap<i64, bool>,
}

impl AskedBeforeCache {
    /// Of each of the requests, whether its customer has sent an earlier one that is not held. Call
    /// it in a read transaction.
    pub(in crate::store) fn asked_before(
        &self,
        conn: &Connection,
        requests: &[Request],
    ) -> rusqlite::Result<Vec<bool>> {
        let changes = changes(conn)?;
        let cached: Vec<Option<bool>> = {
            let mut results = self.0.lock();
            let by_seq = results.at(changes);
            let cached = |seq| by_seq.as_ref()?.get(seq).copied();
            requests.iter().map(|it| cached(&it.seq)).collect()
        };
        let newest_indexed = newest_indexed(conn)?;
        let mut found = Vec::with_capacity(requests.len());
        let mut new = Vec::new();
        for (request, cached) in requests.iter().zip(cached) {
            let result = match cached {
                Some(result) => result,
                None => has_earlier(conn, request)?,
            };
            // Of an unindexed request, an earlier one may not be indexed either.
            if cached.is_none() && request.seq <= newest_indexed {
                new.push((request.seq, result));
            }
            found.push(result);
        }
        self.0.lock().add(changes, new);
        Ok(found)
    }
}

impl Results {
    /// The results after this many changes; `None` if the cached ones are newer.
    fn at(&mut self, changes: i64) -> Option<&mut HashMap<i64, bool>> {
        if changes > self.changes {
            self.by_seq.clear();
            self.changes = changes;
        }
        (changes == self.changes).then_some(&mut self.by_seq)
    }

    fn add(&mut self, changes: i64, new: Vec<(i64, bool)>) {
        if let Some(by_seq) = self.at(changes) {
            if by_seq.len() + new.len() > MAX_RESULTS {
                by_seq.clear();
            }
            by_seq.extend(new.into_iter().take(MAX_RESULTS));
        }
    }
}

/// The number of changes after which results may differ (`0131_asked_before.sql`).
fn changes(conn: &Connection) -> rusqlite::Result<i64> {
    conn.prepare_cached("SELECT changes FROM asked_before_changes")?
        .query_row([], |row| row.get(0))
}

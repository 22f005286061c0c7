//! Counts that are kept until what they count changes.

use std::collections::HashMap;

use parking_lot::Mutex;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::{Result, query};

/// What was counted since requests have last changed (`ChangeLog::version`): for all who look.
#[derive(Default)]
pub(crate) struct CountCache(Mutex<(u64, HashMap<String, Vec<i64>>)>);

/// Rows of counts that are kept: those of an overdue filter depend on the time.
const MAX_KEPT: usize = 200;

/// Counts for a reader whose transaction began when requests had this version, or later.
pub(crate) struct Counter<'a> {
    pub cache: &'a CountCache,
    pub version: u64,
}

impl Counter<'_> {
    /// The only row of a statement, which has `N` counts. Others who look wait for it.
    pub(crate) fn row<const N: usize>(
        &self,
        conn: &Connection,
        sql: &str,
        values: &[Value],
    ) -> Result<[i64; N]> {
        let mut cache = self.cache.0.lock();
        let (version, kept) = &mut *cache;
        if *version < self.version || kept.len() >= MAX_KEPT {
            kept.clear();
        }
        *version = self.version.max(*version);
        let key = format!("{sql} {values:?}");
        // A newer one is no worse.
        if let Some(Ok(counts)) = kept.get(&key).map(|row| row.as_slice().try_into()) {
            return Ok(counts);
        }
        let counts: [i64; N] = query::one(conn, sql, params_from_iter(values), |row| {
            let mut counts = [0; N];
            for (column, count) in counts.iter_mut().enumerate() {
                *count = row.get(column)?;
            }
            Ok(counts)
        })?;
        if *version == self.version {
            kept.insert(key, counts.to_vec());
        }
        Ok(counts)
    }
}

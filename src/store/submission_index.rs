//! Finds rows of `submissions` without an index on disk, which would cost each post two pages more at two places that have nothing to do with each other: from
//! hashes in memory, eight bytes each. What is found is always read in the table and compared there, so an entry too many harms nothing: two that share a hash,
//! or a row whose transaction was undone.

use std::hash::{BuildHasher, Hash, RandomState};

use rusqlite::{Connection, Row};

use super::Result;

/// What is known of the table's rows.
#[derive(Default)]
pub(super) struct SubmissionIndex {
    hasher: RandomState,
    by_sender: SortedRuns,
    by_content: SortedRuns,
    /// The newest row ever seen.
    newest: i64,
    /// The oldest row that is still there.
    oldest: i64,
    /// The newest row that was there, and stayed, when other processes' rows were last looked for.
    looked: i64,
    /// Another one says that another process has written (`PRAGMA data_version`).
    version: Option<i64>,
}

/// What tells a submission from others of the same client: its key, or its content where there is
/// none. A key belongs to its client: nobody gets the answer of somebody else.
#[derive(Clone, Copy, Hash)]
pub(super) enum Content<'a> {
    Key {
        client: &'a str,
        key: &'a str,
    },
    Keyless {
        client: &'a str,
        fingerprint: &'a str,
    },
}

impl<'a> Content<'a> {
    pub(super) fn of(key: Option<&'a str>, client: &'a str, fingerprint: &'a str) -> Self {
        match key {
            Some(key) => Self::Key { client, key },
            None => Self::Keyless {
                client,
                fingerprint,
            },
        }
    }
}

impl SubmissionIndex {
    /// Reads the rows that other processes have written since the last look; at first all. Rows of this process that came meanwhile are read again: that is
    /// rare, and they are kept once. Call it before anything is looked for or added, in the same transaction.
    pub(super) fn learn(&mut self, conn: &Connection) -> Result<()> {
        let mut version = conn.prepare_cached("PRAGMA data_version")?;
        let version: i64 = version.query_row([], |row| row.get(0))?;
        if self.version == Some(version) {
            return Ok(());
        }
        let mut rows = conn.prepare_cached(
            "SELECT rowid, form, client, key, fingerprint FROM submissions WHERE rowid > ?1 ORDER BY rowid",
        )?;
        let mut rows = rows.query([self.looked])?;
        while let Some(row) = rows.next()? {
            self.looked = self.read(row)?;
        }
        self.version = Some(version);
        Ok(())
    }

    /// Call when another connection writes from now on: its `data_version` cannot be compared.
    pub(super) fn look_again(&mut self) {
        self.version = None;
    }

    fn read(&mut self, found: &Row<'_>) -> Result<i64> {
        let text = |column| {
            found
                .get_ref(column)?
                .as_str()
                .map_err(rusqlite::Error::from)
        };
        let (row, key) = (found.get(0)?, found.get_ref(3)?.as_str_or_null());
        let content = Content::of(key.map_err(rusqlite::Error::from)?, text(2)?, text(4)?);
        self.add(row, text(1)?, text(2)?, content);
        Ok(row)
    }

    /// Notes a row that has just been written.
    pub(super) fn add(&mut self, row: i64, form: &str, client: &str, content: Content<'_>) {
        if self.newest == 0 {
            self.oldest = row;
        }
        self.newest = self.newest.max(row);
        let (sender, content) = (self.tag(form, client), self.tag(form, content));
        self.by_sender.add(sender, row as u32, self.oldest as u32);
        self.by_content.add(content, row as u32, self.oldest as u32);
    }

    /// Rows before this one are gone, and their entries may go.
    pub(super) fn begin_at(&mut self, oldest: i64) {
        self.oldest = oldest;
    }

    /// Whether this client may have `most` rows or more. Looks at none of them.
    pub(super) fn may_have(&self, most: usize, form: &str, client: &str) -> bool {
        let found = self.by_sender.of(self.tag(form, client));
        found.map(<[u64]>::len).sum::<usize>() >= most
    }

    /// Where this client's rows may be, newest first.
    pub(super) fn sent_by(&self, form: &str, client: &str) -> Vec<i64> {
        self.rows(&self.by_sender, self.tag(form, client))
    }

    /// Where rows with this content may be, newest first.
    pub(super) fn with(&self, form: &str, content: Content<'_>) -> Vec<i64> {
        self.rows(&self.by_content, self.tag(form, content))
    }

    fn rows(&self, runs: &SortedRuns, tag: u32) -> Vec<i64> {
        let before = |entry: &u64| (self.newest as u32).wrapping_sub(*entry as u32);
        let found = runs.of(tag).flatten();
        let mut rows: Vec<i64> = found
            .map(|entry| self.newest - i64::from(before(entry)))
            .collect();
        rows.sort_unstable_by(|one, other| other.cmp(one));
        rows
    }

    /// Keyed anew in each process, so that nobody can choose texts that share one.
    fn tag(&self, form: &str, value: impl Hash) -> u32 {
        self.hasher.hash_one((form, value)) as u32
    }
}

/// Entries (a hash, and below it the last 32 bits of a row's number) in sorted runs, each more than four times as long as the next: a new one moves few others,
/// and is looked for in few runs.
#[derive(Default)]
struct SortedRuns(Vec<Vec<u64>>);

impl SortedRuns {
    fn add(&mut self, tag: u32, row: u32, oldest: u32) {
        let mut run = vec![u64::from(tag) << 32 | u64::from(row)];
        while let Some(mut longer) = self.0.pop_if(|before| before.len() <= 4 * run.len()) {
            longer.append(&mut run);
            // Two sorted runs are merged by this, not sorted anew.
            longer.sort();
            longer.dedup();
            longer.retain(|entry| (*entry as u32).wrapping_sub(oldest) as i32 >= 0);
            run = longer;
        }
        self.0.push(run);
    }

    /// The entries with this hash, from each run. Most runs have none.
    fn of(&self, tag: u32) -> impl Iterator<Item = &[u64]> {
        let tag = u64::from(tag);
        self.0.iter().filter_map(move |run| {
            let rest = &run[run.partition_point(|entry| entry >> 32 < tag)..];
            let found = rest.first().is_some_and(|entry| entry >> 32 == tag);
            found.then(|| &rest[..rest.partition_point(|entry| entry >> 32 == tag)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_once_under_its_hash_and_old_ones_go() {
        let mut runs = SortedRuns::default();
        let tag = |row: u32| row.wrapping_mul(2_654_435_761) % 100;
        // Rows come in order, some of them twice, past the end of 32 bits; in the end the last thousand are still there.
        let first = u32::MAX - 5000;
        for step in 0..10_000_u32 {
            let row = first.wrapping_add(step);
            runs.add(tag(row), row, first.wrapping_add(step.saturating_sub(1000)));
            if step % 7 == 0 {
                runs.add(tag(row), row, first);
            }
        }
        let found = |tag| runs.of(tag).flatten().map(|entry| *entry as u32);
        for step in 9000..10_000 {
            let row = first.wrapping_add(step);
            assert!(found(tag(row)).any(|found| found == row));
        }
        assert!((0..100).all(|wanted| found(wanted).all(|row| tag(row) == wanted)));
        let kept: usize = runs.0.iter().map(Vec::len).sum();
        assert!(kept < 10_000, "{kept} entries");
        assert!(runs.0.len() < 10, "{} runs", runs.0.len());
    }

    #[test]
    fn rows_are_numbered_back_from_the_newest() {
        let mut recent = SubmissionIndex::default();
        let key = |key| Content::Key { client: "Ann", key };
        for row in [4_294_967_290, 4_294_967_300] {
            recent.add(row, "quote", "Ann", key("a"));
            recent.add(row + 1, "contact", "Ann", key("a"));
        }
        assert_eq!(
            recent.sent_by("quote", "Ann"),
            [4_294_967_300, 4_294_967_290]
        );
        assert_eq!(
            recent.with("contact", key("a")),
            [4_294_967_301, 4_294_967_291]
        );
        assert!(recent.with("quote", key("b")).is_empty());
        assert!(recent.may_have(2, "quote", "Ann") && !recent.may_have(3, "quote", "Ann"));
    }
}

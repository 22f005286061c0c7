//! An in-memory index of `submissions`: hashes of eight bytes per entry. Two SQL indexes would add
//! two random pages to each post: 34 KB instead of 2 KB for each of 64 posts in a commit, at a
//! seventh of the rate. Results are always compared with the rows in the table, so false positives
//! are harmless: hash collisions, and rows of rolled-back transactions.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash, RandomState};

use rusqlite::{Connection, Row};

use crate::{Result, query};

/// Number of texts compared with those of new submissions.
const RECENT_TEXTS: usize = 2048;

/// A text by its hash, and the hash of the client that sent it.
struct SentText {
    text: u64,
    client: u32,
}

/// The index of the table's rows.
#[derive(Default)]
pub(crate) struct SubmissionIndex {
    hasher: RandomState,
    by_client: SortedRuns,
    by_content: SortedRuns,
    /// The newest texts, of this process only.
    texts: VecDeque<SentText>,
    /// The newest row id ever added.
    newest: i64,
    /// The oldest row id in the table.
    oldest: i64,
    /// The newest committed row id at the last `sync` that read the table.
    synced: i64,
    /// `PRAGMA data_version` at the last `sync`: it changes when another process has written.
    version: Option<i64>,
}

/// The identity of a client's submission: its key, or its content if it has no key. Keys are per
/// client: no client gets the receipt of another.
#[derive(Clone, Copy, Hash)]
pub(crate) enum Content<'a> {
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
    pub(crate) fn of(key: Option<&'a str>, client: &'a str, fingerprint: &'a str) -> Self {
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
    /// Adds the rows that other processes have written since the last call; the first call adds
    /// all. Rows of this process since then may be added again, and are stored once. Call it before
    /// any lookup or `add`, in the same transaction.
    pub(crate) fn sync(&mut self, conn: &Connection) -> Result<()> {
        let version: i64 = query::one(conn, "PRAGMA data_version", [], |row| row.get(0))?;
        if self.version == Some(version) {
            return Ok(());
        }
        let mut rows = conn.prepare_cached(
            "SELECT rowid, form, client, key, fingerprint, site FROM submissions WHERE rowid > ?1 \
             ORDER BY rowid",
        )?;
        let mut rows = rows.query([self.synced])?;
        while let Some(row) = rows.next()? {
            self.synced = self.add_row(row)?;
        }
        self.version = Some(version);
        Ok(())
    }

    fn add_row(&mut self, columns: &Row<'_>) -> Result<i64> {
        let text = |column| {
            columns
                .get_ref(column)?
                .as_str()
                .map_err(rusqlite::Error::from)
        };
        let (row, key) = (columns.get(0)?, columns.get_ref(3)?.as_str_or_null());
        let content = Content::of(key.map_err(rusqlite::Error::from)?, text(2)?, text(4)?);
        self.add(row, text(1)?, text(2)?, content);
        let site = columns.get_ref(5)?.as_str_or_null();
        if let Some(site) = site.map_err(rusqlite::Error::from)? {
            self.add_site(row, text(1)?, site);
        }
        Ok(row)
    }

    /// Adds a row that was just inserted.
    pub(crate) fn add(&mut self, row: i64, form: &str, client: &str, content: Content<'_>) {
        if self.newest == 0 {
            self.oldest = row;
        }
        self.newest = self.newest.max(row);
        let (client, content) = (self.hash(form, client), self.hash(form, content));
        self.by_client.add(client, row as u32, self.oldest as u32);
        self.by_content.add(content, row as u32, self.oldest as u32);
    }

    /// Adds the /48 of the client of a row that `add` has added: it is found like a client.
    pub(crate) fn add_site(&mut self, row: i64, form: &str, site: &str) {
        let site = self.hash(form, site);
        self.by_client.add(site, row as u32, self.oldest as u32);
    }

    /// The number of other clients that sent this text recently, counted up to `limit`: in a flood
    /// of one text all of `texts` are equal.
    pub(crate) fn other_clients(&self, text: u64, client: &str, limit: usize) -> usize {
        let own = self.hash("text", client);
        let mut others = Vec::new();
        for sent in self.texts.iter().filter(|sent| sent.text == text) {
            if sent.client != own && !others.contains(&sent.client) {
                others.push(sent.client);
            }
            if others.len() == limit {
                break;
            }
        }
        others.len()
    }

    /// Records the text of a new submission.
    pub(crate) fn add_text(&mut self, text: u64, client: &str) {
        if self.texts.len() == RECENT_TEXTS {
            self.texts.pop_front();
        }
        let client = self.hash("text", client);
        self.texts.push_back(SentText { text, client });
    }

    /// Allows entries of rows before `oldest` to be dropped.
    pub(crate) fn prune_before(&mut self, oldest: i64) {
        self.oldest = oldest;
    }

    /// Whether this client may have `count` rows or more, by hash alone.
    pub(crate) fn may_have(&self, count: usize, form: &str, client: &str) -> bool {
        let found = self.by_client.find(self.hash(form, client));
        found.map(<[u64]>::len).sum::<usize>() >= count
    }

    /// The ids of rows that may be of this client, newest first.
    pub(crate) fn rows_by_client(&self, form: &str, client: &str) -> Vec<i64> {
        self.rows(&self.by_client, self.hash(form, client))
    }

    /// The ids of rows that may have this content, newest first.
    pub(crate) fn rows_by_content(&self, form: &str, content: Content<'_>) -> Vec<i64> {
        self.rows(&self.by_content, self.hash(form, content))
    }

    fn rows(&self, runs: &SortedRuns, hash: u32) -> Vec<i64> {
        let distance = |entry: &u64| (self.newest as u32).wrapping_sub(*entry as u32);
        let found = runs.find(hash).flatten();
        let mut rows: Vec<i64> = found
            .map(|entry| self.newest - i64::from(distance(entry)))
            .collect();
        rows.sort_unstable_by(|one, other| other.cmp(one));
        rows
    }

    /// Keyed randomly in each process, so that a client cannot choose texts that collide.
    fn hash(&self, form: &str, value: impl Hash) -> u32 {
        self.hasher.hash_one((form, value)) as u32
    }
}

/// Entries (a hash, and below it the low 32 bits of a row id) in sorted runs, each more than four
/// times as long as the next: an insertion moves few entries, and a lookup searches few runs.
#[derive(Default)]
struct SortedRuns(Vec<Vec<u64>>);

impl SortedRuns {
    fn add(&mut self, hash: u32, row: u32, oldest: u32) {
        let mut run = vec![u64::from(hash) << 32 | u64::from(row)];
        while let Some(mut longer) = self.0.pop_if(|before| before.len() <= 4 * run.len()) {
            longer.append(&mut run);
            // The sort detects the two sorted runs and merges them.
            longer.sort();
            longer.dedup();
            longer.retain(|entry| (*entry as u32).wrapping_sub(oldest) as i32 >= 0);
            run = longer;
        }
        self.0.push(run);
    }

    /// The entries with this hash, from each run. Most runs have none.
    fn find(&self, hash: u32) -> impl Iterator<Item = &[u64]> {
        let hash = u64::from(hash);
        self.0.iter().filter_map(move |run| {
            let rest = &run[run.partition_point(|entry| entry >> 32 < hash)..];
            let found = rest.first().is_some_and(|entry| entry >> 32 == hash);
            found.then(|| &rest[..rest.partition_point(|entry| entry >> 32 == hash)])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_once_by_its_hash_and_old_rows_are_pruned() {
        let mut runs = SortedRuns::default();
        let hash = |row: u32| row.wrapping_mul(2_654_435_761) % 100;
        // Row ids ascend past 32 bits, some are added twice; the last thousand must remain.
        let first = u32::MAX - 5000;
        for step in 0..10_000_u32 {
            let row = first.wrapping_add(step);
            let oldest = first.wrapping_add(step.saturating_sub(1000));
            runs.add(hash(row), row, oldest);
            if step % 7 == 0 {
                runs.add(hash(row), row, first);
            }
        }
        let found = |hash| runs.find(hash).flatten().map(|entry| *entry as u32);
        for step in 9000..10_000 {
            let row = first.wrapping_add(step);
            assert!(found(hash(row)).any(|found| found == row));
        }
        assert!((0..100).all(|wanted| found(wanted).all(|row| hash(row) == wanted)));
        let entries: usize = runs.0.iter().map(Vec::len).sum();
        assert!(entries < 10_000, "{entries} entries");
        assert!(runs.0.len() < 10, "{} runs", runs.0.len());
    }

    #[test]
    fn equal_texts_of_other_clients_are_counted_once_per_client() {
        let mut index = SubmissionIndex::default();
        for (text, client) in [(1, "Ann"), (1, "Bob"), (1, "Bob"), (2, "Cem"), (1, "Dee")] {
            index.add_text(text, client);
        }
        assert_eq!(index.other_clients(1, "Ann", 9), 2);
        assert_eq!(index.other_clients(1, "Eva", 9), 3);
        assert_eq!(index.other_clients(1, "Eva", 2), 2);
        assert_eq!(index.other_clients(2, "Cem", 9), 0);
        (0..RECENT_TEXTS).for_each(|_| index.add_text(3, "Flo"));
        assert_eq!(index.other_clients(1, "Eva", 9), 0, "old texts are dropped");
    }

    #[test]
    fn row_ids_are_restored_from_the_newest() {
        let mut index = SubmissionIndex::default();
        let key = |key| Content::Key { client: "Ann", key };
        for row in [4_294_967_290, 4_294_967_300] {
            index.add(row, "quote", "Ann", key("a"));
            index.add(row + 1, "contact", "Ann", key("a"));
        }
        assert_eq!(
            index.rows_by_client("quote", "Ann"),
            [4_294_967_300, 4_294_967_290]
        );
        assert_eq!(
            index.rows_by_content("contact", key("a")),
            [4_294_967_301, 4_294_967_291]
        );
        assert!(index.rows_by_content("quote", key("b")).is_empty());
        assert!(index.may_have(2, "quote", "Ann") && !index.may_have(3, "quote", "Ann"));
    }
}

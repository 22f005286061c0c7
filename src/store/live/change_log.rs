//! Publishes the changes of each commit in the live feed. An update hook collects the rows during
//! the transaction; they are read after the commit, when its callers have been answered, so rows of
//! a rolled-back job are not found. Delivery of an email is the only change to a stored event.
//! Commits of other processes are detected by `PRAGMA data_version`; the events that they have
//! inserted, such as a customer's email from a pipe, are those with ids that this process did not
//! assign.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use rusqlite::hooks::Action;
use tokio::sync::Notify;

use super::changed_row::{Table, read};
use super::feed::LiveFeed;
use domain::live::LiveEvent;

/// Maximum number of changes of one commit that are published one by one. For more, clients get a
/// `resync`, which costs them less.
const MAX_CHANGES: usize = 64;
/// Interval of the checks for commits of other processes while jobs follow each other.
const FOREIGN_INTERVAL: Duration = Duration::from_millis(50);

/// Collects the changes of a transaction. Clones share one log.
#[derive(Clone, Default)]
pub(crate) struct ChangeLog {
    pending: Arc<Mutex<Pending>>,
    feed: LiveFeed,
    access: Arc<Notify>,
    version: Arc<AtomicU64>,
}

#[derive(Default)]
struct Pending {
    /// The changed rows, each once, at most one more than `MAX_CHANGES`.
    rows: Vec<(Table, i64)>,
    /// The ids of the first and the last event that the transaction has inserted. No other process
    /// writes in between.
    inserted: Option<(i64, i64)>,
    /// The newest event that is published, or known to clients from before.
    newest: i64,
    /// The newest email of a person without a request that was published, or was there before;
    /// `None` until one was looked for.
    email: Option<String>,
    /// Requests were added, changed or deleted.
    requests: bool,
    /// Requests were deleted: clients get a `resync`.
    deleted: bool,
    /// Drafts, schedules or versions of the site's content have changed.
    site: bool,
    /// Sessions, users or roles may have changed.
    access: bool,
    /// The last value of `PRAGMA data_version`.
    version: Option<i64>,
    read_at: Option<Instant>,
}

impl ChangeLog {
    /// The feed in which the changes are published.
    pub(crate) fn feed(&self) -> LiveFeed {
        self.feed.clone()
    }

    /// Records a changed row of the open transaction.
    pub(crate) fn record(&self, action: Action, table: &str, row: i64) {
        let is_new = action == Action::SQLITE_INSERT;
        if table == "requests" {
            self.pending().requests = true;
        }
        let published = match table {
            "requests" if action == Action::SQLITE_DELETE => {
                return self.pending().deleted = true;
            }
            "requests" => Table::Requests,
            "events" if action == Action::SQLITE_UPDATE => Table::Deliveries,
            "events" => Table::Events,
            "content_drafts" | "content_versions" | "content_schedule" => {
                return self.pending().site = true;
            }
            // Every change of a role or a factor is in the audit.
            "audit" => return self.pending().access |= is_new,
            "sessions" | "users" => return self.pending().access |= !is_new,
            _ => return,
        };
        let mut pending = self.pending();
        if is_new && published == Table::Events {
            let first = pending.inserted.map_or(row, |(first, _)| first);
            pending.inserted = Some((first, row));
        }
        let is_published = is_new || published == Table::Deliveries;
        let known =
            |(table, id): &(Table, i64)| *id == row && [published, Table::Events].contains(table);
        if is_published && pending.rows.len() <= MAX_CHANGES && !pending.rows.iter().any(known) {
            pending.rows.push((published, row));
        }
    }

    /// The version of the requests: another one after each commit that has changed some.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::SeqCst)
    }

    /// Call after a commit, before its callers are answered.
    pub(crate) fn committed(&self) {
        if std::mem::take(&mut self.pending().requests) {
            self.version.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Forgets the changes of a transaction that was rolled back.
    pub(crate) fn discard(&self) {
        let mut pending = self.pending();
        pending.requests = false;
        pending.rows.clear();
        pending.inserted = None;
        pending.deleted = false;
        pending.site = false;
    }

    /// Publishes the changes of the transaction that was just committed on `conn`.
    pub(crate) fn publish(&self, conn: &Connection) {
        let mut pending = self.pending();
        let rows = std::mem::take(&mut pending.rows);
        let access = std::mem::take(&mut pending.access);
        let deleted = std::mem::take(&mut pending.deleted);
        let site = std::mem::take(&mut pending.site);
        let foreign = pending.inserted.take().map(|(first, last)| {
            let known = std::mem::replace(&mut pending.newest, last);
            (known, first - 1)
        });
        drop(pending);
        if let Some((after, last)) = foreign {
            self.publish_foreign(conn, after, last);
        }
        if access {
            self.access.notify_one();
        }
        if site {
            self.feed.publish(&[LiveEvent::Site]);
        }
        if rows.is_empty() && !deleted {
            return;
        }
        if !self.feed.has_listeners() {
            return self.feed.publish(&[LiveEvent::Resync]);
        }
        let are_many = deleted || rows.len() > MAX_CHANGES;
        let changes: rusqlite::Result<Vec<_>> = rows
            .into_iter()
            .filter_map(|(table, row)| read(conn, table, row).transpose())
            .collect();
        match changes {
            // Whoever a change is for gets it even if others only have to resync.
            Ok(changes) if are_many => {
                let mut events = vec![LiveEvent::Resync];
                events.extend(changes.into_iter().filter(LiveEvent::is_for_one));
                self.feed.publish(&events);
            }
            Ok(changes) => self.feed.publish(&changes),
            Err(error) => {
                tracing::warn!(%error, "could not read the changes for open dashboards");
                self.feed.publish(&[LiveEvent::Resync]);
            }
        }
    }

    /// Checks whether another process has committed since the last check, at most once per
    /// interval. Call it outside of a transaction.
    pub(crate) fn find_foreign_writes(&self, conn: &Connection) {
        let mut pending = self.pending();
        let is_recent = |read_at: Instant| read_at.elapsed() < FOREIGN_INTERVAL;
        if pending.read_at.is_some_and(is_recent) {
            return;
        }
        // Before the version: what is committed in between belongs to the next check.
        let newest = newest_event(conn);
        let version = conn
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut version| version.query_row([], |row| row.get(0)))
            .ok();
        pending.read_at = Some(Instant::now());
        let before = std::mem::replace(&mut pending.version, version);
        let is_changed = before.is_some() && before != version;
        let newest = if is_changed {
            newest_event(conn)
        } else {
            newest
        };
        let known = std::mem::replace(&mut pending.newest, newest);
        drop(pending);
        if is_changed {
            self.version.fetch_add(1, Ordering::SeqCst);
            self.feed.publish(&[LiveEvent::Resync]);
            self.publish_foreign(conn, known, newest);
            self.access.notify_one();
        }
        if is_changed || before.is_none() {
            let newest = newest_email(conn);
            if self.is_new_email(&newest) && is_changed {
                self.feed.publish(&[LiveEvent::Email]);
            }
        }
    }

    /// Publishes that an email of a person without a request came to this process.
    pub(crate) fn email_waits(&self, id: &str) {
        self.feed.publish(&[LiveEvent::Resync]);
        // A check for commits of others may have found it since it was stored.
        if self.pending().email.as_deref() != Some(id) {
            self.is_new_email(id);
            self.feed.publish(&[LiveEvent::Email]);
        }
    }

    /// Whether an email is newer than those before, by its id, which sorts by time.
    fn is_new_email(&self, id: &str) -> bool {
        let mut pending = self.pending();
        let is_new = pending.email.as_deref().is_none_or(|known| known < id);
        if is_new {
            pending.email = Some(id.to_owned());
        }
        is_new
    }

    /// Publishes the events of other processes after `known`, up to `last`, unless they are too
    /// many: clients alert to some of them. The `resync` of the same commit is published too.
    fn publish_foreign(&self, conn: &Connection, known: i64, last: i64) {
        if last <= known || !self.feed.has_listeners() {
            return;
        }
        match read_events(conn, known, last) {
            Ok(changes) if changes.len() > MAX_CHANGES => {}
            Ok(changes) => self.feed.publish(&changes),
            Err(error) => tracing::warn!(%error, "could not read the events of another process"),
        }
    }

    /// Whether a dashboard is open.
    pub(crate) fn has_listeners(&self) -> bool {
        self.feed.has_listeners()
    }

    /// Waits until sessions, users or roles may have changed since the last call.
    pub(crate) async fn access_changed(&self) {
        self.access.notified().await;
    }

    /// Makes `access_changed` return.
    pub(crate) fn request_access_check(&self) {
        self.access.notify_one();
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock()
    }
}

/// The changes of the events after `known`, up to `last`, at most one more than `MAX_CHANGES`.
fn read_events(conn: &Connection, known: i64, last: i64) -> rusqlite::Result<Vec<LiveEvent>> {
    // A bare `LIMIT ?3` would be prepared again at each execution.
    let mut find = conn.prepare_cached(
        "SELECT id FROM events WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3 + 0",
    )?;
    let limit = i64::try_from(MAX_CHANGES + 1).unwrap_or(i64::MAX);
    let ids = find.query_map([known, last, limit], |row| row.get(0))?;
    let changes = ids.map(|id| read(conn, Table::Events, id?));
    changes.filter_map(rusqlite::Result::transpose).collect()
}

/// The id of the newest event; 0 if there is none, or it cannot be read.
fn newest_event(conn: &Connection) -> i64 {
    let newest = conn.prepare_cached("SELECT coalesce(max(id), 0) FROM events");
    let newest = newest.and_then(|mut newest| newest.query_row([], |row| row.get(0)));
    newest.unwrap_or(0)
}

/// The id of the newest email of a person without a request; empty if there is none, or it cannot
/// be read.
fn newest_email(conn: &Connection) -> String {
    let newest = conn.prepare_cached(
        "SELECT id FROM received_emails WHERE state <> 'attached' AND state = 'unmatched'
           AND coalesce(class, 'human') = 'human' ORDER BY received_at DESC, id DESC LIMIT 1",
    );
    let newest = newest.and_then(|mut newest| newest.query_row([], |row| row.get(0)));
    newest.unwrap_or_default()
}

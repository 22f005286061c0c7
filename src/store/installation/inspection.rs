//! Read-only inspection of a database file for `guardpost check`, also while a server runs on it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::backup_places;
use super::backup_places::BackupPlace;
use super::identity;
use super::identity::Installation;
use crate::conversation::tries;
use crate::database::disk::disk_forecast;
use crate::database::key_files::rows::known_keys;
use crate::database::key_files::{KeyFile, KnownKeys};
use crate::database::maintenance;
use crate::database::maintenance::{Job, LastRun};
use crate::database::newest_time::newest_time;
use crate::database::{connection, schema};
use crate::mailbox;
use crate::mailbox::state::MailboxState;
use crate::on_call::{rota, status};
use crate::outbox;
use crate::outbox::admin::OutboxCounts;
use crate::outbox::mail_outage;
use crate::outbox::mail_outage::MailOutage;
use crate::request::waits;
use crate::storage::object_contents;
use crate::{Error, Result, content, offers};
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, Time};
use domain::content::Sections;
use domain::on_call::rota::Rota;

/// Maximum number of lines of SQLite's integrity check to report.
const MAX_LINES: u32 = 3;
/// The interval between calls of `must_stop`.
const STOP_INTERVAL: Duration = Duration::from_millis(1);

/// The result of an inspection.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The faults, one sentence each.
    pub faults: Vec<String>,
    /// The key files as recorded in the database; empty if it cannot be read.
    pub keys: Vec<(KeyFile, KnownKeys)>,
    /// The last run of each maintenance job that has run.
    pub runs: Vec<(Job, LastRun)>,
    /// The identity of the database; `None` if its schema is older than this table.
    pub installation: Option<Installation>,
    /// The places of backups.
    pub places: Vec<BackupPlace>,
    /// Whether the schema is older than this program's: what follows is unknown then.
    pub is_older: bool,
    /// The newest stored time.
    pub newest_time: Option<Time>,
    /// When a test alarm was raised that is not acknowledged.
    pub missed_test: Option<Time>,
    /// What keeps alarms from people: floods, reached bounds, the phone provider; a sentence each.
    pub alarm_problems: Vec<String>,
    /// Who is on call when.
    pub rota: Rota,
    /// Whether the published rates of offers name no lawyer who has confirmed their texts.
    pub unconfirmed_rates: bool,
    /// The unsent emails.
    pub emails: OutboxCounts,
    /// Of those that failed, the ones to the office and its people.
    pub failed_office_emails: i64,
    /// Since when the mail server takes no emails.
    pub mail_outage: Option<MailOutage>,
    /// How the reading of each mailbox goes, by its name.
    pub mailboxes: Vec<(String, MailboxState)>,
    /// What was set aside, since the server ended during it; a sentence each.
    pub set_aside: Option<String>,
    /// The sections of the published content that differ from the shipped ones.
    pub content: Sections,
    /// The references of the requests whose columns of what waits are not what their history says.
    pub differing_waits: Vec<String>,
    /// The contents of stored files, by their SHA-256.
    pub contents: BTreeSet<String>,
    /// The bytes that requests and their files add per day, if there are enough to estimate.
    pub daily_bytes: Option<u64>,
}

/// Inspects the database in `file`. Calls `must_stop` every millisecond or so: if it returns true,
/// the inspection ends with a fault.
pub fn inspect(
    file: &Path,
    must_stop: impl FnMut() -> bool + Clone + Send + 'static,
) -> Inspection {
    let is_open = || connection::log_file(file).exists();
    if is_open() {
        return inspect_as(file, false, must_stop);
    }
    // No process has it open. An immutable file is read without locks and WAL.
    let found = inspect_as(file, true, must_stop.clone());
    if is_open() {
        inspect_as(file, false, must_stop)
    } else {
        found
    }
}

fn inspect_as(
    file: &Path,
    immutable: bool,
    must_stop: impl FnMut() -> bool + Send + 'static,
) -> Inspection {
    let mut found = Inspection::default();
    let result = connection::open_for_inspection(file, immutable)
        .map_err(Into::into)
        .and_then(|conn| {
            connection::call_every(&conn, STOP_INTERVAL, must_stop)?;
            examine(&conn, &mut found)
        });
    if let Err(error) = result {
        found.faults.push(describe(&error));
    }
    found
}

fn examine(conn: &Connection, found: &mut Inspection) -> Result<()> {
    let version: u32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version > schema::VERSION {
        found.faults.push(format!(
            "it was written by a newer guardpost (schema {version}, this program knows {}): \
             install that version",
            schema::VERSION
        ));
    }
    if let Some(why) = schema::explain_older(version) {
        found.faults.push(format!("it {why}"));
        return Ok(());
    }
    if version == 0 {
        found.faults.push("it holds nothing of this program".into());
        return Ok(());
    }
    let mut lines = conn.prepare(&format!("PRAGMA integrity_check({MAX_LINES})"))?;
    let lines = lines.query_map([], |row| row.get::<_, String>(0))?;
    for line in lines {
        let line = line?;
        if line != "ok" {
            let line = line.replace('\n', "; ");
            found.faults.push(format!("it is damaged: {line}"));
        }
    }
    let orphans = "SELECT count(*) FROM pragma_foreign_key_check";
    let orphans: i64 = conn.query_row(orphans, [], |row| row.get(0))?;
    if orphans > 0 {
        found
            .faults
            .push(format!("{orphans} rows refer to rows that are not there"));
    }
    for file in KeyFile::ALL {
        found.keys.push((file, known_keys(conn, file)?));
    }
    found.contents = object_contents::contents(conn)?;
    if version < schema::VERSION {
        found.is_older = true;
        return Ok(());
    }
    found.newest_time = newest_time(conn)?;
    found.installation = identity::known(conn)?;
    found.content = content::newest_sections(conn)?;
    found.daily_bytes = disk_forecast::daily_bytes(conn)?;
    found.places = backup_places::all(conn)?;
    found.mailboxes = mailbox::state::all(conn)?;
    found.differing_waits = waits::differing(conn)?;
    found.unconfirmed_rates = offers::rates::are_unconfirmed(conn)?;
    let now = Clock::system().now();
    found.mail_outage = mail_outage::current(conn)?;
    found.set_aside = tries::problem(conn, now)?;
    found.missed_test = status::missed_test(conn, now)?;
    found.alarm_problems = match TimeZone::parse("UTC") {
        Some(utc) => status::load_problems(conn, &utc, now)?,
        None => Vec::new(),
    };
    found.rota = rota::read(conn, now)?.rota;
    for job in Job::ALL {
        found
            .runs
            .extend(maintenance::last(conn, job)?.map(|run| (job, run)));
    }
    found.emails = outbox::admin::counts(conn, now)?;
    let of_office = "SELECT count(*) FROM outbox WHERE state = 'failed' AND held_at IS NULL
        AND kind NOT IN ('acknowledgement', 'reply', 'account')
        AND iif(kind = 'offer', notice ->> '$.email' = 'office', 1)";
    found.failed_office_emails = conn.query_row(of_office, [], |row| row.get(0))?;
    Ok(())
}

fn describe(error: &Error) -> String {
    match error {
        Error::Unusable(why) => format!("it is damaged: {why}"),
        error => format!("it cannot be read: {error}"),
    }
}

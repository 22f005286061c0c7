//! The last run of each maintenance job, for commands, metrics and the dashboard.

use poem_openapi::Object;
use rusqlite::{Connection, Row, params};

use crate::database::row::read_row;
use crate::{Result, Store, query};
use domain::clock::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// The order of a certificate from an authority.
    Certificate,
    /// The scheduled backup.
    Backup,
    /// The restore of the newest backup into a temporary folder.
    Proof,
    /// The search for lost files, and for damage in a seventh of them.
    Files,
    /// The deletion of old rows.
    Retention,
    /// The check of free disk space; recorded when it becomes low and when it recovers.
    Disk,
}

impl Job {
    /// The scheduled jobs.
    pub const ALL: [Self; 5] = [
        Self::Certificate,
        Self::Backup,
        Self::Proof,
        Self::Files,
        Self::Retention,
    ];

    /// Its name in the database and in commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Backup => "backup",
            Self::Proof => "backup proof",
            Self::Files => "check of stored files",
            Self::Retention => "retention",
            Self::Disk => "disk",
        }
    }
}

/// The last run of a maintenance job.
#[derive(Clone, Debug, PartialEq, Object)]
#[oai(rename = "JobRun")]
pub struct LastRun {
    /// When it ended, RFC 3339 UTC.
    pub ran_at: Time,
    /// Whether it succeeded.
    pub ok: bool,
    /// When it last succeeded, null if never.
    pub succeeded_at: Option<Time>,
    /// Its duration.
    pub seconds: f64,
    /// Its result, or its error.
    pub detail: String,
    /// When the office was last notified of the failure.
    #[oai(skip)]
    pub told_at: Option<Time>,
}

/// The last run of `job`; `None` if it has not run, or if the schema is older than this table.
pub(crate) fn last(conn: &Connection, job: Job) -> Result<Option<LastRun>> {
    if !conn.table_exists(None, "maintenance")? {
        return Ok(None);
    }
    let find = "SELECT * FROM maintenance WHERE job = ?1";
    query::optional(conn, find, [job.name()], read)
}

fn read(found: &Row<'_>) -> rusqlite::Result<LastRun> {
    read_row!(found => LastRun { ran_at, ok, succeeded_at, seconds, detail, told_at })
}

impl Store {
    /// The last run of `job`, if it has run.
    pub async fn last_run(&self, job: Job) -> Result<Option<LastRun>> {
        self.read(move |conn| last(conn, job)).await
    }

    /// Records a run of `job` that ended at `now`, and deletes the request for it. `Err` holds the
    /// error text of a failed run.
    pub async fn record_run(
        &self,
        job: Job,
        seconds: f64,
        result: std::result::Result<String, String>,
        now: Time,
    ) -> Result<()> {
        self.write(move |conn| {
            let ok = result.is_ok();
            let detail = result.unwrap_or_else(|error| error);
            let sql = "INSERT INTO maintenance (job, ran_at, ok, succeeded_at, seconds, detail)
                 VALUES (?1, ?2, ?3, iif(?3, ?2, NULL), ?4, ?5)
                 ON CONFLICT (job) DO UPDATE SET ran_at = ?2, ok = ?3, seconds = ?4, detail = ?5,
                   succeeded_at = iif(?3, ?2, succeeded_at), told_at = iif(?3, NULL, told_at)";
            let values = params![job.name(), now.to_string(), ok, seconds, detail];
            query::run(conn, sql, values)
        })
        .await
    }
}

/// Records that the office was notified at `now` that `job` fails. Call it inside the `write` job
/// that inserts the notice.
pub fn mark_told(conn: &Connection, job: Job, now: Time) -> Result<()> {
    let sql = "INSERT INTO maintenance (job, ran_at, ok, seconds, detail, told_at)
            VALUES (?1, ?2, 0, 0, 'never ran', ?2)
         ON CONFLICT (job) DO UPDATE SET told_at = ?2";
    query::run(conn, sql, [job.name(), &now.to_string()])
}

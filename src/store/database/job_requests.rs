//! Maintenance jobs that commands request from the running server.

use rusqlite::OptionalExtension;

use crate::database::maintenance::Job;
use crate::database::row;
use crate::{Result, Store};
use domain::clock::Time;

/// A request for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobRequest {
    /// Not started yet.
    Waits,
    /// Started by a server.
    Taken,
}

impl Store {
    /// Requests a run of `job` from the server.
    pub async fn request_job(&self, job: Job, now: Time) -> Result<()> {
        self.write(move |conn| {
            conn.execute(
                "INSERT OR REPLACE INTO job_requests (job, requested_at) VALUES (?1, ?2)",
                [job.name(), &now.to_string()],
            )?;
            Ok(())
        })
        .await
    }

    /// The request for `job`; `None` if there is none, or it has run.
    pub async fn job_request(&self, job: Job) -> Result<Option<JobRequest>> {
        self.read(move |conn| {
            let mut find =
                conn.prepare_cached("SELECT taken_at FROM job_requests WHERE job = ?1")?;
            let taken = find.query_row([job.name()], |found| row::optional_time(found, "taken_at"));
            Ok(taken.optional()?.map(|at| match at {
                Some(_) => JobRequest::Taken,
                None => JobRequest::Waits,
            }))
        })
        .await
    }

    /// Records that a server starts to run `job`, if that was requested.
    pub async fn take_job_request(&self, job: Job, now: Time) -> Result<()> {
        self.write(move |conn| {
            conn.execute(
                "UPDATE job_requests SET taken_at = ?2 WHERE job = ?1",
                [job.name(), &now.to_string()],
            )?;
            Ok(())
        })
        .await
    }
}

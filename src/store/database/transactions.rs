//! Runs jobs and rules of services: in a transaction of the writer thread, or of a reader.

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::RuleError;
use crate::error::read_failed;
use crate::{Error, Result, Store};

type ReadJob = Box<dyn FnOnce(&Connection) -> Result<()> + Send>;

impl Store {
    /// Runs `job` on the writer thread, as a part of the current group commit. Returns after the
    /// commit is on disk. `Err` rolls back the job; a refusal that has to store rows is returned as
    /// `Ok`. Errors: those of the job; `Busy` if the queue is full or the file stays locked; `Full`
    /// if the disk is full.
    pub fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + use<'_, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.writer.run(job)
    }

    /// Runs a rule of a service in one write transaction. A refusal commits what the rule wrote
    /// before; an error of the store rolls it back.
    pub async fn write_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.write(move |conn| separate(rule(conn))).await?
    }

    /// Runs a rule of a service on a read connection.
    pub async fn read_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.read(move |conn| separate(rule(conn))).await?
    }

    /// Runs `job` on a read connection, on a blocking thread, in one read transaction. Errors:
    /// those of the job; `Busy` if no connection is free in time.
    pub fn read<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + use<'_, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let (sender, result) = oneshot::channel();
        let read = self.read_boxed(Box::new(move |conn| {
            let _ = sender.send(job(conn)?);
            Ok(())
        }));
        async move {
            read.await?;
            result.await.map_err(|_| Error::Failed)
        }
    }

    /// One task for all jobs: one for each type of job takes a megabyte of the program.
    async fn read_boxed(&self, job: ReadJob) -> Result<()> {
        // The job may hold the last other handle: closing the store within the read would wait for
        // this read to end.
        let store = self.clone();
        let work = move || {
            let result = store.readers.with(job);
            drop(store);
            result
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }
}

/// Separates errors of the store (outer result) from refusals of a rule (inner result).
fn separate<T, E: RuleError>(result: Result<T, E>) -> Result<Result<T, E>> {
    match result.map_err(E::into_store_error) {
        Ok(value) => Ok(Ok(value)),
        Err(Ok(error)) => Err(error),
        Err(Err(refusal)) => Ok(Err(refusal)),
    }
}

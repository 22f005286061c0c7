//! Runs jobs and rules of services: in a transaction of the writer thread, or of a reader.

use rusqlite::Connection;

use crate::store::{Error, Result, RuleError, Store};

impl Store {
    /// Runs `job` on the writer thread, as a part of the current group commit. Returns after the
    /// commit is on disk. `Err` rolls back the job; a refusal that has to store something is
    /// returned as `Ok`.
    ///
    /// # Errors
    /// The error of the job; `Busy` when the queue is full or the file stays locked; `Full` when
    /// the disk is full.
    pub fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + use<'_, T, F>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        let result = self.writer.run(job);
        async move {
            let result = result.await;
            self.outbox_signal.notify_if_pending();
            result
        }
    }

    /// Runs a rule of a service in one write transaction. A refusal commits what the rule wrote
    /// before; an error of the store rolls it back.
    ///
    /// # Errors
    /// Those of the rule; those of `write`.
    pub async fn write_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.write(move |conn| separate(rule(conn))).await?
    }

    /// Runs a rule of a service on a read connection.
    ///
    /// # Errors
    /// Those of the rule; those of `read`.
    pub async fn read_rule<T, E, F>(&self, rule: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: RuleError,
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    {
        self.read(move |conn| separate(rule(conn))).await?
    }

    /// Runs `job` on a read connection, on a blocking thread, in one read transaction.
    ///
    /// # Errors
    /// The error of the job; `Busy` when no connection is free in time.
    pub async fn read<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        // The job may own the last other handle: if the store were closed within the read, it would
        // wait for this read to end.
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

/// Makes errors of the store the outer result of a rule, and refusals the inner one.
fn separate<T, E: RuleError>(result: Result<T, E>) -> Result<Result<T, E>> {
    match result.map_err(E::into_store_error) {
        Ok(value) => Ok(Ok(value)),
        Err(Ok(error)) => Err(error),
        Err(Err(refusal)) => Ok(Err(refusal)),
    }
}

/// The error of a read that did not return: it panicked, or the runtime has ended.
pub(in crate::store) fn read_failed(error: tokio::task::JoinError) -> Error {
    if error.is_panic() {
        tracing::error!("a read of the store panicked");
        return Error::Failed;
    }
    Error::Busy
}

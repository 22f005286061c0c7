//! The thread on which all requests run.

use std::future::Future;
use std::sync::mpsc;

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};

use super::error::{Error, Result};

/// A runtime with one thread.
pub(super) struct Background(Option<Runtime>);

impl Background {
    pub(super) fn start() -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("s3")
            .enable_all()
            .build()
            .context("cannot start the thread of the bucket's client")?;
        Ok(Self(Some(runtime)))
    }

    /// Runs `work` on the thread.
    pub(super) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.0 {
            runtime.spawn(work);
        }
    }

    /// Runs `work` on the thread, and blocks until it has ended.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (send, receive) = mpsc::sync_channel(1);
        self.spawn(async move {
            // If it fails, the caller has stopped waiting.
            let _ = send.send(work.await);
        });
        let ended = || {
            Err(Error::Failed(
                "the client of the bucket has ended".to_owned(),
            ))
        };
        receive.recv().unwrap_or_else(|_| ended())
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Does not block: the last owner may be asynchronous.
            runtime.shutdown_background();
        }
    }
}

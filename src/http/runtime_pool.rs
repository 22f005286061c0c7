//! The threads that tend connections. Each has a runtime of its own and keeps the connections it is given: no request is handed from thread to thread, and
//! no thread is woken to look whether another has too much to do.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// How long a thread that ends waits for its reads and hashes.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Where connections are tended, one room after the other. Dropping this drops what they have not finished, and waits for their threads to end.
pub struct RuntimePool {
    handles: Vec<Handle>,
    next: usize,
    open: Vec<oneshot::Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl RuntimePool {
    /// A thread for each processor.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn per_cpu() -> io::Result<Self> {
        let (mut handles, mut open, mut threads) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..thread::available_parallelism()?.get() {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let (keep_open, closed) = oneshot::channel::<()>();
            handles.push(runtime.handle().clone());
            open.push(keep_open);
            let work = move || {
                let _ = runtime.block_on(closed);
                runtime.shutdown_timeout(LAST_WORK);
            };
            threads.push(thread::Builder::new().name("web".into()).spawn(work)?);
        }
        Ok(Self {
            handles,
            next: 0,
            open,
            threads,
        })
    }

    /// The runtime that asks, and no thread more.
    pub fn here() -> Self {
        Self {
            handles: vec![Handle::current()],
            next: 0,
            open: Vec::new(),
            threads: Vec::new(),
        }
    }

    /// The room whose turn it is.
    pub fn next_runtime(&mut self) -> &Handle {
        self.next = (self.next + 1) % self.handles.len();
        &self.handles[self.next]
    }
}

impl Drop for RuntimePool {
    fn drop(&mut self) {
        self.open.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

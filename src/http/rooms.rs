//! The threads that tend connections. Each has a runtime of its own and keeps the connections it is given: no request is handed from thread to thread, and
//! no thread is woken to look whether another has too much to do.

use std::io;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// Where connections are tended, one room after the other. Dropping this ends its threads, and what they have not finished.
pub struct Rooms {
    handles: Vec<Handle>,
    next: usize,
    _open: Vec<oneshot::Sender<()>>,
}

impl Rooms {
    /// A thread for each processor.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn for_each_processor() -> io::Result<Self> {
        let (mut handles, mut open) = (Vec::new(), Vec::new());
        for _ in 0..thread::available_parallelism()?.get() {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let (keep_open, closed) = oneshot::channel::<()>();
            handles.push(runtime.handle().clone());
            open.push(keep_open);
            thread::Builder::new().name("web".into()).spawn(move || {
                let _ = runtime.block_on(closed);
                runtime.shutdown_background();
            })?;
        }
        Ok(Self {
            handles,
            next: 0,
            _open: open,
        })
    }

    /// The runtime that asks, and no thread more.
    pub fn here() -> Self {
        Self {
            handles: vec![Handle::current()],
            next: 0,
            _open: Vec::new(),
        }
    }

    /// The room whose turn it is.
    pub fn in_turn(&mut self) -> &Handle {
        self.next = (self.next + 1) % self.handles.len();
        &self.handles[self.next]
    }
}

//! A database whose last handle is dropped within a read or a write.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use store::{self, Store};

use super::database;

/// Opens a store on `file`, begins `work` on it with another handle that the work drops as the last
/// one, and waits for the work to end.
fn end_with_last_handle<F>(file: &Path, work: impl FnOnce(Store, LastHandle) -> F)
where
    F: Future<Output = store::Result<()>> + Send + 'static,
{
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (started, start) = channel();
    let (abandoned, wait) = channel();
    let store = Store::open(file).unwrap();
    let last = LastHandle {
        store: store.clone(),
        started,
        wait,
    };
    let caller = runtime.spawn(work(store, last));
    start.recv().unwrap();
    // The client goes away.
    caller.abort();
    let ended = runtime.block_on(caller);
    assert!(ended.is_err_and(|error| error.is_cancelled()));
    abandoned.send(()).unwrap();
    runtime.shutdown_timeout(Duration::from_secs(10));
}

struct LastHandle {
    store: Store,
    started: Sender<()>,
    wait: Receiver<()>,
}

impl LastHandle {
    fn drop_when_last(self) {
        self.started.send(()).unwrap();
        self.wait.recv().unwrap();
        drop(self.store);
    }
}

#[test]
fn a_read_that_owns_the_last_handle_of_the_database_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    end_with_last_handle(&folder.path().join("guardpost.db"), async |store, last| {
        let read = store.read(move |_| {
            last.drop_when_last();
            Ok(())
        });
        read.await
    });
    assert!(!folder.path().join("guardpost.db-wal").exists());
}

#[test]
fn a_write_that_owns_the_last_handle_of_the_database_is_committed() {
    let folder = tempfile::tempdir().unwrap();
    end_with_last_handle(&folder.path().join("guardpost.db"), async |store, last| {
        let write = store.write(move |conn| {
            last.drop_when_last();
            Ok(conn.execute_batch("CREATE TABLE written (id INTEGER)")?)
        });
        write.await
    });
    let conn = database(folder.path());
    conn.busy_timeout(Duration::from_secs(10)).unwrap();
    // Waits for the end of the write.
    conn.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(conn.table_exists(None, "written").unwrap());
}

//! Uploads and their memory, compared with nginx.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::client::{content, name, upload};
use super::{FILES, UPLOADERS, in_parallel, row};
use crate::server::{self, Server};
use crate::table::{Budget, Table};

pub(super) fn uploads(
    table: &mut Table,
    ours: &Server,
    nginx: &Server,
    root: &Path,
    token: &str,
    clients: usize,
) {
    let warm = name(clients, usize::MAX);
    let path = format!("/storage/v1/object/plans/{warm}.pdf");
    upload(
        ours.address,
        "POST",
        &path,
        token,
        200,
        &content(UPLOADERS, 0, clients),
    );
    let before = ours.memory();
    let highest = Highest::watch(ours);
    let mine = in_parallel(clients, |client| {
        for n in 0..FILES / clients {
            let path = format!(
                "/storage/v1/object/plans/{}.pdf",
                name(clients, client * FILES + n)
            );
            upload(
                ours.address,
                "POST",
                &path,
                token,
                200,
                &content(client, n, clients),
            );
        }
    });
    let grown = highest.end() - before;
    let theirs = in_parallel(clients, |client| {
        for n in 0..FILES / clients {
            let file = format!("{}.pdf", name(clients, client * FILES + n));
            let path = format!("/{file}");
            upload(
                nginx.address,
                "PUT",
                &path,
                token,
                201,
                &content(client, n, clients),
            );
            File::open(root.join(file)).unwrap().sync_all().unwrap();
            File::open(root).unwrap().sync_all().unwrap();
        }
    });
    let both = [mine.as_secs_f64(), theirs.as_secs_f64()];
    row(
        table,
        &format!("uploads of 10 MB, {clients} at a time"),
        both,
    );
    table.row(
        &format!("memory of {clients} uploads at a time"),
        format!("{grown:.1} MB"),
        "1 MB each".to_owned(),
        grown / clients as f64,
        Budget::AtMost(1.0),
    );
}

/// The highest memory of a server while it is watched, in MB.
struct Highest {
    ended: Arc<AtomicBool>,
    thread: JoinHandle<f64>,
}

impl Highest {
    fn watch(server: &Server) -> Self {
        let (ended, process) = (Arc::new(AtomicBool::new(false)), server.id());
        let stop = ended.clone();
        let thread = std::thread::spawn(move || {
            let mut highest: f64 = 0.0;
            while !stop.load(Ordering::Relaxed) {
                highest = highest.max(server::memory_of(process).unwrap_or(0.0));
                std::thread::sleep(Duration::from_millis(5));
            }
            highest
        });
        Self { ended, thread }
    }

    fn end(self) -> f64 {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}

//! The time of a page while clients upload, compared with nginx.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::TIME;
use super::client::{content, name, replace};
use crate::load::{self, Until};
use crate::server::Server;
use crate::table::{Budget, Table};

/// The time of a page, one after another, while this many clients upload.
pub(super) fn pages(
    table: &mut Table,
    ours: &Server,
    nginx: &Server,
    root: &Path,
    token: &str,
    uploaders: usize,
) {
    let mine = beside_uploads(
        uploaders,
        |n, round| {
            let path = format!("/storage/v1/object/plans/{}.pdf", name(n, round));
            let content = content(n, round, usize::MAX);
            replace(ours.address, &path, token, &content);
        },
        || load::run(ours.address, 1, Until::Time(TIME), 200, |_| request("/")),
    );
    let theirs = beside_uploads(
        uploaders,
        |n, round| {
            let file = format!("{}.pdf", name(n, round));
            let (path, content) = (format!("/{file}"), content(n, round, usize::MAX));
            replace(nginx.address, &path, token, &content);
            File::open(root.join(file)).unwrap().sync_all().unwrap();
            File::open(root).unwrap().sync_all().unwrap();
        },
        || {
            load::run(nginx.address, 1, Until::Time(TIME), 200, |_| {
                request("/page")
            })
        },
    );
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    for (share, [mine, theirs]) in [
        ("median", [mine.median, theirs.median]),
        ("p99", [mine.p99, theirs.p99]),
    ] {
        table.row(
            &format!("page beside {uploaders} uploads, {share}"),
            format!("{:.2} ms", milliseconds(mine)),
            format!("nginx: {:.2} ms", milliseconds(theirs)),
            milliseconds(mine) / milliseconds(theirs),
            Budget::None,
        );
    }
}

/// Runs `work` while this many clients replace one file each, again and again.
fn beside_uploads<T>(
    uploaders: usize,
    upload: impl Fn(usize, usize) + Sync,
    work: impl FnOnce() -> T,
) -> T {
    for n in 0..uploaders {
        // The files to replace.
        upload(n, 0);
    }
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for n in 0..uploaders {
            let (upload, ended) = (&upload, &ended);
            scope.spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    upload(n, 0);
                }
            });
        }
        let done = work();
        ended.store(true, Ordering::Relaxed);
        done
    })
}

/// A request of a page.
fn request(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\naccept-encoding: br\r\n\r\n").into_bytes()
}

//! Files: uploads and downloads of 10 MB, compared with nginx (dav and sendfile). nginx does not
//! sync stored files, so each of its uploads is followed by an fsync of the file and its folder, as
//! our server does before it answers. Also measures a page while ten clients upload.

mod client;
mod page_times;
mod uploads;

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use client::{call, create_bucket, download, name};
use page_times::pages;
use uploads::uploads;

use crate::live::tokens;
use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// Size of a file, in bytes: the maximum that the server accepts.
const SIZE: usize = 10 * 1024 * 1024;
/// Files of each run.
const FILES: usize = 40;
/// Clients at once of the runs with several.
const CLIENTS: usize = 4;
/// Clients that upload while pages are requested.
const UPLOADERS: usize = 10;
/// How long pages are requested.
const TIME: Duration = Duration::from_secs(5);

pub fn measure(table: &mut Table) {
    if Command::new("nginx").arg("-v").output().is_err() {
        eprintln!("  not measured: nginx is not installed");
        return;
    }
    let folder = server::folder();
    let data = folder.path().join("data");
    let ours = server::guardpost(&data);
    let token = tokens(&data, ours.address, 1).remove(0);
    let root = folder.path().join("dav");
    std::fs::create_dir_all(&root).unwrap();
    let nginx = nginx(folder.path(), &root);
    create_bucket(ours.address, &token);
    for clients in [1, CLIENTS, UPLOADERS] {
        uploads(table, &ours, &nginx, &root, &token, clients);
    }
    for clients in [1, CLIENTS] {
        let sources = [
            (
                ours.address,
                format!("/storage/v1/object/plans/{}.pdf", name(1, 0)),
            ),
            (nginx.address, format!("/{}.pdf", name(1, 0))),
        ];
        // Alternating, twice each, the better run of each: other load affects both equally.
        let mut best = [f64::MAX; 2];
        for _ in 0..2 {
            for (best, (address, path)) in best.iter_mut().zip(&sources) {
                let took = in_parallel(clients, |_| {
                    for _ in 0..FILES / clients {
                        download(*address, path, &token);
                    }
                });
                *best = best.min(took.as_secs_f64());
            }
        }
        row(
            table,
            &format!("downloads of 10 MB, {clients} at a time"),
            best,
        );
    }
    let (status, page) = call(ours.address, "GET", "/", "accept-encoding: br\r\n", b"");
    assert_eq!(status, 200);
    std::fs::write(root.join("page"), page).unwrap();
    for uploaders in [0, UPLOADERS] {
        pages(table, &ours, &nginx, &root, &token, uploaders);
    }
}

/// A row with the seconds for `FILES` files on both servers.
fn row(table: &mut Table, what: &str, [mine, theirs]: [f64; 2]) {
    let rate = |seconds: f64| (FILES * SIZE) as f64 / 1e6 / seconds;
    table.row(
        what,
        format!("{:.0} MB/s", rate(mine)),
        format!("nginx: {:.0} MB/s", rate(theirs)),
        theirs / mine,
        Budget::None,
    );
}

/// Runs `work` in as many threads; returns how long all took.
fn in_parallel(clients: usize, work: impl Fn(usize) + Sync) -> Duration {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..clients {
            let work = &work;
            scope.spawn(move || work(client));
        }
    });
    begun.elapsed()
}

/// nginx that stores and sends files: dav, sendfile, one process per CPU.
fn nginx(folder: &Path, root: &Path) -> Server {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let settings = format!(
        "user root;\nworker_processes auto; daemon off; error_log stderr error; \
         pid {0}/dav.pid;\nevents {{ worker_connections 1024; }}\n\
         http {{ access_log off; sendfile on; tcp_nopush on; client_max_body_size 20m;\n\
         keepalive_requests 100000000;\n\
         client_body_temp_path {1}/tmp; proxy_temp_path {0}; fastcgi_temp_path {0};\n\
         uwsgi_temp_path {0}; scgi_temp_path {0};\n\
         server {{ listen {free}; root {1}; location / {{ dav_methods PUT; }} }} }}\n",
        folder.display(),
        root.display(),
    );
    let file = folder.join("dav.conf");
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).arg("-c").arg(&file);
    Server::silent(command, free)
}

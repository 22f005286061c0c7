//! Files: uploads and downloads of 10 MB, beside nginx (dav and sendfile). nginx does not sync what
//! it stores, so each of its uploads is followed by an fsync of the file and its folder, as our
//! server does before it answers. And how long a page takes while ten clients upload.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::live::tokens;
use crate::load::{self, Until};
use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// Bytes of a file: what the server takes at most.
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

/// The time of a page, one after another, while so many clients upload.
fn pages(
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

/// Runs `work` while so many clients replace one file each, again and again.
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

fn uploads(
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

/// A row with the seconds that `FILES` files took here and there.
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

fn name(run: usize, n: usize) -> String {
    format!("{run}-{n}")
}

/// A document that no other upload has: equal contents would be stored once.
fn content(client: usize, n: usize, run: usize) -> Vec<u8> {
    let mut content = format!("%PDF-1.7\n% {run} {client} {n}\n").into_bytes();
    content.resize(SIZE, b'x');
    content
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

fn create_bucket(address: SocketAddr, token: &str) {
    let body = br#"{"name":"plans"}"#;
    let head = format!("content-type: application/json\r\nauthorization: Bearer {token}\r\n");
    let (status, _) = call(address, "POST", "/storage/v1/bucket", &head, body);
    assert_eq!(status, 200);
}

fn upload(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    expected: u16,
    content: &[u8],
) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, body) = call(address, method, path, &head, content);
    assert_eq!(status, expected, "{}", String::from_utf8_lossy(&body));
}

/// Stores a file that may be there already.
fn replace(address: SocketAddr, path: &str, token: &str, content: &[u8]) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, said) = call(address, "PUT", path, &head, content);
    let said = String::from_utf8_lossy(&said);
    assert!((200..=204).contains(&status), "{status}: {said}");
}

fn download(address: SocketAddr, path: &str, token: &str) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, content) = call(address, "GET", path, &head, b"");
    assert_eq!((status, content.len()), (200, SIZE));
}

/// One request on a connection of its own; returns the status and the body.
fn call(address: SocketAddr, method: &str, path: &str, head: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n{head}\
         content-length: {length}\r\n\r\n"
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::with_capacity(SIZE + 4096);
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap()
        + 4;
    let status = std::str::from_utf8(&answer[9..12])
        .unwrap()
        .parse()
        .unwrap();
    (status, answer.split_off(end))
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

//! Process lifecycle: start time, memory when idle and after half a million posts, binary size.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::load::{self, Until};
use crate::posts;
use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// Starts of which the median is reported.
const STARTS: usize = 11;
/// Posts before memory is measured again.
const POSTS: u64 = 500_000;

pub fn measure(table: &mut Table) {
    let folder = server::folder();
    let data = folder.path().join("data");
    drop(server::guardpost(&data));

    let mut waits: Vec<_> = (0..STARTS).map(|_| start(&data)).collect();
    waits.sort_unstable();
    let mut blank: Vec<_> = (0..STARTS).map(|_| start_only()).collect();
    blank.sort_unstable();
    let (ours, blank) = (waits[STARTS / 2], blank[STARTS / 2]);
    table.row(
        "start to the first 200, in ms",
        format!("{ours:.1?}"),
        format!("a process that only prints its version: {blank:.1?}"),
        ours.as_secs_f64() * 1e3,
        Budget::AtMost(60.0),
    );

    let server = server::guardpost(&data);
    assert_eq!(get(server.address, "/healthz"), 200);
    std::thread::sleep(Duration::from_secs(3));
    let idle = server.memory();
    table.row(
        "memory idle, in MB",
        format!("{idle:.1} MB"),
        String::new(),
        idle,
        Budget::AtMost(8.0),
    );
    let found = load::run(
        server.address,
        64,
        Until::Answers(POSTS),
        201,
        posts::request,
    );
    assert_eq!(found.others, 0);
    let after = server.memory();
    table.row(
        &format!("memory after {POSTS} posts, in MB"),
        format!("{after:.1} MB"),
        format!("idle: {idle:.1} MB"),
        after / idle,
        Budget::None,
    );

    let size = std::fs::metadata(server::binary()).unwrap().len() as f64 / 1e6;
    let shell = Command::new("sh")
        .args(["-c", "stat -Lc %s \"$(command -v node)\""])
        .output()
        .unwrap();
    let node: f64 = String::from_utf8(shell.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap_or(0.0)
        / 1e6;
    table.row(
        "program, in MB",
        format!("{size:.1} MB, with the whole site"),
        format!("node alone: {node:.1} MB"),
        size / node,
        Budget::None,
    );
}

/// The time from the start of the process to its first 200 response.
fn start(data: &std::path::Path) -> Duration {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut command = Command::new(server::binary());
    command
        .args(["serve", "--listen", &free.to_string(), "--data"])
        .arg(data)
        .env_clear()
        .env("RUST_LOG", "warn")
        .current_dir(data);
    let started = Instant::now();
    let _server = Server::silent(command, free);
    assert_eq!(get(free, "/"), 200, "build the site first: just web");
    started.elapsed()
}

/// The time to start a process that only prints its version.
fn start_only() -> Duration {
    let started = Instant::now();
    assert!(
        Command::new(server::binary())
            .arg("--version")
            .output()
            .unwrap()
            .status
            .success()
    );
    started.elapsed()
}

fn get(address: SocketAddr, path: &str) -> u16 {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    std::str::from_utf8(&answer[9..12])
        .unwrap()
        .parse()
        .unwrap()
}

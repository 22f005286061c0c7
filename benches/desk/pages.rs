//! Pages: the same bytes from this server and from nginx, requested by wrk.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;

use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// The requested pages, each in an encoding.
const PAGES: [(&str, &str); 4] = [
    ("/", "br"),
    ("/", "gzip"),
    ("/", "identity"),
    ("/fire-watch", "br"),
];
/// Loads of each server, in turn: other load affects both alike.
const ROUNDS: usize = 3;

pub fn measure(table: &mut Table) {
    for program in ["nginx", "wrk", "curl"] {
        if Command::new(program).arg("-v").output().is_err() {
            eprintln!("  not measured: {program} is not installed");
            return;
        }
    }
    let folder = server::folder();
    let ours = server::guardpost(&folder.path().join("data"));
    let root = folder.path().join("pages");
    std::fs::create_dir_all(&root).unwrap();
    for (number, (path, encoding)) in PAGES.into_iter().enumerate() {
        // The second response comes from the page map, as all later ones do.
        for _ in 0..2 {
            let got = Command::new("curl")
                .args(["-fsS", "-H", &format!("accept-encoding: {encoding}"), "-o"])
                .arg(root.join(name(number)))
                .arg(format!("http://{}{path}", ours.address))
                .status()
                .unwrap();
            assert!(got.success(), "build the site first: just web");
        }
    }
    let nginx = nginx(folder.path(), &root);
    for (number, (path, encoding)) in PAGES.into_iter().enumerate() {
        let rounds: Vec<_> = (0..ROUNDS)
            .map(|_| {
                let theirs = wrk(nginx.address, &format!("/{}", name(number)), encoding);
                (wrk(ours.address, path, encoding), theirs)
            })
            .collect();
        let size = std::fs::metadata(root.join(name(number))).unwrap().len();
        let what = format!("page {path}, {size} bytes of {encoding}");
        let (mine, theirs) = best(&rounds, |load| load.rate, f64::max);
        table.row(
            &what,
            format!("{mine:.0}/s"),
            format!("nginx: {theirs:.0}/s"),
            mine / theirs,
            Budget::AtLeast(1.0),
        );
        let (mine, theirs) = best(&rounds, |load| load.p99_ms, f64::min);
        table.row(
            &format!("{what}, p99"),
            format!("{mine:.2} ms"),
            format!("nginx: {theirs:.2} ms"),
            mine / theirs,
            Budget::AtMost(1.0),
        );
    }
}

/// The best round of each server.
fn best(rounds: &[(Load, Load)], of: fn(&Load) -> f64, better: fn(f64, f64) -> f64) -> (f64, f64) {
    let mine = rounds.iter().map(|(mine, _)| of(mine)).reduce(better);
    let theirs = rounds.iter().map(|(_, theirs)| of(theirs)).reduce(better);
    (mine.unwrap(), theirs.unwrap())
}

fn name(number: usize) -> String {
    format!("page-{number}")
}

/// nginx tuned for static files: sendfile, an open file cache, no log, one process per CPU.
fn nginx(folder: &Path, root: &Path) -> Server {
    let free: SocketAddr = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let locations: String = PAGES
        .into_iter()
        .enumerate()
        .map(|(number, (_, encoding))| {
            let encoding = match encoding {
                "identity" => String::new(),
                _ => format!("add_header Content-Encoding {encoding};"),
            };
            format!(
                "location = /{} {{ default_type 'text/html; charset=utf-8'; {encoding} \
                 add_header Vary Accept-Encoding; add_header Cache-Control no-cache; root {}; }}\n",
                name(number),
                root.display(),
            )
        })
        .collect();
    let user = if root.metadata().is_ok() {
        "user root;"
    } else {
        ""
    };
    let settings = format!(
        "{user}\nworker_processes auto; daemon off; error_log stderr error; pid {0}/nginx.pid;\n\
         events {{ worker_connections 1024; }}\n\
         http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; \
         open_file_cache max=100; etag on;\n\
         client_body_temp_path {0}; proxy_temp_path {0}; fastcgi_temp_path {0}; uwsgi_temp_path \
         {0}; scgi_temp_path {0};\n\
         server {{ listen {free}; {locations} }} }}\n",
        folder.display()
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, settings).unwrap();
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).arg("-c").arg(&file);
    Server::silent(command, free)
}

/// What wrk measured.
struct Load {
    /// Requests per second.
    rate: f64,
    p99_ms: f64,
}

fn wrk(address: SocketAddr, path: &str, encoding: &str) -> Load {
    let out = Command::new("wrk")
        .args(["-t1", "-c64", "-d5s", "--latency", "-H"])
        .arg(format!("accept-encoding: {encoding}"))
        .arg(format!("http://{address}{path}"))
        .output()
        .unwrap();
    let report = String::from_utf8(out.stdout).unwrap();
    assert!(!report.contains("Non-2xx"), "{report}");
    let after = |label: &str| {
        let line = report
            .lines()
            .find_map(|line| line.trim().strip_prefix(label));
        line.unwrap_or_else(|| panic!("{report}")).trim()
    };
    Load {
        rate: after("Requests/sec:").parse().unwrap(),
        p99_ms: millis(after("99%")),
    }
}

/// A duration as wrk prints it: `850.00us`, `1.23ms`, `2.00s`.
fn millis(text: &str) -> f64 {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let number: f64 = digits.parse().unwrap();
    match &text[digits.len()..] {
        "us" => number / 1000.0,
        "ms" => number,
        _ => number * 1000.0,
    }
}

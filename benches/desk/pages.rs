//! Pages: the same brotli bytes from this server and from nginx, requested by wrk.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;

use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// The requested pages.
const PATHS: [&str; 2] = ["/", "/fire-watch"];

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
    for path in PATHS {
        let file = root.join(name(path));
        let url = format!("http://{}{path}", ours.address);
        // The second response comes from the page map, as all later ones do.
        for _ in 0..2 {
            let got = Command::new("curl")
                .args(["-fsS", "-H", "accept-encoding: br", "-o"])
                .arg(&file)
                .arg(&url)
                .status()
                .unwrap();
            assert!(got.success(), "build the site first: just web");
        }
    }
    let nginx = nginx(folder.path(), &root);
    for path in PATHS {
        // Alternating, twice each, the better run of each: other load affects both equally.
        let rates: Vec<_> = (0..2)
            .map(|_| (wrk(ours.address, path), wrk(nginx.address, path)))
            .collect();
        let best = |rates: &mut dyn Iterator<Item = f64>| rates.fold(0.0, f64::max);
        let (mine, theirs) = (
            best(&mut rates.iter().map(|pair| pair.0)),
            best(&mut rates.iter().map(|pair| pair.1)),
        );
        let size = std::fs::metadata(root.join(name(path))).unwrap().len();
        table.row(
            &format!("page {path}, {size} bytes of brotli"),
            format!("{mine:.0}/s"),
            format!("nginx: {theirs:.0}/s"),
            mine / theirs,
            Budget::AtLeast(1.0),
        );
    }
}

fn name(path: &str) -> String {
    format!("page{}", path.replace('/', "-"))
}

/// nginx tuned for static files: sendfile, an open file cache, no log, one process per CPU.
fn nginx(folder: &Path, root: &Path) -> Server {
    let free: SocketAddr = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let locations: String = PATHS
        .iter()
        .map(|path| {
            format!(
                "location = {path} {{ default_type 'text/html; charset=utf-8'; \
                             add_header Content-Encoding br; add_header Vary Accept-Encoding; \
                             add_header Cache-Control no-cache; root {}; try_files /{} =404; }}\n",
                root.display(),
                name(path)
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

fn wrk(address: SocketAddr, path: &str) -> f64 {
    let out = Command::new("wrk")
        .args(["-t1", "-c64", "-d5s", "-H", "accept-encoding: br"])
        .arg(format!("http://{address}{path}"))
        .output()
        .unwrap();
    let report = String::from_utf8(out.stdout).unwrap();
    assert!(!report.contains("Non-2xx"), "{report}");
    let line = report
        .lines()
        .find_map(|line| line.strip_prefix("Requests/sec:"))
        .unwrap_or_else(|| panic!("{report}"));
    line.trim().parse().unwrap()
}

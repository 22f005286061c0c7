//! A disk that fills up while a file is written: a process that may write no file beyond a limit
//! gets the same kind of error.

use std::collections::BTreeSet;
use std::process::Command;

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::PDF;
use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors;
use crate::support::visitors::quote;

/// 4 or 8 MB, by the shell's unit; without the signal, which would end the process.
const LIMITED: &str = "trap '' XFSZ; ulimit -f 8192; exec \"$@\"";

fn limited_server(cli: &Cli) -> ServerProcess {
    let serve = cli.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", LIMITED, "sh"])
        .arg(serve.get_program())
        .args(serve.get_args())
        .current_dir(cli.folder.path())
        .env_clear()
        .env("GUARDPOST_DATA__REQUEST_RESERVE_MB", "0")
        .env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']");
    ServerProcess::run(command)
}

#[tokio::test]
async fn on_a_disk_that_fills_up_files_are_refused_and_requests_go_on() {
    let cli = Cli::new();
    let server = limited_server(&cli);
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let ask = async |n: u32| {
        let body = quote(json!({"attachments": true, "location": format!("Lot {n}")}));
        let client = visitors::visitor(n);
        let asked = visitors::ask(&http, &origin, &client, None, &body).await;
        let asked = asked.unwrap();
        assert_eq!(asked.status(), StatusCode::CREATED);
        let receipt: Value = asked.json().await.unwrap();
        let text = |name: &str| receipt["uploads"][name].as_str().unwrap().to_owned();
        format!("{origin}{}plan.pdf?token={}", text("url"), text("token"))
    };
    let path = ask(0).await;
    let big = [PDF, &vec![b'x'; 9_000_000]].concat();
    let answer = http.put(&path).body(big).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    let error: Value = answer.json().await.unwrap();
    assert_eq!(error["code"], "InsufficientStorage");
    ask(1).await;
    let small = [PDF, &vec![b'x'; 100_000]].concat();
    let answer = http.put(&path).body(small).send().await.unwrap();
    assert_eq!(answer.status(), 200, "the refused file does not count");
    let left = std::fs::read_dir(cli.path("data/files/tmp")).unwrap();
    assert_eq!(left.count(), 0);
    assert!(server.stop("-TERM").0);
}

#[tokio::test]
async fn a_full_disk_is_one_line_of_the_log_however_many_requests_meet_it() {
    let cli = Cli::new();
    let server = limited_server(&cli);
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let mut refused = 0;
    for n in 0.. {
        let body = quote(json!({"description": "x".repeat(1500), "location": format!("Lot {n}")}));
        let client = visitors::visitor(n);
        let asked = visitors::ask(&http, &origin, &client, None, &body).await;
        let status = asked.unwrap().status();
        assert!([StatusCode::CREATED, StatusCode::SERVICE_UNAVAILABLE].contains(&status));
        refused += u32::from(status == StatusCode::SERVICE_UNAVAILABLE);
        if refused == 100 {
            break;
        }
        assert!(n < 10_000, "the disk is limited");
    }
    let (_, log) = server.stop("-KILL");
    let lines = log.lines().filter(|line| !line.contains(" INFO "));
    let about: Vec<&str> = lines
        .filter(|line| !line.contains("created the data"))
        .collect();
    // SQLite reports a full disk as an error of writing now and then.
    let once = "the database cannot be written or read error=";
    assert_eq!(log.matches(once).count(), 1, "{log}");
    // A background task that met the full disk logs one line, once.
    let texts = about.iter().map(|line| {
        let text = line.split_once(' ').map_or(*line, |(_, text)| text);
        text.split(" since=").next().unwrap_or(text)
    });
    let distinct: BTreeSet<&str> = texts.collect();
    assert_eq!(
        distinct.len(),
        about.len(),
        "{refused} requests were refused: {about:#?}"
    );
    let of_requests = about.iter().filter(|line| line.contains("guardpost_http"));
    assert!(of_requests.count() <= 1, "{about:#?}");
}

/// The server in a data folder on a separate file system of 1 GiB, with 64 MiB kept for requests.
fn server_on_small_disk(cli: &Cli) -> ServerProcess {
    const ON_SMALL_DISK: &str = "mount -t tmpfs -o size=1g,mode=700 none data && exec \"$@\"";
    std::fs::create_dir(cli.path("data")).unwrap();
    let serve = cli.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut command = Command::new("unshare");
    command
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "/bin/sh",
            "-c",
            ON_SMALL_DISK,
            "sh",
        ])
        .arg(serve.get_program())
        .args(serve.get_args())
        .current_dir(cli.folder.path())
        .env("GUARDPOST_DATA__REQUEST_RESERVE_MB", "64")
        .env("GUARDPOST_SERVER__TRUSTED_PROXIES", "['127.0.0.0/8']");
    ServerProcess::run(command)
}

#[tokio::test]
async fn with_the_disk_full_of_anything_else_requests_are_stored_in_their_reserve() {
    const MIB: u64 = 1 << 20;
    let mut allowed = Command::new("unshare");
    let allowed = allowed.args(["--user", "--map-root-user", "--mount", "true"]);
    if !allowed.output().is_ok_and(|output| output.status.success()) {
        eprintln!(
            "this machine allows no file systems of its own: `request_reserve` has the rules"
        );
        return;
    }
    let cli = Cli::new();
    let server = server_on_small_disk(&cli);
    let folder = cli.path("data").to_str().unwrap().to_owned();
    let data = std::path::PathBuf::from(format!("/proc/{}/root{folder}", server.pid()));
    let reserve = || data.join("request-reserve").metadata().unwrap().len();
    assert_eq!(reserve(), 64 * MIB);
    // As much as the disk takes, at once: it would take what a write of the server gives up.
    let fill = std::fs::File::create(data.join("fill")).unwrap();
    let takes_all = |_| {
        let space = rustix::fs::fstatvfs(&fill).unwrap();
        let free = space.f_bavail * space.f_frsize;
        // Refused if the server has written since.
        rustix::fs::fallocate(&fill, rustix::fs::FallocateFlags::empty(), 0, free).is_ok()
    };
    assert!((0..1000).any(takes_all), "the disk is full");
    let (http, origin) = (reqwest::Client::new(), server.origin());
    // Ten thousand take ten times as long and as much of the reserve.
    let many = 1000;
    for hundred in 0..many / 100 {
        let asked = (0..100).map(|n| {
            let n = hundred * 100 + n;
            let body =
                quote(json!({"location": format!("Lot {n}"), "description": "x".repeat(900)}));
            let (http, origin, client) = (&http, &origin, visitors::visitor(n));
            async move {
                let answer = visitors::ask(http, origin, &client, None, &body);
                let answer = answer.await.unwrap();
                (answer.status(), answer.text().await.unwrap())
            }
        });
        for (status, answer) in futures_util::future::join_all(asked).await {
            assert_eq!(status, 201, "after {hundred} hundred: {answer}");
        }
    }
    assert!(reserve() < 64 * MIB, "given up");
    let ready = http.get(format!("{origin}/readyz")).send().await.unwrap();
    assert_eq!(ready.status(), StatusCode::OK);
    std::fs::remove_file(data.join("fill")).unwrap();
    drop(fill);
    for _ in 0..600 {
        if reserve() == 64 * MIB {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(reserve(), 64 * MIB, "taken again");
    assert!(server.stop("-TERM").0);
}

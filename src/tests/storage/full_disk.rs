//! A disk that fills up while a file is written: a process that may write no file beyond a limit
//! gets the same kind of error.

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
    assert_eq!(
        answer.status(),
        StatusCode::OK,
        "the refused file does not count"
    );
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
    assert!(
        about.len() <= 3,
        "{refused} requests were refused: {about:#?}"
    );
}

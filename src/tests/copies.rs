//! The README's commands for a copy of everything: taken while the server is under load, the copy is whole and a server runs on it.

use std::fs;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::cli_process::{Desk, Ended, Served};
use crate::visitors::{ask, quote, visitor};

/// The commands between the marks in the README.
fn commands() -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("<!-- copy -->\n```sh\n").unwrap();
    rest.split_once("```").unwrap().0.lines().collect()
}

/// Runs the README's commands in the folder of `desk`, copying into `copy`. SQL runs through the library: a host of tests need not have the shell of SQLite.
fn follow_the_readme(desk: &Desk, copy: &Path) {
    let mut script = format!("set -e\ncopy='{}'\n", copy.display());
    for line in commands() {
        if line.starts_with("copy=") {
            continue;
        }
        let Some(sql) = line.strip_prefix("sqlite3 data/guardpost.db \"") else {
            script.push_str(line);
            script.push('\n');
            continue;
        };
        shell(desk, &std::mem::take(&mut script));
        script = format!("set -e\ncopy='{}'\n", copy.display());
        let sql = sql.trim_end_matches('"');
        let sql = sql.replace("$copy", copy.to_str().unwrap());
        let conn = Connection::open_with_flags(
            desk.path("data/guardpost.db"),
            OpenFlags::SQLITE_OPEN_READ_WRITE,
        );
        conn.unwrap().execute_batch(&sql).unwrap();
    }
    shell(desk, &script);
}

fn shell(desk: &Desk, script: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_guardpost"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let ended = Command::new("sh")
        .args(["-c", script])
        .current_dir(desk.folder.path())
        .env_clear()
        .env("PATH", path)
        .output();
    let ended = Ended::of(ended.unwrap());
    assert!(ended.good, "{script}\n{}{}", ended.out, ended.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_readmes_copy_of_a_busy_server_is_whole_and_runs() {
    let desk = Desk::new();
    fs::create_dir(desk.path("data")).unwrap();
    shell(&desk, "chmod 700 data");
    fs::create_dir(desk.path("data/media")).unwrap();
    fs::write(desk.path("data/media/hero.jpg"), "a picture").unwrap();
    let served = Served::start(&desk, &[]);
    desk.done(&["invite-admin", "--email", "ada@guard.example"]);
    let (http, origin) = (reqwest::Client::new(), served.origin());
    let leads: Vec<_> = (0..60)
        .map(|n| (visitor(n), quote(json!({"location": format!("Lot {n}")}))))
        .collect();
    let post = |n: usize| {
        let (who, lead) = &leads[n];
        ask(&http, &origin, who, None, lead)
    };
    join_all((0..20).map(post)).await;
    let copy = desk.path("copies/one");
    let copied = tokio::task::spawn_blocking({
        let copy = copy.clone();
        move || {
            follow_the_readme(&desk, &copy);
            desk
        }
    });
    for answer in join_all((20..60).map(post)).await {
        assert_eq!(answer.unwrap().status(), 201);
    }
    let desk = copied.await.unwrap();
    served.kill();

    for name in [
        "guardpost.db",
        "auth-keys.json",
        "address.key",
        "media/hero.jpg",
        "mail",
    ] {
        assert!(copy.join(name).exists(), "{name}");
    }
    let at = ["--data", copy.to_str().unwrap()];
    let again = Served::start(&desk, &at);
    let answer = http.get(format!("{}/readyz", again.origin())).send().await;
    assert_eq!(answer.unwrap().status(), 200);
    let rows = desk.done(&["export-quotes", "--format", "jsonl", at[0], at[1]]);
    let quotes = rows.lines().count();
    assert!((20..=60).contains(&quotes), "{quotes}");
    assert!(
        desk.done(&["list-users", at[0], at[1]])
            .contains("ada@guard.example")
    );
}

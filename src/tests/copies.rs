//! The README's backup commands, run under load: the copy is complete and a server starts on it.

use std::fs;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;
use rusqlite::{Connection, OpenFlags};
use serde_json::json;

use crate::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::visitors::{ask, quote, visitor};

/// The backup commands of the README.
fn readme_commands() -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("<!-- copy -->\n```sh\n").unwrap();
    rest.split_once("```").unwrap().0.lines().collect()
}

/// Runs the README's commands in the folder of `cli`, with `copy` as the destination. SQL runs
/// through rusqlite, so that the tests do not need the sqlite3 shell.
fn run_backup(cli: &Cli, copy: &Path) {
    let mut script = format!("set -e\ncopy='{}'\n", copy.display());
    for line in readme_commands() {
        if line.starts_with("copy=") {
            continue;
        }
        let Some(sql) = line.strip_prefix("sqlite3 data/guardpost.db \"") else {
            script.push_str(line);
            script.push('\n');
            continue;
        };
        shell(cli, &std::mem::take(&mut script));
        script = format!("set -e\ncopy='{}'\n", copy.display());
        let sql = sql.trim_end_matches('"');
        let sql = sql.replace("$copy", copy.to_str().unwrap());
        let conn = Connection::open_with_flags(
            cli.path("data/guardpost.db"),
            OpenFlags::SQLITE_OPEN_READ_WRITE,
        );
        conn.unwrap().execute_batch(&sql).unwrap();
    }
    shell(cli, &script);
}

fn shell(cli: &Cli, script: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_guardpost"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(cli.folder.path())
        .env_clear()
        .env("PATH", path)
        .output();
    let output = CommandOutput::of(output.unwrap());
    assert!(
        output.success,
        "{script}\n{}{}",
        output.stdout, output.stderr
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_readme_backup_of_a_busy_server_is_complete() {
    let cli = Cli::new();
    fs::create_dir(cli.path("data")).unwrap();
    shell(&cli, "chmod 700 data");
    fs::create_dir(cli.path("data/media")).unwrap();
    fs::write(cli.path("data/media/hero.jpg"), "a picture").unwrap();
    let server = ServerProcess::start(&cli, &[]);
    cli.run_ok(&["invite-admin", "--email", "ada@guard.example"]);
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let requests: Vec<_> = (0..60)
        .map(|n| (visitor(n), quote(json!({"location": format!("Lot {n}")}))))
        .collect();
    let post = |n: usize| {
        let (client, body) = &requests[n];
        ask(&http, &origin, client, None, body)
    };
    join_all((0..20).map(post)).await;
    let copy = cli.path("copies/one");
    let copied = tokio::task::spawn_blocking({
        let copy = copy.clone();
        move || {
            run_backup(&cli, &copy);
            cli
        }
    });
    for answer in join_all((20..60).map(post)).await {
        assert_eq!(answer.unwrap().status(), 201);
    }
    let cli = copied.await.unwrap();
    server.kill();

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
    let again = ServerProcess::start(&cli, &at);
    let answer = http.get(format!("{}/readyz", again.origin())).send().await;
    assert_eq!(answer.unwrap().status(), 200);
    let rows = cli.run_ok(&["export-quotes", "--format", "jsonl", at[0], at[1]]);
    let quotes = rows.lines().count();
    assert!((20..=60).contains(&quotes), "{quotes}");
    assert!(
        cli.run_ok(&["list-users", at[0], at[1]])
            .contains("ada@guard.example")
    );
}

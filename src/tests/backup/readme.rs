//! The README's backup commands, run under load: the restored folder is complete and a server
//! starts on it.

use std::fs;
use std::path::Path;
use std::process::Command;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::cli_process::{Cli, CommandOutput, ServerProcess};
use crate::support::visitors::{ask, quote, visitor};

/// The backup commands of the README.
fn readme_commands() -> String {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("<!-- copy -->\n```sh\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// Runs a script in the folder of `cli`, with this program in the path.
fn shell(cli: &Cli, script: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_guardpost"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let output = Command::new("sh")
        .args(["-ec", script])
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
    let copied = tokio::task::spawn_blocking(move || {
        let backups = cli.path("backups");
        let commands =
            readme_commands().replace("/var/backups/guardpost", backups.to_str().unwrap());
        shell(&cli, &commands);
        cli
    });
    for answer in join_all((20..60).map(post)).await {
        assert_eq!(answer.unwrap().status(), 201);
    }
    let cli = copied.await.unwrap();
    server.kill();

    let restored = cli.path("data-restored");
    for name in [
        "guardpost.db",
        "auth-keys.json",
        "address.key",
        "media/hero.jpg",
        "settings.toml",
    ] {
        assert!(restored.join(name).exists(), "{name}");
    }
    let at = ["--data", restored.to_str().unwrap()];
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

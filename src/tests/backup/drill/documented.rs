//! The steps of "Restore drill" in `docs/operate.md`, as they stand there.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{everything, production};
use crate::storage::PDF;
use crate::support::cli_process::ServerProcess;

/// The commands of the first block of the section, each as its arguments.
fn documented(backups: &str) -> Vec<Vec<String>> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operate.md");
    let docs = fs::read_to_string(docs).unwrap();
    let section = docs.split("\n## Restore drill\n").nth(1).unwrap();
    let block = section.split("```").nth(1).unwrap();
    let lines = block
        .lines()
        .filter_map(|line| line.strip_prefix("guardpost "));
    lines
        .map(|line| {
            let line = line.replace("/mnt/backups/guardpost", backups);
            line.split_whitespace().map(str::to_owned).collect()
        })
        .collect()
}

#[tokio::test]
async fn the_documented_drill_changes_nothing_of_production() {
    let (app, cli, bucket) = production("drill-documented").await;
    let grant = app.grant().await;
    app.add_file(&grant, "old.pdf", PDF).await;
    cli.run_ok(&["backup"]);
    let new = [PDF, b"new"].concat();
    app.add_file(&grant, "new.pdf", &new).await;
    let before = everything(&bucket);

    let steps = documented(&app.config.backup.to);
    let (serve, commands) = steps.split_last().unwrap();
    assert_eq!(serve[0], "serve");
    for step in commands {
        let arguments: Vec<&str> = step.iter().map(String::as_str).collect();
        cli.run_ok(&arguments);
    }
    let serve: Vec<&str> = serve[1..].iter().map(String::as_str).collect();
    let server = ServerProcess::start(&cli, &serve);
    // The jobs of a server begin a second after its start.
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(4) {
        let ready = reqwest::get(format!("{}/readyz", server.origin())).await;
        assert!(ready.unwrap().status().is_success());
        assert_eq!(names(&everything(&bucket)), names(&before));
    }
    assert!(everything(&bucket) == before);
    let (ok, log) = server.stop("-TERM");
    assert!(ok, "{log}");
}

fn names(objects: &[(String, Vec<u8>)]) -> Vec<&str> {
    objects.iter().map(|(name, _)| name.as_str()).collect()
}

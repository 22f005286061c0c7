//! Memory use of the server process.

use std::fs;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::visitor;

/// Concurrent sign-ins: as many as run and queue with the default settings.
const CONCURRENT: u32 = 34;
/// Two concurrent hashes need 38 MB. If each hash freed its memory, the allocator would hold 850
/// MB.
const MAX_GROWTH_KB: u64 = 64 * 1024;

/// Anonymous resident memory of a process in kB.
fn anonymous(server: &ServerProcess) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse().unwrap()
}

#[tokio::test]
async fn a_flood_of_sign_ins_uses_the_memory_of_two_hashes() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let url = server.origin() + "/auth/v1/token?grant_type=password";
    let http = reqwest::Client::new();
    let before = anonymous(&server);
    let mut most = 0;
    for round in 0..4 {
        let sign_ins = (0..CONCURRENT).map(|n| {
            // A different account each: only the limit of the queue applies.
            let email = format!("nobody{round}-{n}@guard.example");
            http.post(&url)
                .header("x-forwarded-for", visitor(round * CONCURRENT + n))
                .json(&json!({ "email": email, "password": "a lantern" }))
                .send()
        });
        for answer in join_all(sign_ins).await {
            assert_eq!(answer.unwrap().status(), 400, "checked and wrong");
        }
        most = most.max(anonymous(&server));
    }
    let growth = most.saturating_sub(before);
    assert!(
        growth < MAX_GROWTH_KB,
        "{growth} kB more than the {before} before"
    );
}

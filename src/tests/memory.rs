//! What the running program takes of the host's memory.

use std::fs;

use futures_util::future::join_all;
use serde_json::json;

use crate::cli_process::{Cli, ServerProcess};
use crate::visitors::visitor;

/// Sign-ins at once: as many as run and wait with the default settings.
const AT_ONCE: u32 = 34;
/// Two hashes at once need 38 MB. Were their memory given back each time, the allocator would keep 850.
const GROWTH_KB: u64 = 64 * 1024;

/// Memory of a process that is no file's, in kB: what it holds, and what nobody can take back.
fn anonymous(server: &ServerProcess) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_flood_of_sign_ins_takes_the_memory_of_two_hashes_and_no_more() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let url = server.origin() + "/auth/v1/token?grant_type=password";
    let http = reqwest::Client::new();
    let before = anonymous(&server);
    let mut most = 0;
    for round in 0..4 {
        let sign_ins = (0..AT_ONCE).map(|n| {
            // Each a stranger of its own: no limit but the queue's stands in the way.
            let email = format!("nobody{round}-{n}@guard.example");
            http.post(&url)
                .header("x-forwarded-for", visitor(round * AT_ONCE + n))
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
        growth < GROWTH_KB,
        "{growth} kB more than the {before} before"
    );
}

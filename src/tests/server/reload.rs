//! SIGHUP: what can be changed without a restart is read again, and the server goes on.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::support::cli_process::{Cli, ServerProcess, send_signal};
use crate::support::smtp::SmtpServer;
use crate::support::visitors::quote;

const BOUND: Duration = Duration::from_secs(20);

fn hang_up(server: &ServerProcess) {
    send_signal(server.pid(), "-HUP");
}

/// Waits until `done` is true.
async fn until(mut done: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !done().await {
            yield_now().await;
        }
    };
    timeout(BOUND, wait).await.unwrap();
}

fn settings(cli: &Cli, port: u16, more: &str) {
    let text = format!(
        "[server]\nlisten = \"127.0.0.1:0\"\naccess_log = \"access.log\"\n[mail]\n\
         smtp_host = \"127.0.0.1\"\nsmtp_port = {port}\nsmtp_security = \"none\"\n\
         retry_seconds = 1\n{more}"
    );
    fs::write(cli.path("config.toml"), text).unwrap();
}

#[tokio::test]
async fn a_hangup_opens_the_log_anew_and_reads_the_mail_server_and_never_ends_the_server() {
    let (cli, mail) = (Cli::new(), SmtpServer::start(&[]).await);
    settings(&cli, 1, "");
    let server = ServerProcess::run(cli.command(&["serve"]));
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let get = async |path: &str| {
        let asked = http.get(format!("{origin}{path}")).send().await;
        assert!(asked.unwrap().status().is_success());
    };
    let logged = |file: &str, path: &str| {
        let text = fs::read_to_string(cli.path(file)).unwrap_or_default();
        text.contains(path)
    };
    get("/contact").await;
    until(async || logged("access.log", "/contact")).await;
    fs::rename(cli.path("access.log"), cli.path("access.log.1")).unwrap();
    settings(&cli, mail.address.port(), "[company]\nname = \"Another\"\n");
    hang_up(&server);
    until(async || cli.path("access.log").exists()).await;
    get("/about").await;
    until(async || logged("access.log", "/about")).await;
    assert!(!logged("access.log.1", "/about"));

    let lead = quote(json!({}));
    let posted = http.post(format!("{origin}/api/quotes")).json(&lead).send();
    assert_eq!(posted.await.unwrap().status(), 201);
    timeout(BOUND, mail.wait_for_accepted(1)).await.unwrap();

    fs::write(cli.path("config.toml"), "[srver]\n").unwrap();
    for _ in 0..3 {
        hang_up(&server);
    }
    get("/readyz").await;
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    let waits = "reloaded; these settings take effect at the next start settings=\"company.name\"";
    assert!(log.contains(waits), "{log}");
    let kept = "not everything was reloaded: the settings stay: setting `srver` in config.toml: \
                there is no such setting; did you mean `server`?";
    assert!(log.contains(kept), "{log}");
}

#[tokio::test]
async fn a_hangup_brings_no_emails_back_in_a_drill() {
    let (cli, mail) = (Cli::new(), SmtpServer::start(&[]).await);
    settings(&cli, 1, "");
    let server = ServerProcess::run(cli.command(&["serve", "--drill"]));
    let (http, origin) = (reqwest::Client::new(), server.origin());
    let lead = quote(json!({}));
    let posted = http.post(format!("{origin}/api/quotes")).json(&lead).send();
    assert_eq!(posted.await.unwrap().status(), 201);
    settings(&cli, mail.address.port(), "");
    hang_up(&server);
    // The first try would come within a second.
    let sent = timeout(Duration::from_secs(4), mail.wait_for_accepted(1)).await;
    assert!(sent.is_err());
    let (good, log) = server.stop("-TERM");
    assert!(good && log.contains("reloaded"), "{log}");
}

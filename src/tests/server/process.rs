//! The server process: start, banner and shutdown.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::cli_process::{Cli, CommandOutput, ServerProcess, send_signal};
use crate::support::visitors::quote;

#[tokio::test]
async fn serve_prints_a_banner_and_shuts_down_gracefully() {
    for signal in ["-TERM", "-INT"] {
        let cli = Cli::new();
        let server = ServerProcess::start(&cli, &["--data", "deep/data"]);
        let site = server.banner_url("Site");
        assert_eq!(server.banner_url("Dashboard"), format!("{site}admin"));
        assert_eq!(server.banner_url("API docs"), format!("{site}api/docs"));
        let health = reqwest::get(format!("{site}healthz")).await.unwrap();
        assert_eq!(health.status(), 200);
        let answer = reqwest::Client::new()
            .post(format!("{site}api/quotes"))
            .json(&quote(json!({})))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 201);
        let (good, log) = server.stop(signal);
        assert!(good, "{log}");
        for told in ["maria", "555-0188", "Houston", "127.0.0.1"] {
            assert!(!log.contains(told), "{told} in the log: {log}");
        }
        let rows: Value = serde_json::from_str(&cli.run_ok(&[
            "export-quotes",
            "--format",
            "json",
            "--data",
            "deep/data",
        ]))
        .unwrap();
        assert_eq!(rows.as_array().unwrap().len(), 1);
        let mails = fs::read_dir(cli.path("deep/data/mail")).unwrap().count();
        let left = cli.run_ok(&["outbox", "list", "--data", "deep/data"]);
        assert!(mails == 1 || left.contains("1 waiting"), "{left}");
    }
}

#[test]
fn a_server_that_is_stopped_while_it_prints_its_banner_ends_in_order() {
    let cli = Cli::new();
    // The banner waits for room in the pipe.
    let (mut banner, mut full) = std::io::pipe().unwrap();
    full.write_all(&[b'.'; 64 * 1024]).unwrap();
    let mut server = cli
        .command(&["serve", "--listen", "127.0.0.1:0", "--data", "new"])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(server.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("created the data folder") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "it has ended");
    }
    send_signal(server.id(), "-TERM");
    let mut printed = String::new();
    banner.read_to_string(&mut printed).unwrap();
    let mut rest = String::new();
    log.read_to_string(&mut rest).unwrap();
    assert!(server.wait().unwrap().success(), "{rest}");
    assert!(
        printed.contains("API docs") && rest.contains("stopped"),
        "{rest}"
    );
}

#[test]
fn links_in_emails_use_the_listen_address_unless_base_url_is_set() {
    let cli = Cli::new();
    fs::write(
        cli.path("config.toml"),
        "[server]\nbase_url = \"https://www.guard.example\"\n",
    )
    .unwrap();
    let server = ServerProcess::start(&cli, &[]);
    assert_eq!(server.banner_url("Site"), "https://www.guard.example/");
    server.stop("-TERM");
}

#[test]
fn an_invalid_setting_is_named_and_stops_the_start() {
    let cli = Cli::new();
    fs::write(
        cli.path("config.toml"),
        "[server]\nbase_url = \"guard.example\"\n",
    )
    .unwrap();
    assert!(cli.run_err(&["serve"]).contains("server.base_url"));
    assert!(
        cli.run_err(&["serve", "--config", "absent.toml"])
            .contains("absent.toml")
    );
    assert!(!cli.path("data").exists());
}

#[test]
fn a_server_that_cannot_start_prints_no_banner_and_explains_why() {
    let cli = Cli::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().to_string();
    let metrics = format!("metrics_listen = {taken:?}");
    let tls = "tls_cert = \"absent.pem\"\ntls_key = \"absent.key\"";
    for (listen, settings, said) in [
        (taken.as_str(), "", "--listen"),
        ("127.0.0.1:0", metrics.as_str(), "server.metrics_listen"),
        ("127.0.0.1:0", tls, "absent.pem"),
        (
            "127.0.0.1:0",
            "access_log = \"absent/access.log\"",
            "server.access_log",
        ),
    ] {
        fs::write(cli.path("config.toml"), format!("[server]\n{settings}\n")).unwrap();
        let mut serve = cli.command(&["serve", "--listen", listen]);
        let ended = CommandOutput::of(serve.output().unwrap());
        assert!(
            !ended.success && ended.stdout.is_empty(),
            "{}",
            ended.stdout
        );
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn the_service_manager_is_told_of_start_life_and_stop() {
    let cli = Cli::new();
    let path = cli.path("notify");
    let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
    socket
        .set_read_timeout(Some(std::time::Duration::from_secs(10)))
        .unwrap();
    let mut command = cli.command(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "200000");
    let server = ServerProcess::run(command);
    let received = || {
        let mut text = [0; 64];
        let length = socket.recv(&mut text).unwrap();
        let text = String::from_utf8(text[..length].to_vec()).unwrap();
        text.trim_end().to_owned()
    };
    assert_eq!(received(), "READY=1");
    assert_eq!(received(), "WATCHDOG=1");
    assert_eq!(received(), "WATCHDOG=1");
    server.stop("-TERM");
    let mut last = received();
    while last == "WATCHDOG=1" {
        last = received();
    }
    assert_eq!(last, "STOPPING=1");
}

#[tokio::test]
async fn a_server_without_file_descriptors_says_so_in_one_line_and_serves_again() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let pid = server.pid().to_string();
    let limit = ["--pid", &pid, "--nofile=64"];
    let limited = Command::new("prlimit").args(limit).status();
    assert!(limited.unwrap().success());
    let origin = server.origin();
    let address = origin.trim_start_matches("http://");
    let idle: Vec<_> = (0..200)
        .map_while(|_| TcpStream::connect(address).ok())
        .collect();
    assert_eq!(idle.len(), 200);
    // Each connection of these closes the longest idle one.
    for _ in 0..20 {
        let health = reqwest::get(format!("{origin}/healthz")).await.unwrap();
        assert_eq!(health.status(), 200);
    }
    drop(idle);
    let health = reqwest::get(format!("{origin}/healthz")).await.unwrap();
    assert_eq!(health.status(), 200);
    let (good, log) = server.stop("-TERM");
    assert!(good, "{log}");
    let lines = log.matches("no connection can be taken").count();
    assert_eq!(lines, 1, "{log}");
}

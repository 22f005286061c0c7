//! The lines of `guardpost check`, each proved by a planted fault.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::thread;

use guardpost::app::maintenance;
use serde_json::Value;

use crate::app::TestApp;
use crate::cli_process::Cli;
use crate::secure::free_address;

/// The lines of `check --json` with these arguments, and whether it succeeded.
fn check(cli: &Cli, arguments: &[&str]) -> (bool, Vec<(String, String)>) {
    let output = cli.run(&[&["check", "--json"], arguments].concat());
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["ok"], output.success, "{report}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let lines = report["lines"].as_array().unwrap().iter();
    (
        output.success,
        lines
            .map(|line| (text(&line["level"]), text(&line["text"])))
            .collect(),
    )
}

fn settings(cli: &Cli, text: &str) {
    fs::write(cli.path("config.toml"), text).unwrap();
}

/// Asserts that there is a line of this level with this text, and that only faults fail the check.
fn expect(cli: &Cli, arguments: &[&str], level: &str, part: &str) {
    let (ok, lines) = check(cli, arguments);
    let found = lines
        .iter()
        .any(|(found, text)| found == level && text.contains(part));
    assert!(found, "{level} {part}: {lines:#?}");
    assert_eq!(
        ok,
        lines.iter().all(|(level, _)| level != "fault"),
        "{lines:#?}"
    );
}

#[test]
fn invalid_settings_are_all_reported_at_once() {
    let cli = Cli::new();
    settings(
        &cli,
        "[company]\nlicenses = { ZZ = \"1\" }\n[server]\nredirects = { \"/a\" = \"/a\" }\n\
         [mail]\nsmtp_host = \"mail.guard.example\"\nsmtp_password_file = \"absent\"\n",
    );
    for fault in ["`ZZ` is no state", "in a circle", "cannot read absent"] {
        expect(&cli, &[], "fault", fault);
    }
    settings(&cli, "[company]\nlicences = 1\n");
    expect(&cli, &[], "fault", "licences");
    assert!(cli.run_err(&["check"]).contains("licences"));
}

fn certificate(cli: &Cli, from: (i32, u8, u8), until: (i32, u8, u8)) {
    let mut params = rcgen::CertificateParams::new(vec!["guard.test".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
    params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    fs::write(cli.path("cert.pem"), certificate.pem()).unwrap();
    fs::write(cli.path("key.pem"), key.serialize_pem()).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(cli.path("key.pem"), fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn an_expired_or_future_certificate_is_a_fault_and_a_valid_one_is_counted_in_days() {
    let cli = Cli::new();
    settings(
        &cli,
        "[server]\ntls_cert = \"cert.pem\"\ntls_key = \"key.pem\"\n",
    );
    certificate(&cli, (2020, 1, 1), (2021, 1, 1));
    expect(&cli, &[], "fault", "has expired on 2021-01-01");
    certificate(&cli, (2190, 1, 1), (2191, 1, 1));
    expect(&cli, &[], "fault", "is not valid before 2190-01-01");
    certificate(&cli, (2020, 1, 1), (2190, 1, 1));
    expect(&cli, &[], "ok", "is valid for ");
}

#[tokio::test]
async fn missing_failed_and_old_backups_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("all");
    let app = TestApp::with(|config| config.backup.to = to.to_str().unwrap().to_owned()).await;
    let cli = Cli::on_data_of(&app);
    expect(&cli, &[], "warning", "backup.to: not set");
    let config = fs::read_to_string(cli.path("config.toml")).unwrap();
    settings(
        &cli,
        &format!("{config}[backup]\nto = {to:?}\n[retention]\nclosed_days = 30\n"),
    );
    expect(&cli, &[], "warning", "backup: it has never run");
    expect(&cli, &[], "warning", "retention: it has never run");
    let jobs = |clock| maintenance(&app.config, app.store.clone(), clock).unwrap();
    // The command reads the clock of the system.
    jobs(guardpost::domain::clock::Clock::system())
        .run_due()
        .await;
    expect(&cli, &[], "ok", "backup: 0 hours ago");
    expect(&cli, &[], "ok", "backup proof: 0 hours ago");
    expect(&cli, &[], "ok", "retention: closed requests are kept");
    let age = |conn: &rusqlite::Connection| {
        let old = "UPDATE maintenance SET ran_at = '2020-01-01T00:00:00.000Z', succeeded_at = \
                   '2020-01-01T00:00:00.000Z'";
        Ok(conn.execute(old, [])?)
    };
    app.store.write(age).await.unwrap();
    expect(&cli, &[], "fault", "backup: the last success is ");
    expect(&cli, &[], "fault", "backup proof: the last success is ");
    expect(&cli, &[], "warning", "retention: it last ran at 2020-01-01");
    fs::remove_dir_all(&to).unwrap();
    fs::write(&to, "a file").unwrap();
    jobs(guardpost::domain::clock::Clock::system())
        .run_due()
        .await;
    expect(&cli, &[], "fault", "backup: failed at ");
    assert!(cli.run_err(&["check"]).contains("backup: failed at "));
}

#[tokio::test]
async fn failed_emails_are_a_warning() {
    let app = TestApp::start().await;
    app.stored(serde_json::json!({})).await;
    let fail =
        |conn: &rusqlite::Connection| Ok(conn.execute("UPDATE outbox SET state = 'failed'", [])?);
    app.store.write(fail).await.unwrap();
    expect(&Cli::on_data_of(&app), &[], "warning", "1 email failed");
}

#[tokio::test]
async fn the_days_until_the_disk_is_full_are_counted() {
    let app = TestApp::start().await;
    let cli = Cli::on_data_of(&app);
    for _ in 0..100 {
        app.clock.advance(2 * 60 * 60 * 1000);
        app.stored(serde_json::json!({})).await;
    }
    expect(&cli, &[], "ok", "days at the 1 MB a day of the last month");
    // As if the last month had brought 1 PB.
    let grant = app.grant().await;
    app.add_file(&grant, "a.pdf", b"%PDF-1.7 a plan").await;
    let grow = "UPDATE objects SET size = 1 << 50";
    let grow = move |conn: &rusqlite::Connection| Ok(conn.execute(grow, [])?);
    assert_eq!(app.store.write(grow).await.unwrap(), 1);
    expect(&cli, &[], "warning", "are free, enough for 0 days at the ");
}

/// Answers each TXT query on a free UDP port: SPF for the domain, a DKIM key for selectors, which
/// is revoked for `old`, nothing for DMARC.
fn dns_server() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            let name = &query[12..length];
            let is_dmarc = name.starts_with(b"\x06_dmarc");
            let mut answer = query[..length].to_vec();
            answer[2..4].copy_from_slice(&[0x81, if is_dmarc { 0x83 } else { 0x80 }]);
            if !is_dmarc {
                answer[7] = 1;
                let text = match name.windows(10).any(|label| label == b"_domainkey") {
                    true if name.starts_with(b"\x03old") => "v=DKIM1; p=",
                    true => "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS",
                    false => "v=spf1 -all",
                };
                answer.extend(b"\xc0\x0c\x00\x10\x00\x01\x00\x00\x00\x3c\x00");
                answer.push(text.len() as u8 + 1);
                answer.push(text.len() as u8);
                answer.extend(text.as_bytes());
            }
            socket.send_to(&answer, client).unwrap();
        }
    });
    address
}

/// The URL of a server whose answers have this date.
fn time_server(date: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/directory", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1024]);
            let answer = format!("HTTP/1.1 200 OK\r\ndate: {date}\r\ncontent-length: 0\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    url
}

/// A date as in HTTP, so many seconds from now.
fn date_in(seconds: i64) -> String {
    let now = guardpost::domain::clock::Clock::system().now();
    let at = jiff::Timestamp::from_second(now.seconds() + seconds).unwrap();
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[test]
fn online_the_clock_is_compared_with_that_of_the_certificate_authority() {
    let cli = Cli::new();
    let authority = |url: &str| settings(&cli, &format!("[server]\nacme_directory = {url:?}\n"));
    for (seconds, level, part) in [
        (0, "ok", "clock: it agrees"),
        (-600, "fault", "s ahead"),
        (600, "fault", "s behind"),
    ] {
        authority(&time_server(date_in(seconds)));
        let (_, lines) = check(&cli, &["--online"]);
        let clock = lines.iter().find(|(_, text)| text.starts_with("clock: "));
        let (found, text) = clock.unwrap();
        assert!(found == level && text.contains(part), "{text}");
    }
    authority("http://127.0.0.1:1/");
    expect(
        &cli,
        &["--online"],
        "warning",
        "cannot be asked for the time",
    );
}

/// A mail server that offers to sign in and accepts the given reply code for it.
fn mail_server(code: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"220 mail\r\n");
            let mut line = [0; 512];
            while let Ok(length @ 1..) = stream.read(&mut line) {
                let reply = match &line[..length.min(4)] {
                    b"EHLO" => "250-mail\r\n250 AUTH PLAIN\r\n".to_owned(),
                    b"AUTH" => format!("{code} so\r\n"),
                    _ => "221 bye\r\n".to_owned(),
                };
                let _ = stream.write_all(reply.as_bytes());
            }
        }
    });
    address
}

#[test]
fn online_the_mail_server_its_domain_and_the_public_url_are_checked() {
    let cli = Cli::new();
    let dns = dns_server().to_string();
    let online = ["--online", "--dns-server", &dns];
    let with = |mail: SocketAddr, site: &str| {
        settings(
            &cli,
            &format!(
                "[server]\nbase_url = \"{site}\"\nacme_directory = \"http://127.0.0.1:1/\"\n\
                 [mail]\nfrom = \"office@guard.example\"\ndkim_selector = \"mail2026\"\n\
                 smtp_host = \"127.0.0.1\"\n\
                 smtp_port = {}\nsmtp_security = \"none\"\nsmtp_user = \"office\"\n\
                 smtp_password_file = \"password\"\ntimeout_seconds = 5\n",
                mail.port()
            ),
        );
    };
    fs::write(cli.path("password"), "secret").unwrap();
    let closed = free_address().parse().unwrap();
    let site = format!("http://{closed}");
    with(closed, &site);
    expect(&cli, &online, "fault", "mail server unreachable");
    expect(&cli, &online, "fault", "cannot be reached");
    expect(&cli, &online, "ok", "SPF of guard.example: v=spf1 -all");
    expect(
        &cli,
        &online,
        "ok",
        "DKIM of guard.example: v=DKIM1; k=ed25519",
    );
    expect(
        &cli,
        &online,
        "warning",
        "DMARC: _dmarc.guard.example has no such record",
    );
    let written = fs::read_to_string(cli.path("config.toml")).unwrap();
    settings(&cli, &written.replace("mail2026", "old"));
    let revoked = "DKIM: old._domainkey.guard.example has no such record";
    expect(&cli, &online, "warning", revoked);
    with(mail_server("535"), &site);
    expect(
        &cli,
        &online,
        "fault",
        "mail server rejected the connection (535)",
    );
    with(mail_server("235"), &site);
    expect(&cli, &online, "ok", "signed in at 127.0.0.1:");

    let server = crate::cli_process::ServerProcess::start(&Cli::new(), &[]);
    with(closed, &server.origin());
    expect(&cli, &online, "ok", "/healthz answers");
    assert!(
        !Path::new(&cli.path("data")).exists(),
        "check writes nothing"
    );
}

//! The lines of `guardpost check --online`, which queries other servers.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::thread;

use super::{check, expect, settings};
use crate::server::tls::free_address;
use crate::support::cli_process::Cli;
use crate::support::imap::{Fault, ImapServer};
use crate::support::tls::issued_by_authority;

/// Answers each TXT query on a free port: SPF for the domain, a DKIM key for selectors, which
/// is revoked for `old`, nothing for DMARC.
fn dns_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut length) = (stream.unwrap(), [0; 2]);
            stream.read_exact(&mut length).unwrap();
            let mut answer = vec![0; u16::from_be_bytes(length).into()];
            stream.read_exact(&mut answer).unwrap();
            let name = answer[12..].to_vec();
            let is_dmarc = name.starts_with(b"\x06_dmarc");
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
            let length = answer.len() as u16;
            stream.write_all(&length.to_be_bytes()).unwrap();
            stream.write_all(&answer).unwrap();
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
    let now = domain::clock::Clock::system().now();
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

#[test]
fn a_web_server_in_place_of_the_buckets_service_is_named_on_one_line() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let status = if number % 2 == 0 {
                "200 OK"
            } else {
                "404 Not Found"
            };
            let page = "<!DOCTYPE html>\n<html>\n<body>\n<h1>Welcome</h1>\n</body>\n</html>\n";
            let length = page.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}\r\n\
                 connection: close\r\n\r\n{page}"
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let cli = Cli::new();
    settings(
        &cli,
        &format!(
            "[backup]\nto = \"s3://plans\"\n[s3]\naccess_key_id = \"a\"\n\
             secret_access_key_file = \"secret\"\nendpoint = \"{url}\"\n"
        ),
    );
    fs::write(cli.path("secret"), "secret").unwrap();
    for _ in 0..2 {
        let error = cli.run_err(&["list-backups"]);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains("a web page, not as S3 does"), "{error}");
    }
}

/// `check --online` with a mailbox: a line for a good one and one for each fault.
#[tokio::test(flavor = "multi_thread")]
async fn online_the_mailbox_is_opened_and_each_fault_is_named() {
    let cli = Cli::new();
    let server = ImapServer::start(issued_by_authority(&cli.path("authority.pem"))).await;
    server.deliver("From: maria@customer.example\r\n\r\nHello\r\n");
    fs::write(cli.path("password"), "secret\n").unwrap();
    settings(
        &cli,
        &format!(
            "[server]\nacme_directory = \"http://127.0.0.1:1/\"\n[mail]\ntimeout_seconds = 1\n\
             [mail.inbound]\nhost = \"127.0.0.1\"\nport = {}\nuser = \"office\"\n\
             password_file = \"password\"\nca_file = \"authority.pem\"\n",
            server.address.port()
        ),
    );
    expect(&cli, &["--online"], "ok", ": 1 email in INBOX");
    for (fault, words) in [
        (
            Fault::Password,
            "the user name or the password is refused: ",
        ),
        (Fault::Silent("LOGIN"), "no answer for 1 s"),
        (Fault::Silent("SELECT"), "no answer for 1 s"),
        (Fault::Nonsense, "something that is not IMAP"),
    ] {
        server.change(|contents| contents.fault = fault);
        expect(&cli, &["--online"], "fault", words);
    }
    server.change(|contents| contents.fault = Fault::None);
    let commands = server.read(|contents| contents.commands.join("\n"));
    assert!(!commands.contains("FETCH"), "nothing is read: {commands}");
    fs::remove_file(cli.path("password")).unwrap();
    expect(&cli, &["--online"], "fault", "cannot read password");
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

    let server = crate::support::cli_process::ServerProcess::start(&Cli::new(), &[]);
    with(closed, &server.origin());
    expect(&cli, &online, "ok", "/healthz answers");
    assert!(
        !Path::new(&cli.path("data")).exists(),
        "check writes nothing"
    );
}

//! Memory use of the server process.

use std::fs;

use futures_util::future::join_all;
use serde_json::json;

use auth::ClientInfo;
use auth::accounts::create_user_with_identity;
use config::Config;
use domain::account::Aal;
use domain::clock::Clock;
use domain::ids;
use guardpost::app;
use http::open_streams::MAX_PER_ACCOUNT;
use store::{NewUser, Store};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::cli_process::{Cli, ServerProcess};
use crate::support::visitors::{ask, quote, visitor};

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

#[cfg(target_os = "linux")]
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

const LISTENERS: usize = 1000;
/// The memory is measured each time when so many more were opened. What one costs is the median of
/// these steps: the allocator may take megabytes at once. The first step uses memory that it has
/// kept.
const STEP: usize = 200;
/// What an event stream may cost beyond its connection, in bytes.
const MAX_STREAM_BYTES: u64 = 4096;

/// Access tokens of as many admins as the streams need.
async fn admin_tokens(cli: &Cli, server: &ServerProcess) -> Vec<String> {
    let mut config = Config::default();
    config.data.dir = cli.path("data");
    // The issuer of the tokens is the server's own URL.
    config.server.base_url = server.origin();
    let store = Store::open(&config.data.dir.join("guardpost.db")).unwrap();
    let auth = app::build(&config, store, Clock::system())
        .await
        .unwrap()
        .auth
        .clone();
    let (service, now) = (auth.clone(), Clock::system().now());
    let sign_in = move |conn: &rusqlite::Connection| {
        let mut tokens = Vec::new();
        for _ in 0..LISTENERS.div_ceil(MAX_PER_ACCOUNT) {
            let user = NewUser {
                email: Some(format!("{}@guard.example", ids::new(now)).parse().unwrap()),
                email_confirmed: true,
                ..NewUser::default()
            };
            let user = create_user_with_identity(conn, user, None, now)?.id;
            let grant =
                "INSERT INTO user_roles (user_id, role, created_at) VALUES (?1, 'admin', ?2)";
            conn.execute(grant, [&user, &now.to_string()]).unwrap();
            let (client, user_agent) = ("test".to_owned(), None);
            let caller = ClientInfo {
                client,
                site: None,
                user_agent,
            };
            let opened = service.open_session(conn, &user, "password", Aal::Aal1, &caller, now)?;
            tokens.push(opened.access_token);
        }
        Ok(tokens)
    };
    auth.write(sign_in).await.unwrap()
}

/// Requests `path` as the `n`th visitor, and reads until `end`.
async fn open(address: &str, n: usize, (path, token, end): (&str, &str, &str)) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let visitor = visitor(n.try_into().unwrap());
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {visitor}\r\n");
    let request = format!("{head}authorization: Bearer {token}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    read_until(&mut stream, end.as_bytes()).await;
    stream
}

async fn read_until(stream: &mut TcpStream, end: &[u8]) {
    let (mut read, mut buffer) = (Vec::new(), [0; 2048]);
    while !read.windows(end.len()).any(|part| part == end) {
        let length = stream.read(&mut buffer).await.unwrap();
        assert!(
            length > 0,
            "closed after {}",
            String::from_utf8_lossy(&read)
        );
        read.extend_from_slice(&buffer[..length]);
    }
}

/// Has the server make its pages now: those that it makes after its start would be counted too.
async fn make_pages(server: &ServerProcess) {
    let http = reqwest::Client::new();
    let sitemap = format!("{}/sitemap.xml", server.origin());
    let sitemap = http.get(sitemap).send().await.unwrap();
    let sitemap = sitemap.text().await.unwrap();
    for rest in sitemap.split("<loc>").skip(1) {
        let url = rest.split("</loc>").next().unwrap();
        let page = http.get(url).header("accept-encoding", "br").send();
        assert_eq!(page.await.unwrap().status(), 200, "{url}");
    }
}

/// Opens a connection of each kind; returns them, and the bytes that each costs the server.
async fn open_all(
    server: &ServerProcess,
    requests: impl Fn(usize) -> (&'static str, String, &'static str),
) -> (Vec<TcpStream>, u64) {
    let address = server.origin().trim_start_matches("http://").to_owned();
    let open = async |n: usize| {
        let (path, token, end) = requests(n);
        open(&address, n, (path, &token, end)).await
    };
    make_pages(server).await;
    let (mut streams, mut measured) = (Vec::new(), Vec::new());
    for n in 0..LISTENERS {
        streams.push(open(n).await);
        if streams.len() % STEP == 0 {
            measured.push(anonymous(server));
        }
    }
    let steps = measured.windows(2);
    let mut costs: Vec<u64> = steps.map(|step| step[1].saturating_sub(step[0])).collect();
    costs.sort_unstable();
    (streams, costs[costs.len() / 2] * 1024 / STEP as u64)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_event_stream_costs_little_more_memory_than_an_idle_connection() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let tokens = admin_tokens(&cli, &server).await;
    let idle = |n| ("/healthz", token(&tokens, n), "}");
    let (_, idle) = open_all(&server, idle).await;
    drop(server);

    let server = ServerProcess::start(&cli, &[]);
    let tokens = admin_tokens(&cli, &server).await;
    let listen = |n| ("/api/admin/live", token(&tokens, n), "\nid: ");
    let (mut streams, listening) = open_all(&server, listen).await;
    let more = listening.saturating_sub(idle);
    assert!(
        more < MAX_STREAM_BYTES,
        "{listening} bytes a stream, {idle} a connection"
    );
    // All of them are served.
    let http = reqwest::Client::new();
    let origin = server.origin();
    let asked = ask(&http, &origin, &visitor(0), None, &quote(json!({}))).await;
    assert_eq!(asked.unwrap().status(), 201);
    for stream in &mut streams {
        read_until(stream, b"received").await;
    }
}

fn token(tokens: &[String], n: usize) -> String {
    tokens[n / MAX_PER_ACCOUNT].clone()
}

/// Uploads at the same time.
const UPLOADS: usize = 10;
/// Bytes of a file: what the server takes at most.
const FILE_BYTES: usize = 10_485_760;
/// What an upload may cost, in kB.
const MAX_UPLOAD_KB: u64 = 1024;

/// Requests a quote with files; returns the path at which one may be put.
async fn upload_path(http: &reqwest::Client, origin: &str, n: usize) -> String {
    let asked = quote(json!({"attachments": true, "location": format!("Lot {n}")}));
    let client = visitor(n.try_into().unwrap());
    let answer = ask(http, origin, &client, None, &asked).await.unwrap();
    let receipt: serde_json::Value = answer.json().await.unwrap();
    let text = |name: &str| receipt["uploads"][name].as_str().unwrap().to_owned();
    format!("{}plan.pdf?token={}", text("url"), text("token"))
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_upload_of_ten_megabytes_takes_less_than_one() {
    let cli = Cli::new();
    let server = ServerProcess::start(&cli, &[]);
    let (origin, http) = (server.origin(), reqwest::Client::new());
    let address = origin.trim_start_matches("http://").to_owned();
    let mut content = b"%PDF-1.7\n".to_vec();
    content.resize(FILE_BYTES, b'x');
    // The first round warms caches up and is not counted.
    let mut growth = 0;
    for round in 0..2 {
        let before = anonymous(&server);
        let mut most = before;
        let mut uploads = Vec::new();
        for n in 0..UPLOADS {
            let path = upload_path(&http, &origin, round * UPLOADS + n).await;
            let mut stream = TcpStream::connect(&address).await.unwrap();
            let head = format!(
                "PUT {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                 content-length: {FILE_BYTES}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&content[..FILE_BYTES - 1]).await.unwrap();
            most = most.max(anonymous(&server));
            uploads.push(stream);
        }
        for mut stream in uploads {
            stream.write_all(&content[FILE_BYTES - 1..]).await.unwrap();
            read_until(&mut stream, b"}").await;
            most = most.max(anonymous(&server));
        }
        growth = most.saturating_sub(before);
    }
    assert!(
        growth < UPLOADS as u64 * MAX_UPLOAD_KB,
        "{growth} kB for {UPLOADS} uploads at once"
    );
}

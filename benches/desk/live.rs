//! The event stream of the dashboard: the memory of a thousand listeners, and the time until one
//! change has reached all of them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use auth::accounts::create_user_with_identity;
use auth::{ClientInfo, Transaction};
use config::Config;
use domain::account::{Aal, Role};
use domain::clock::Clock;
use domain::email::email_address::EmailAddress;
use guardpost::app;
use http::open_streams::MAX_PER_ACCOUNT;
use store::Store;
use store::accounts::NewUser;

use crate::posts;
use crate::server;
use crate::table::{Budget, Table};

const LISTENERS: usize = 1000;
/// Number of measured changes.
const CHANGES: u32 = 100;
/// Time for the server to become idle.
const REST: Duration = Duration::from_secs(3);

pub fn measure(table: &mut Table) {
    let folder = server::folder();
    let data = folder.path().join("data");
    let server = server::guardpost(&data);
    drop(open(server.address, "/healthz", "-"));
    std::thread::sleep(REST);
    let before = server.memory();
    let idle: Vec<_> = (0..LISTENERS)
        .map(|_| open(server.address, "/healthz", "-"))
        .collect();
    std::thread::sleep(REST);
    let connections = server.memory() - before;
    drop((idle, server));

    let server = server::guardpost(&data);
    let tokens = tokens(&data, server.address, LISTENERS.div_ceil(MAX_PER_ACCOUNT));
    drop(open(server.address, "/api/admin/live", &tokens[0]));
    std::thread::sleep(REST);
    let before = server.memory();
    let token = |n: usize| &*tokens[n / MAX_PER_ACCOUNT];
    let mut listeners: Vec<_> = (0..LISTENERS)
        .map(|n| open(server.address, "/api/admin/live", token(n)))
        .collect();
    std::thread::sleep(REST);
    let used = server.memory() - before;
    table.row(
        &format!("memory of {LISTENERS} listeners, in MB"),
        format!("{used:.1} MB"),
        format!("as many idle connections: {connections:.1} MB"),
        used,
        Budget::AtMost(16.0),
    );

    let busy = server.processor();
    std::thread::sleep(REST);
    let share = (server.processor() - busy) / REST.as_secs_f64();
    table.row(
        &format!("processor time while {LISTENERS} listen and nothing happens, in %"),
        format!("{:.2} %", share * 100.0),
        String::new(),
        share * 100.0,
        Budget::AtMost(1.0),
    );

    let mut poster = TcpStream::connect(server.address).unwrap();
    let mut times: Vec<_> = (0..CHANGES)
        .map(|n| {
            let started = Instant::now();
            poster.write_all(&posts::request(n)).unwrap();
            read_until(&mut poster, b"}");
            listeners
                .iter_mut()
                .for_each(|stream| read_until(stream, b"received"));
            started.elapsed()
        })
        .collect();
    times.sort();
    let (median, last) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    table.row(
        &format!("a post until {LISTENERS} listeners have read it, p99 in ms"),
        format!("p50 {median:.1?}, p99 {last:.1?}"),
        String::new(),
        last.as_secs_f64() * 1e3,
        Budget::AtMost(50.0),
    );
}

/// An access token of each of `admins` new admins.
pub fn tokens(data: &Path, server: SocketAddr, admins: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut config = Config::default();
    config.data.dir = data.to_owned();
    // The issuer of the tokens is the server's own address.
    config.server.listen = server;
    runtime.block_on(async {
        let store = Store::open(&data.join("guardpost.db")).unwrap();
        let app = app::build(&config, store.clone(), Clock::system())
            .await
            .unwrap();
        let mut tokens = Vec::new();
        for n in 0..admins {
            let email: EmailAddress = format!("admin{n}@guard.example").parse().unwrap();
            let user = NewUser {
                email: Some(email.clone()),
                email_confirmed: true,
                ..NewUser::default()
            };
            let create =
                move |tx: &Transaction<'_>| Ok(create_user_with_identity(tx, user, None)?.id);
            let user = app.auth.change(create).await.unwrap();
            app.auth.set_role(email, Some(Role::Admin)).await.unwrap();
            let sign_in = move |tx: &Transaction<'_>| {
                let caller = ClientInfo {
                    client: "bench".to_owned(),
                    site: None,
                    user_agent: None,
                };
                tx.open_session(&user, "password", Aal::Aal1, &caller)
            };
            tokens.push(app.auth.change(sign_in).await.unwrap().access_token);
        }
        store.close().await;
        tokens
    })
}

/// Requests `path` and reads the beginning of the response.
fn open(address: SocketAddr, path: &str, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {token}\r\n\r\n"
    )
    .unwrap();
    read_until(&mut stream, b"\r\n\r\n");
    stream
}

/// Reads until `end` has been read.
pub fn read_until(stream: &mut TcpStream, end: &[u8]) {
    let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
    while !read.windows(end.len()).any(|part| part == end) {
        let length = stream.read(&mut buffer).unwrap();
        assert!(length > 0, "the server closed a connection");
        read.extend_from_slice(&buffer[..length]);
    }
}

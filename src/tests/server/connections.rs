//! Connection limits: the share of each client, and which connections are closed for new ones.

use std::time::Duration;

use config::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::yield_now;
use tokio::time::{interval, timeout};

use crate::support::app::TestApp;

/// Longer than any response takes, far shorter than a connection may be idle.
const SOON: Duration = Duration::from_secs(5);

/// A server that trusts no proxy, so that each loopback address is a separate client.
async fn server(adjust: impl FnOnce(&mut Config)) -> TestApp {
    TestApp::with(|config| {
        config.server.trusted_proxies = Vec::new();
        adjust(config);
    })
    .await
}

/// A connection from 127.0.0.`client`.
async fn connect(app: &TestApp, client: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, client], 0).into()).unwrap();
    socket.connect(app.address).await.unwrap()
}

/// Sends a request over an open connection; returns whether it got a response.
async fn is_served(stream: &mut TcpStream) -> bool {
    let request = b"GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n";
    if stream.write_all(request).await.is_err() {
        return false;
    }
    let mut answer = [0; 8192];
    let read = timeout(SOON, stream.read(&mut answer)).await;
    read.expect("answered or closed")
        .is_ok_and(|length| answer[..length].starts_with(b"HTTP/1.1 200 "))
}

async fn idle(app: &TestApp, client: u8) -> TcpStream {
    let mut stream = connect(app, client).await;
    assert!(is_served(&mut stream).await);
    stream
}

/// Whether the server closes the connection without a request.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let end = timeout(SOON, stream.read(&mut [0; 1])).await;
    end.is_ok_and(|read| read.map_or(true, |length| length == 0))
}

#[tokio::test]
async fn a_client_beyond_its_share_closes_its_own_longest_idle_connection() {
    let app = server(|config| config.limits.connections_per_client = 2).await;
    let mut other = idle(&app, 2).await;
    let (mut first, mut second) = (idle(&app, 1).await, idle(&app, 1).await);
    let mut third = idle(&app, 1).await;
    assert!(is_closed(&mut first).await);
    for stream in [&mut second, &mut third, &mut other] {
        assert!(is_served(stream).await);
    }
}

#[tokio::test]
async fn a_client_whose_share_is_busy_is_rejected_while_others_are_served() {
    let app = server(|config| config.limits.connections_per_client = 1).await;
    let mut busy = connect(&app, 1).await;
    let begun = b"POST /api/quotes HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    busy.write_all(begun).await.unwrap();
    while app.bodies.held() == 0 {
        yield_now().await;
    }
    assert!(!is_served(&mut connect(&app, 1).await).await);
    assert!(is_served(&mut connect(&app, 2).await).await);
    drop(busy);
    while app.bodies.held() > 0 {
        yield_now().await;
    }
    assert!(is_served(&mut connect(&app, 1).await).await);
}

#[tokio::test]
async fn a_trusted_proxy_has_no_share() {
    let app = TestApp::with(|config| config.limits.connections_per_client = 1).await;
    let mut streams = [
        idle(&app, 1).await,
        idle(&app, 1).await,
        idle(&app, 1).await,
    ];
    for stream in &mut streams {
        assert!(is_served(stream).await);
    }
}

#[tokio::test]
async fn when_full_the_longest_idle_connection_is_closed_for_a_new_client() {
    let app = server(|config| config.server.max_connections = 3).await;
    let mut streams = [
        idle(&app, 1).await,
        idle(&app, 2).await,
        idle(&app, 3).await,
    ];
    assert!(is_served(&mut streams[0]).await, "used again");
    let mut new = idle(&app, 4).await;
    let [used, oldest, youngest] = &mut streams;
    assert!(is_closed(oldest).await);
    for stream in [used, youngest, &mut new] {
        assert!(is_served(stream).await);
    }
}

#[tokio::test]
async fn busy_connections_are_not_closed_for_a_new_one() {
    let app = server(|config| config.server.max_connections = 2).await;
    let mut busy = connect(&app, 1).await;
    let begun = b"POST /api/quotes HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                  content-length: 2\r\n\r\n{";
    busy.write_all(begun).await.unwrap();
    while app.bodies.held() == 0 {
        yield_now().await;
    }
    for client in 2..6 {
        idle(&app, client).await;
    }
    busy.write_all(b"}").await.unwrap();
    let mut answer = [0; 12];
    timeout(SOON, busy.read_exact(&mut answer))
        .await
        .expect("answered")
        .unwrap();
    assert_eq!(&answer, b"HTTP/1.1 422");
}

#[tokio::test]
async fn pings_do_not_keep_an_idle_http2_connection_open() {
    let app = server(|config| config.server.idle_seconds = 1).await;
    let mut stream = connect(&app, 1).await;
    // The preface, empty settings, and GET /robots.txt with x as its authority (RFC 7541, static
    // table).
    let headers = b"\x82\x44\x0b/robots.txt\x86\x41\x01x";
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
        .await
        .unwrap();
    stream
        .write_all(&[0, 0, headers.len() as u8, 1, 5, 0, 0, 0, 1])
        .await
        .unwrap();
    stream.write_all(headers).await.unwrap();
    let pinged = async {
        let (mut between, mut answer) = (interval(Duration::from_millis(50)), [0; 65536]);
        let mut bytes = 0;
        loop {
            between.tick().await;
            if stream
                .write_all(b"\0\0\x08\x06\0\0\0\0\0eight by")
                .await
                .is_err()
            {
                return bytes;
            }
            match stream.read(&mut answer).await {
                Ok(1..) => bytes += 1,
                _ => return bytes,
            }
        }
    };
    let answers = timeout(SOON * 2, pinged).await.expect("closed");
    assert!(answers > 3, "it was open for a while: {answers}");
}

#[tokio::test]
async fn both_versions_of_http_are_recognized_by_their_first_bytes_however_they_arrive() {
    let app = server(|_| {}).await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let request = b"PROPFIND / HTTP/1.1\r\nhost: x\r\n\r\n";
    // A frame of HTTP/2 begins with its length, here that of the server's settings.
    for (bytes, begins) in [(&preface[..], &b"\0\0"[..]), (request, b"HTTP/1.1 405")] {
        for first in 0..4 {
            let mut stream = connect(&app, 1).await;
            for part in [&bytes[..first], &bytes[first..]] {
                stream.write_all(part).await.unwrap();
                stream.flush().await.unwrap();
            }
            let mut answer = vec![0; begins.len()];
            let read = timeout(SOON, stream.read_exact(&mut answer)).await;
            read.expect("answered").unwrap();
            assert_eq!(answer, begins, "after {first} bytes");
        }
    }
    // Closed within the time of a head.
    let app = server(|config| config.server.head_seconds = 1).await;
    let mut stream = connect(&app, 1).await;
    stream.write_all(b"PR").await.unwrap();
    let closed = timeout(SOON, stream.read(&mut [0; 64])).await;
    assert!(matches!(closed.expect("closed"), Ok(0) | Err(_)));
}

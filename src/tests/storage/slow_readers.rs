//! Readers who take little: what they hold, and when they are given up.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::{Instant, interval, sleep, timeout};

use super::{PDF, refused};
use crate::support::app::TestApp;

/// The length of the public file.
const LENGTH: usize = 1_000_000;
const PATH: &str = "/storage/v1/object/public/public/big.pdf";
/// As many requests as a connection may have open.
const REQUESTS: u32 = 64;
/// Bytes handed out at once.
const PIECE: usize = 16 * 1024;
/// Longer than anything takes here.
const LONG: Duration = Duration::from_secs(60);

async fn app(idle_seconds: u32) -> TestApp {
    let app = TestApp::with(|config| config.server.idle_seconds = idle_seconds).await;
    let admin = app.admin().await;
    let content = [PDF, &vec![b'x'; LENGTH - PDF.len()]].concat();
    let stored = app.store(&admin, "public/big.pdf", &content).await;
    assert_eq!(stored.status(), StatusCode::OK);
    app
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// An HTTP/2 connection whose streams take `window` bytes each; so many requests for the file, by
/// `client`.
async fn read_slowly(app: &TestApp, client: &str, window: u32, requests: u32) -> TcpStream {
    let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let setting = [&4_u16.to_be_bytes()[..], &window.to_be_bytes()].concat();
    sent.extend(frame(4, 0, 0, &setting));
    // GET, http (RFC 7541, static table); path, authority and the forwarded address as literals.
    let literal = |text: &str| [&[u8::try_from(text.len()).unwrap()], text.as_bytes()].concat();
    let mut head = vec![0x82, 0x86, 0x04];
    head.extend(literal(PATH));
    head.extend([0x01, 1, b'x', 0x00]);
    head.extend(literal("x-forwarded-for"));
    head.extend(literal(client));
    for request in 0..requests {
        sent.extend(frame(1, 5, 2 * request + 1, &head));
    }
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(&sent).await.unwrap();
    stream
}

/// Waits until the memory of downloads stays the same, and returns it.
async fn held(app: &TestApp) -> usize {
    let (mut last, mut since) = (0, Instant::now());
    loop {
        let now = app.downloads.held();
        if now != last {
            (last, since) = (now, Instant::now());
        } else if now > 0 && since.elapsed() > Duration::from_millis(300) {
            return now;
        }
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_reader_who_takes_a_byte_holds_two_pieces_and_a_client_its_share() {
    let app = app(75).await;
    let first = read_slowly(&app, "10.0.0.1", 1, REQUESTS).await;
    let one = held(&app).await;
    let most = REQUESTS as usize * 2 * PIECE;
    assert!((most / 4..=most).contains(&one), "{one} of {most}");
    let mut others = Vec::new();
    for _ in 0..3 {
        others.push(read_slowly(&app, "10.0.0.1", 1, REQUESTS).await);
    }
    assert!(held(&app).await <= 4 * 1024 * 1024, "all connections");
    // Another client reads as ever.
    let request = app.http.get(app.url(PATH));
    let answer = request.header("x-forwarded-for", "10.0.0.2").send().await;
    let read = timeout(LONG, answer.unwrap().bytes()).await;
    assert_eq!(read.expect("in time").unwrap().len(), LENGTH);
    drop((first, others));
    while app.downloads.held() > 0 {
        yield_now().await;
    }
}

/// Reads a connection until it is closed, and has the server answer pings at the same time; returns
/// after how long.
async fn closed_after(mut stream: TcpStream) -> Duration {
    let (started, mut between) = (Instant::now(), interval(Duration::from_millis(50)));
    let mut buffer = [0; 65_536];
    loop {
        between.tick().await;
        let ping = frame(6, 0, 0, b"eight by");
        if stream.write_all(&ping).await.is_err() {
            return started.elapsed();
        }
        match timeout(Duration::from_millis(10), stream.read(&mut buffer)).await {
            Ok(Ok(1..)) | Err(_) => {}
            Ok(_) => return started.elapsed(),
        }
    }
}

/// Takes 8 KB every tenth of a second; returns how many bytes have arrived by the end of the file.
async fn read_steadily(mut stream: TcpStream) -> usize {
    let (mut between, mut arrived) = (interval(Duration::from_millis(100)), 0);
    let mut buffer = vec![0; 65_536];
    while arrived < LENGTH / 2 {
        between.tick().await;
        let more = 16_384_u32.to_be_bytes();
        let window = [frame(8, 0, 0, &more), frame(8, 0, 1, &more)].concat();
        if stream.write_all(&window).await.is_err() {
            break;
        }
        match timeout(Duration::from_millis(50), stream.read(&mut buffer)).await {
            Ok(Ok(length @ 1..)) => arrived += length,
            Err(_) => {}
            Ok(_) => break,
        }
    }
    arrived
}

#[tokio::test]
async fn a_reader_is_given_up_by_what_it_takes_and_not_by_the_length_of_the_file() {
    let app = app(2).await;
    let slow = read_slowly(&app, "10.0.0.1", 1, 1).await;
    let steady = read_slowly(&app, "10.0.0.2", 1, 1).await;
    // By its length, the file may take four minutes.
    let both = async { tokio::join!(closed_after(slow), read_steadily(steady)) };
    let (after, arrived) = timeout(LONG, both).await.expect("given up");
    assert!(after >= Duration::from_secs(2), "{after:?}");
    assert!(
        arrived >= LENGTH / 2,
        "{arrived} bytes by a reader who takes enough"
    );
}

#[tokio::test]
async fn a_private_object_is_unknown_to_the_public_info_even_for_an_admin() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    app.store(&admin, "plans/a.pdf", PDF).await;
    app.store(&admin, "public/a.pdf", PDF).await;
    let info = |path: &'static str| app.storage(Some(&admin), Method::GET, path, "");
    let answer = info("/object/info/public/plans/a.pdf").await;
    refused(answer, 400, "404", "NoSuchBucket").await;
    for path in [
        "/object/info/plans/a.pdf",
        "/object/info/public/public/a.pdf",
    ] {
        assert_eq!(info(path).await.status(), StatusCode::OK, "{path}");
    }
}

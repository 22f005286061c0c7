//! The requests of a client, each on a separate connection.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use super::SIZE;

pub(super) fn name(run: usize, n: usize) -> String {
    format!("{run}-{n}")
}

/// A document that differs from all other uploads: equal contents would be stored once.
pub(super) fn content(client: usize, n: usize, run: usize) -> Vec<u8> {
    let mut content = format!("%PDF-1.7\n% {run} {client} {n}\n").into_bytes();
    content.resize(SIZE, b'x');
    content
}

pub(super) fn create_bucket(address: SocketAddr, token: &str) {
    let body = br#"{"name":"plans"}"#;
    let head = format!("content-type: application/json\r\nauthorization: Bearer {token}\r\n");
    let (status, _) = call(address, "POST", "/storage/v1/bucket", &head, body);
    assert_eq!(status, 200);
}

pub(super) fn upload(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    expected: u16,
    content: &[u8],
) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, body) = call(address, method, path, &head, content);
    assert_eq!(status, expected, "{}", String::from_utf8_lossy(&body));
}

/// Stores a file that may exist already.
pub(super) fn replace(address: SocketAddr, path: &str, token: &str, content: &[u8]) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, said) = call(address, "PUT", path, &head, content);
    let said = String::from_utf8_lossy(&said);
    assert!((200..=204).contains(&status), "{status}: {said}");
}

pub(super) fn download(address: SocketAddr, path: &str, token: &str) {
    let head = format!("authorization: Bearer {token}\r\n");
    let (status, content) = call(address, "GET", path, &head, b"");
    assert_eq!((status, content.len()), (200, SIZE));
}

/// One request on a separate connection; returns the status and the body.
pub(super) fn call(
    address: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &[u8],
) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: bench\r\nconnection: close\r\n{head}\
         content-length: {length}\r\n\r\n"
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::with_capacity(SIZE + 4096);
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap()
        + 4;
    let status = std::str::from_utf8(&answer[9..12])
        .unwrap()
        .parse()
        .unwrap();
    (status, answer.split_off(end))
}

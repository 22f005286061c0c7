//! A small HTTP server that keeps the requests it gets: a push service, a phone provider, or the
//! target of a webhook.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU16, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request that was received.
#[derive(Clone, Debug)]
pub struct Received {
    pub path: String,
    /// By lower-case names.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    /// The fields of a form.
    pub fn form(&self) -> HashMap<String, String> {
        serde_urlencoded::from_bytes(&self.body).unwrap()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// The server; it ends with the test.
#[derive(Clone)]
pub struct Listener {
    pub port: u16,
    status: Arc<AtomicU16>,
    body: Arc<Mutex<String>>,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Listener {
    /// Answers each request with 201.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let this = Self {
            port: listener.local_addr().unwrap().port(),
            status: Arc::new(AtomicU16::new(201)),
            body: Arc::new(Mutex::new("ok".to_owned())),
            received: Arc::default(),
        };
        let served = this.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(served.clone().serve(stream));
            }
        });
        this
    }

    /// The status of further answers; 0: none at all.
    pub fn answer(&self, status: u16) {
        self.status.store(status, SeqCst);
    }

    /// The status and the body of further answers.
    pub fn answer_with(&self, status: u16, body: &str) {
        *self.body.lock().unwrap() = body.to_owned();
        self.answer(status);
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What was received since the last call, oldest first.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.received.lock().unwrap())
    }

    /// How many requests were received since the last `take`.
    pub fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    async fn serve(self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some(request) = read(&mut stream, &mut bytes).await {
            self.received.lock().unwrap().push(request);
            let status = self.status.load(SeqCst);
            if status == 0 {
                std::future::pending::<()>().await;
            }
            let body = self.body.lock().unwrap().clone();
            let length = body.len();
            let answer =
                format!("HTTP/1.1 {status} Answer\r\ncontent-length: {length}\r\n\r\n{body}");
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

async fn read(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<Received> {
    loop {
        if let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let mut lines = head.split("\r\n");
            let path = lines.next()?.split(' ').nth(1)?.to_owned();
            let headers: HashMap<String, String> = lines
                .filter_map(|line| line.split_once(':'))
                .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
                .collect();
            let length = headers
                .get("content-length")
                .map_or(0, |it| it.parse().unwrap());
            if bytes.len() >= end + 4 + length {
                let body = bytes[end + 4..end + 4 + length].to_vec();
                bytes.drain(..end + 4 + length);
                return Some(Received {
                    path,
                    headers,
                    body,
                });
            }
        }
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
    }
}

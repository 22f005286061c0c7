//! The authority's own hint when to renew (ARI, RFC 9773). Pebble of Debian has none, so a
//! directory in front of it adds them.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::{CLOSED, DAY, certificate, order, site};
use crate::support::pebble::Authority;

/// A directory with hints, at a separate address.
struct Hints {
    address: String,
    answers: Arc<Mutex<Answers>>,
}

#[derive(Default)]
struct Answers {
    directory: Value,
    window: Value,
    /// The identifiers that were asked for.
    asked: Vec<String>,
}

impl Hints {
    fn serve() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let answers = Arc::new(Mutex::new(Answers::default()));
        let shared = answers.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &shared);
            }
        });
        Self { address, answers }
    }

    fn directory(&self) -> String {
        format!("http://{}/dir", self.address)
    }

    /// Offers the calls of `authority`, and the window for renewals.
    async fn offer(&self, authority: &Authority, start: &str, end: &str) {
        let own = std::fs::read(authority.ca_file()).unwrap();
        let own = reqwest::Certificate::from_pem(&own).unwrap();
        let client = reqwest::Client::builder().tls_certs_only([own]);
        let answer = client.build().unwrap().get(authority.directory()).send();
        let mut directory: Value =
            serde_json::from_str(&answer.await.unwrap().text().await.unwrap()).unwrap();
        directory["renewalInfo"] = json!(format!("http://{}/hint", self.address));
        let mut answers = self.answers.lock().unwrap();
        answers.directory = directory;
        answers.window = json!({"suggestedWindow": {"start": start, "end": end}});
    }
}

fn answer(mut stream: TcpStream, answers: &Mutex<Answers>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let request = lines.next().unwrap().unwrap();
    lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
    let mut answers = answers.lock().unwrap();
    let path = request.split(' ').nth(1).unwrap();
    let body = match path.strip_prefix("/hint/") {
        Some(id) => {
            answers.asked.push(id.to_owned());
            &answers.window
        }
        None => &answers.directory,
    }
    .to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\nretry-after: 21600\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
}

#[tokio::test]
async fn a_certificate_is_renewed_when_the_authority_suggests_it() {
    let (mut authority, hints) = (Authority::new(), Hints::serve());
    let app = site(&authority, hints.directory()).await;
    authority.start(CLOSED, app.address.port());
    hints
        .offer(&authority, "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z")
        .await;
    assert!(order(&app).await.ok);
    let first = certificate(&app, "guard.test", None).await;

    app.clock.advance(7 * DAY);
    order(&app).await;
    assert_eq!(
        certificate(&app, "guard.test", None).await,
        first,
        "too early"
    );
    app.clock.advance(2 * DAY);
    assert!(order(&app).await.ok);
    let second = certificate(&app, "guard.test", None).await;
    assert_ne!(second, first);

    let answers = hints.answers.lock().unwrap();
    let id = &answers.asked[0];
    assert!(
        id.split('.').filter(|part| part.len() > 8).count() == 2,
        "authority and serial number, {id}"
    );
}

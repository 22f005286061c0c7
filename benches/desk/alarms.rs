//! Alarms: the time from the answer to an emergency until the push is on the wire, until a due call
//! is, until another way replaces a dead one; and posts beside a rota and a webhook.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::live;
use crate::load::{self, Until};
use crate::posts;
use crate::server::{self, Server};
use crate::table::{Budget, Table};

/// Emergencies of which the p99 is reported.
const EMERGENCIES: u32 = 200;
/// The longest time to wait for one request of the server.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long each load runs, and the number of loads.
const TIME: Duration = Duration::from_secs(4);
const ROUNDS: usize = 5;
const PUSHED: &str = "[{ after_minutes = 0, who = \"on_call\", by = [\"push\"] }]";
const CALLED: &str = "[{ after_minutes = 1, who = \"on_call\", by = [\"call\"] }]";

pub fn measure(table: &mut Table) {
    let now = Duration::ZERO;
    let waits = Desk::open(PUSHED, Service::answering()).waits(EMERGENCIES, now, |it| &it.push);
    let what = "the answer to an emergency until its push is on the wire";
    add(table, what, waits, 1.0);

    let minute = Duration::from_secs(60);
    let waits = Desk::open(CALLED, Service::answering()).waits(EMERGENCIES, minute, |it| &it.phone);
    add(table, "a due call until it is on the wire", waits, 5.0);

    let waits = Desk::open(PUSHED, Service::silent()).waits(10, now, |it| &it.phone);
    let what = "an emergency until a call replaces a push service that hangs";
    add(table, what, waits, 60.0);

    let (rota, webhook) = posts_beside();
    let what = "posts, 64 at once, with a rota, compared with none";
    table.row(
        what,
        String::new(),
        String::new(),
        rota,
        Budget::AtLeast(0.97),
    );
    let what = "the same with a rota and a webhook of new requests";
    table.row(what, String::new(), String::new(), webhook, Budget::None);
}

/// Posts a second with a rota, and with a rota and a webhook, as ratios of those with neither:
/// medians of rounds that take turns.
fn posts_beside() -> (f64, f64) {
    let (mut rota, mut webhook) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let folder = server::folder();
        let neither = rate(server::guardpost(&folder.path().join("data")).address);
        let desk = Desk::open(PUSHED, Service::answering());
        rota.push(rate(desk.server.address) / neither);
        drop(desk);
        let desk = Desk::open(PUSHED, Service::answering());
        desk.add_webhook();
        webhook.push(rate(desk.server.address) / neither);
    }
    let median = |mut ratios: Vec<f64>| {
        ratios.sort_by(f64::total_cmp);
        ratios[ROUNDS / 2]
    };
    (median(rota), median(webhook))
}

fn add(table: &mut Table, what: &str, mut waits: Vec<Duration>, most: f64) {
    waits.sort_unstable();
    let (median, last) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    table.row(
        &format!("{what}, p99 in s"),
        format!("p50 {median:.1?}, p99 {last:.1?}"),
        String::new(),
        last.as_secs_f64(),
        Budget::AtMost(most),
    );
}

/// Posts a second that are no emergencies.
fn rate(address: SocketAddr) -> f64 {
    let run = |time| load::run(address, 64, Until::Time(time), 201, posts::calm_request);
    run(TIME / 4);
    run(TIME).rate
}

/// A server with an admin who is on call, with a device and a number.
struct Desk {
    server: Server,
    token: String,
    push: Service,
    phone: Service,
    _folder: tempfile::TempDir,
}

impl Desk {
    fn open(chain: &str, push: Service) -> Self {
        let (folder, phone) = (server::folder(), Service::answering());
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "secret").unwrap();
        let settings = format!(
            "[outgoing]\nallow = [\"127.0.0.0/8\"]\n[alarms]\nchain = {chain}\ntest = \"\"\n\
             [phone]\nurl = \"http://{}\"\naccount = \"AC1\"\nsecret_file = {secret:?}\n\
             from = \"+17135550100\"\n",
            phone.address
        );
        std::fs::write(folder.path().join("config.toml"), settings).unwrap();
        let data = folder.path().join("data");
        let server = server::guardpost(&data);
        let token = live::tokens(&data, server.address, 1).remove(0);
        let desk = Self {
            server,
            token,
            push,
            phone,
            _folder: folder,
        };
        desk.prepare();
        desk
    }

    fn prepare(&self) {
        let state = self.call("GET", "/on-call", Value::Null);
        let person = state["people"][0]["id"].as_str().unwrap().to_owned();
        let shifts: Vec<Value> = (0..7)
            .map(|day| {
                json!({ "person": person, "week": 0, "weekday": day, "from": "00:00",
                    "until": "24:00" })
            })
            .collect();
        let rota = json!({ "weeks": 1, "first_day": "2026-01-05", "shifts": shifts,
            "version": state["rota"]["version"] });
        self.call("PUT", "/on-call/rota", rota);
        let path = format!("/on-call/people/{person}/phone");
        self.call("PUT", &path, json!({ "phone": "+17135550111" }));
        // The keys of the example in RFC 8291.
        let keys = json!({
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        });
        let endpoint = format!("http://{}/device", self.push.address);
        self.call(
            "PUT",
            "/push",
            json!({ "endpoint": endpoint, "keys": keys }),
        );
    }

    fn add_webhook(&self) {
        let url = format!("http://{}/hook", self.phone.address);
        let webhook = json!({ "name": "CRM", "url": url, "shape": "standard", "is_on": true,
            "events": ["request.created"] });
        self.call("POST", "/webhooks", webhook);
    }

    /// Calls the API as the admin.
    fn call(&self, method: &str, path: &str, body: Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        write!(
            stream,
            "{method} /api/admin{path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 20"), "{path}: {answer}");
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_default()
    }

    /// The times from the answers to `count` emergencies, and `later`, until a service has a
    /// request for each.
    fn waits(
        &self,
        count: u32,
        later: Duration,
        service: impl Fn(&Self) -> &Service,
    ) -> Vec<Duration> {
        let service = service(self);
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        let is_sequential = later.is_zero() && count == EMERGENCIES;
        let (mut due, mut arrived) = (Vec::new(), Vec::new());
        for n in 0..count {
            stream.write_all(&posts::request(n)).unwrap();
            live::read_until(&mut stream, b"}");
            due.push(Instant::now() + later);
            if is_sequential {
                arrived.push(service.next());
            }
        }
        while arrived.len() < due.len() {
            arrived.push(service.next());
        }
        let pairs = arrived.into_iter().zip(due);
        pairs
            .map(|(at, due)| at.saturating_duration_since(due))
            .collect()
    }
}

/// A push service or a phone provider.
struct Service {
    address: SocketAddr,
    arrivals: Receiver<Instant>,
}

impl Service {
    /// Takes each request.
    fn answering() -> Self {
        Self::start(true)
    }

    /// Never answers.
    fn silent() -> Self {
        Self::start(false)
    }

    fn start(answers: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, arrivals) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let sender = sender.clone();
                std::thread::spawn(move || serve(stream, &sender, answers));
            }
        });
        Self { address, arrivals }
    }

    /// When the next request has arrived.
    fn next(&self) -> Instant {
        self.arrivals
            .recv_timeout(PATIENCE)
            .expect("a request of the server")
    }
}

/// Reads requests until the connection is closed.
fn serve(mut stream: TcpStream, arrivals: &Sender<Instant>, answers: bool) {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let head = bytes.windows(4).position(|four: &[u8]| four == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let end = head + 4 + length.map_or(0, |it| it.trim().parse::<usize>().unwrap());
            if bytes.len() >= end {
                bytes.drain(..end);
                let _ = arrivals.send(Instant::now());
                let answer = b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n";
                if answers && stream.write_all(answer).is_err() {
                    return;
                }
                continue;
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&part[..read]),
        }
    }
}

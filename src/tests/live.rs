//! The event stream of the dashboard: changes, presence, resumption, and when it ends.

use std::time::{Duration, Instant};

use guardpost::config::Config;
use guardpost::domain::live::LiveEvent;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::app::TestApp;
use crate::people::Person;

/// Longer than anything here takes, shorter than the heartbeat, the drain and every idle timeout.
const SOON: Duration = Duration::from_secs(5);

/// An open stream.
struct Live {
    response: Response,
    unread: String,
}

/// An event of the stream.
#[derive(Debug, PartialEq)]
struct Event {
    id: Option<String>,
    name: String,
    data: Value,
}

impl Live {
    /// Opens a stream and reads its first frame.
    async fn open(app: &TestApp, person: &Person) -> Self {
        let response = connect(app, &person.access_token, None).await;
        assert_eq!(response.status(), StatusCode::OK);
        let mut live = Self::of(response);
        live.frame()
            .await
            .expect("an opening frame with the number of the newest event");
        live
    }

    fn of(response: Response) -> Self {
        let unread = String::new();
        Self { response, unread }
    }

    /// The next frame; `None` at the end of the stream.
    async fn frame(&mut self) -> Option<String> {
        loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                let frame = frame.to_owned();
                self.unread = rest.to_owned();
                return Some(frame);
            }
            let chunk = timeout(SOON, self.response.chunk()).await.expect("a frame");
            self.unread += std::str::from_utf8(&chunk.unwrap()?).unwrap();
        }
    }

    /// The next event.
    async fn event(&mut self) -> Event {
        let frame = self.frame().await.expect("an event");
        let field = |name: &str| {
            let line = frame.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::to_owned)
        };
        Event {
            id: field("id: "),
            name: field("event: ").unwrap_or_default(),
            data: serde_json::from_str(&field("data: ").expect("data")).unwrap(),
        }
    }

    /// Asserts that the next event is the last one, with this reason.
    async fn ends(mut self, reason: &str) {
        let last = self.event().await;
        assert_eq!(
            (last.name.as_str(), &last.data),
            ("end", &json!({"reason": reason}))
        );
        assert_eq!(self.frame().await, None);
    }
}

async fn connect(app: &TestApp, token: &str, last: Option<&str>) -> Response {
    let mut request = app.http.get(app.url("/api/admin/live")).bearer_auth(token);
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    request.send().await.unwrap()
}

async fn call(app: &TestApp, token: &str, method: Method, path: &str, body: Value) -> Response {
    let request = app.http.request(method, app.url(path)).bearer_auth(token);
    request.json(&body).send().await.unwrap()
}

async fn accept(app: &TestApp, admin: &Person, id: &str) {
    let path = format!("/api/admin/quotes/{id}");
    let body = json!({"status": "in_progress"});
    let answer = call(app, &admin.access_token, Method::PATCH, &path, body).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

async fn show(app: &TestApp, admin: &Person, request: Value) -> StatusCode {
    let body = json!({ "request": request });
    let path = "/api/admin/live/presence";
    call(app, &admin.access_token, Method::POST, path, body)
        .await
        .status()
}

/// A second admin.
async fn second_admin(app: &TestApp) -> Person {
    let email = "bea@guard.example";
    let created = app
        .auth
        .create_admin(email.parse().unwrap(), crate::people::PASSWORD);
    created.await.unwrap();
    app.sign_in(email).await
}

#[tokio::test]
async fn a_change_is_seen_on_another_admins_stream_within_300_ms() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut live = Live::open(&app, &bea).await;
    let mut delays = Vec::new();
    for _ in 0..9 {
        let asked = Instant::now();
        let id = app.stored(json!({})).await;
        let received = live.event().await;
        delays.push(asked.elapsed());
        let expected = json!({"id": id, "kind": "quote", "verb": "received", "actor_id": null,
            "status": "pending"});
        assert_eq!(
            (received.name.as_str(), received.data),
            ("change", expected)
        );
        let asked = Instant::now();
        accept(&app, &ada, &id).await;
        let moved = live.event().await;
        delays.push(asked.elapsed());
        let expected = json!({"id": id, "kind": "quote", "verb": "moved", "actor_id": ada.id,
            "status": "in_progress"});
        assert_eq!((moved.name.as_str(), moved.data), ("change", expected));
    }
    delays.sort();
    let median = delays[delays.len() / 2];
    assert!(median < Duration::from_millis(300), "{median:?}");
}

#[tokio::test]
async fn a_contact_message_is_announced_and_a_rejected_form_is_not() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let body = json!({
        "first_name": "Ana", "last_name": "Lee", "email": "ana@site.example", "phone": "713 555 \
            0123",
        "service": "event", "details": "Two guards for a concert"
    });
    let post = |body: Value| app.http.post(app.url("/api/contact")).json(&body).send();
    let rejected = post(json!({"first_name": "Ana"})).await.unwrap();
    assert_eq!(rejected.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let receipt: Value = post(body).await.unwrap().json().await.unwrap();
    let event = live.event().await;
    assert_eq!(
        (&event.data["id"], &event.data["kind"]),
        (&receipt["id"], &json!("message"))
    );
}

#[tokio::test]
async fn what_becomes_of_an_email_is_on_the_stream() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let id = app.stored(json!({})).await;
    let verb = async |live: &mut Live| {
        let event = live.event().await;
        assert_eq!(event.data["id"], *id);
        event.data["verb"].as_str().unwrap().to_owned()
    };
    assert_eq!(verb(&mut live).await, "received");
    app.run_outbox().await;
    assert_eq!(verb(&mut live).await, "emailed");
    assert_eq!(verb(&mut live).await, "delivery");
    let path = format!("/api/admin/inbox/{id}/replies");
    let body = json!({"subject": "Your quote", "text": "Hello"});
    let sent = call(&app, &admin.access_token, Method::POST, &path, body).await;
    assert_eq!(sent.status(), StatusCode::CREATED);
    assert_eq!(verb(&mut live).await, "replied");
    app.clock.advance(10_000);
    app.run_outbox().await;
    assert_eq!(verb(&mut live).await, "delivery");
    let path = format!("/api/admin/inbox/{id}");
    let read = call(&app, &admin.access_token, Method::GET, &path, json!({})).await;
    let read: Value = read.json().await.unwrap();
    assert_eq!(read["history"][2]["detail"]["state"], "delivered", "{read}");
}

#[tokio::test]
async fn the_stream_is_for_admins_and_is_neither_stored_nor_buffered() {
    let app = TestApp::start().await;
    let (admin, member) = (app.admin().await, app.member().await);
    let refused = connect(&app, "nonsense", None).await.status();
    assert_eq!(refused, StatusCode::UNAUTHORIZED);
    let refused = connect(&app, &member.access_token, None).await.status();
    assert_eq!(refused, StatusCode::FORBIDDEN);
    let answer = connect(&app, &admin.access_token, None).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.headers()[name], value, "{name}");
    }
}

#[tokio::test]
async fn an_account_has_eight_streams_and_a_ninth_when_one_is_closed() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut open = Vec::new();
    for _ in 0..8 {
        open.push(Live::open(&app, &ada).await);
    }
    let refused = connect(&app, &ada.access_token, None).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "60");
    Live::open(&app, &bea).await;
    open.pop();
    let ninth =
        async { while connect(&app, &ada.access_token, None).await.status() != StatusCode::OK {} };
    timeout(SOON, ninth)
        .await
        .expect("the closed stream no longer counts");
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_has_missed_or_is_told_to_read_everything_again() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let mut live = Live::open(&app, &ada).await;
    let mut other = Live::open(&app, &bea).await;
    let ids = [app.stored(json!({})).await, app.stored(json!({})).await];
    let last = other.event().await.id.unwrap();
    drop(other);
    let third = app.stored(json!({})).await;
    let mut back = Live::of(connect(&app, &bea.access_token, Some(&last)).await);
    for id in [&ids[1], &third] {
        assert_eq!(back.event().await.data["id"], **id);
    }
    for id in ids.iter().chain([&third]) {
        assert_eq!(live.event().await.data["id"], **id);
    }
    for unknown in ["0", "1", "9007199254740991", "18446744073709551616", "x"] {
        let mut lost = Live::of(connect(&app, &bea.access_token, Some(unknown)).await);
        let event = lost.event().await;
        assert_eq!(event.name, "resync", "{unknown}");
        let mut back = Live::of(connect(&app, &bea.access_token, event.id.as_deref()).await);
        let id = app.stored(json!({})).await;
        assert_eq!(
            back.event().await.data["id"],
            *id,
            "it continues from there"
        );
    }
}

#[tokio::test]
async fn a_listener_that_falls_behind_is_told_to_read_everything_again() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    // More than the ring holds, before the stream can write any of it.
    app.store
        .live_feed()
        .publish(&vec![LiveEvent::Resync; 1100]);
    let id = app.stored(json!({})).await;
    assert_eq!(live.event().await.name, "resync");
    assert_eq!(live.event().await.data["id"], *id);
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let (one, other) = (
        app.sign_in(&admin.email).await,
        app.sign_in(&admin.email).await,
    );
    let (live, mut stays) = (Live::open(&app, &one).await, Live::open(&app, &other).await);
    let path = "/auth/v1/logout?scope=local";
    let signed_out = call(&app, &one.access_token, Method::POST, path, json!({})).await;
    assert_eq!(signed_out.status(), StatusCode::NO_CONTENT);
    live.ends("session").await;
    let id = app.stored(json!({})).await;
    assert_eq!(
        stays.event().await.data["id"],
        *id,
        "the other session goes on"
    );
}

#[tokio::test]
async fn a_stream_ends_when_another_process_ends_its_session() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    let other = app.beside().await;
    let path = "/auth/v1/logout?scope=global";
    call(&other, &admin.access_token, Method::POST, path, json!({})).await;
    let mut last = live.event().await;
    if last.name == "resync" {
        // The write of the other process, if it was announced before the session was checked.
        last = live.event().await;
    }
    assert_eq!(last.data, json!({"reason": "session"}));
    assert_eq!(live.frame().await, None);
}

#[tokio::test]
async fn a_stream_ends_when_its_user_is_no_longer_an_admin() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let live = Live::open(&app, &bea).await;
    let path = format!("/auth/v1/admin/users/{}", bea.id);
    let body = json!({"ban_duration": "1h"});
    let banned = call(&app, &ada.access_token, Method::PUT, &path, body).await;
    assert_eq!(banned.status(), StatusCode::OK);
    live.ends("session").await;
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let live = Live::open(&app, &admin).await;
    app.clock.advance(15 * 60_000);
    live.ends("token").await;
}

#[tokio::test]
async fn a_shutdown_ends_streams_at_once() {
    let mut app = TestApp::with(|config| config.server.shutdown_seconds = 60).await;
    let admin = app.admin().await;
    let streams = [
        Live::open(&app, &admin).await,
        Live::open(&app, &admin).await,
    ];
    app.stop();
    for live in streams {
        live.ends("shutdown").await;
    }
}

#[tokio::test]
async fn the_writes_of_another_process_are_noticed() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    app.beside().await.stored(json!({})).await;
    assert_eq!(live.event().await.name, "resync");
}

#[tokio::test]
async fn a_stream_outlives_the_idle_timeout_and_is_not_closed_for_a_new_connection() {
    let app = TestApp::with(|config: &mut Config| {
        config.server.idle_seconds = 1;
        config.server.max_connections = 3;
    })
    .await;
    let admin = app.admin().await;
    let mut live = Live::open(&app, &admin).await;
    for _ in 0..2 {
        // A connection that is closed when it has been idle for as long as the stream.
        let mut idle = tokio::net::TcpStream::connect(app.address).await.unwrap();
        let request = b"GET /robots.txt HTTP/1.1\r\nhost: x\r\n\r\n";
        tokio::io::AsyncWriteExt::write_all(&mut idle, request)
            .await
            .unwrap();
        let mut answer = Vec::new();
        let closed = tokio::io::AsyncReadExt::read_to_end(&mut idle, &mut answer);
        timeout(SOON, closed).await.expect("closed").unwrap();
    }
    let id = app.stored(json!({})).await;
    assert_eq!(live.event().await.data["id"], *id);
}

#[tokio::test]
async fn admins_see_who_has_a_request_open_until_that_stream_ends() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let (one, two) = (app.stored(json!({})).await, app.stored(json!({})).await);
    assert_eq!(
        show(&app, &bea, json!(one)).await,
        StatusCode::CONFLICT,
        "no stream yet"
    );
    let mut live = Live::open(&app, &ada).await;
    let shown = Live::open(&app, &bea).await;
    let presence = |request: &str, people: &[&Person]| {
        let people: Vec<_> = people
            .iter()
            .map(|p| json!({"id": p.id, "email": p.email}))
            .collect();
        json!({"request": request, "people": people})
    };
    assert_eq!(show(&app, &bea, json!(one)).await, StatusCode::NO_CONTENT);
    let event = live.event().await;
    assert_eq!(
        (event.name.as_str(), event.data),
        ("presence", presence(&one, &[&bea]))
    );
    // Somebody who comes later is told as well.
    let mut later = Live::of(connect(&app, &ada.access_token, None).await);
    later.frame().await;
    assert_eq!(later.event().await.data, presence(&one, &[&bea]));
    assert_eq!(show(&app, &bea, json!(two)).await, StatusCode::NO_CONTENT);
    assert_eq!(live.event().await.data, presence(&one, &[]));
    assert_eq!(live.event().await.data, presence(&two, &[&bea]));
    drop(shown);
    assert_eq!(live.event().await.data, presence(&two, &[]));
    for invalid in [json!("GP-2K7Q"), json!(7), json!({})] {
        assert_eq!(show(&app, &ada, invalid).await, StatusCode::BAD_REQUEST);
    }
}

#[tokio::test]
async fn a_tab_that_does_not_say_again_what_it_has_open_is_forgotten() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let _shown = Live::open(&app, &bea).await;
    let people = |event: Event| event.data["people"].as_array().unwrap().len();
    show(&app, &bea, json!(id)).await;
    assert_eq!(people(live.event().await), 1);
    app.clock.advance(100_000);
    show(&app, &bea, json!(id)).await;
    app.clock.advance(100_000);
    let mut later = Live::of(connect(&app, &ada.access_token, None).await);
    later.frame().await;
    assert_eq!(people(later.event().await), 1, "said again in time");
    app.clock.advance(60_000);
    assert_eq!(people(live.event().await), 0);
}

#[tokio::test]
async fn a_person_is_shown_as_long_as_any_of_their_tabs_has_the_request_open() {
    let app = TestApp::start().await;
    let (ada, bea) = (app.admin().await, second_admin(&app).await);
    let id = app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let shown = Live::open(&app, &bea).await;
    let tab = async |tab: &str, request: Value| {
        let body = json!({"request": request, "tab": tab});
        let path = "/api/admin/live/presence";
        let answer = call(&app, &bea.access_token, Method::POST, path, body).await;
        answer.status()
    };
    let people = async |live: &mut Live| {
        let event = live.event().await;
        assert_eq!(
            (&*event.name, &event.data["request"]),
            ("presence", &json!(id))
        );
        event.data["people"].as_array().unwrap().len()
    };
    assert_eq!(tab("one", json!(id)).await, StatusCode::NO_CONTENT);
    assert_eq!(people(&mut live).await, 1);
    tab("two", Value::Null).await;
    tab("two", json!(id)).await;
    assert_eq!(people(&mut live).await, 1, "one person, once");
    tab("one", Value::Null).await;
    assert_eq!(people(&mut live).await, 1, "the other tab has it open");
    tab("two", Value::Null).await;
    assert_eq!(people(&mut live).await, 0);
    for n in 0..20 {
        tab(&n.to_string(), json!(id)).await;
    }
    assert_eq!(
        tab(&"x".repeat(37), json!(id)).await,
        StatusCode::BAD_REQUEST
    );
    drop(shown);
    for _ in 0..16 {
        assert_eq!(people(&mut live).await, 1, "at most sixteen tabs are shown");
    }
    assert_eq!(people(&mut live).await, 0, "the session has no stream");
}

#[tokio::test]
async fn deleted_requests_leave_open_dashboards() {
    let app = TestApp::start().await;
    let ada = app.admin().await;
    app.stored(json!({})).await;
    let mut live = Live::open(&app, &ada).await;
    let email = "maria@property.example";
    let body = json!({"email": email, "confirm": email});
    let path = "/api/admin/person/erase";
    let erased = call(&app, &ada.access_token, Method::POST, path, body).await;
    assert_eq!(erased.status(), StatusCode::OK);
    assert_eq!(live.event().await.name, "resync");
}

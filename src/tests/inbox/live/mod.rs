//! The event stream of the dashboard: changes, presence, resumption, and when it ends.

mod changes;
mod lifetime;
mod presence;

use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::people::Person;

/// Longer than anything here takes, shorter than the heartbeat, the drain and every idle timeout.
const SOON: Duration = Duration::from_secs(5);

/// An open stream.
pub(crate) struct Live {
    response: Response,
    unread: String,
}

/// An event of the stream.
#[derive(Debug, PartialEq)]
pub(crate) struct Event {
    id: Option<String>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

impl Live {
    /// Opens a stream and reads its first frame.
    pub(crate) async fn open(app: &TestApp, person: &Person) -> Self {
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
    pub(crate) async fn event(&mut self) -> Event {
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

    /// The next event that is meant. What was stored just before the stream began may be told first.
    pub(crate) async fn event_that(&mut self, is_meant: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = self.event().await;
            if is_meant(&event) {
                return event;
            }
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

async fn second_admin(app: &TestApp) -> Person {
    let email = "bea@guard.example";
    let created = app.auth.create_with_role(
        email.parse().unwrap(),
        crate::support::people::PASSWORD,
        domain::account::Role::Admin,
    );
    created.await.unwrap();
    app.sign_in(email).await
}

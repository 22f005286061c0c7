//! The desk: the inbox of quotes and messages, their changes and history, people and filters.

mod asked_before;
mod changes;
mod colleagues;
mod corrections;
mod edits;
mod follow_up;
pub mod held_requests;
mod list;
pub mod live;
mod marked_spam;
mod merges;
mod notes;
mod outcome;
mod people;
mod person;
mod phone_requests;
mod quote_list;
mod quoting;
mod replies;
mod undo;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::visitors::visitor;

/// A person at the desk.
struct Dispatcher {
    token: String,
    id: String,
}

impl Dispatcher {
    async fn of(app: &TestApp) -> Self {
        let admin = app.admin().await;
        Self {
            token: admin.access_token,
            id: admin.id,
        }
    }

    /// The same person after the access token has expired.
    async fn again(self, app: &TestApp) -> Self {
        let token = app.sign_in("ada@guard.example").await.access_token;
        Self { token, ..self }
    }

    async fn colleague(app: &TestApp) -> Self {
        let admin = app.admin_as("colleague@guardpost.example").await;
        Self {
            token: admin.access_token,
            id: admin.id,
        }
    }

    /// A call of the API with an optional body.
    async fn call(
        &self,
        app: &TestApp,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Response {
        let url = app.url(&format!("/api/admin{path}"));
        let request = app.http.request(method, url).bearer_auth(&self.token);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap()
    }

    async fn get(&self, app: &TestApp, path: &str) -> Value {
        let answer = self.call(app, Method::GET, path, None).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.json().await.unwrap()
    }

    /// The status and the body of a call that changes something.
    async fn change(&self, app: &TestApp, method: Method, path: &str, body: Value) -> (u16, Value) {
        let answer = self.call(app, method, path, Some(body)).await;
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn patch(&self, app: &TestApp, id: &str, body: Value) -> (u16, Value) {
        let path = format!("/inbox/{id}");
        self.change(app, Method::PATCH, &path, body).await
    }

    async fn post(&self, app: &TestApp, path: &str, body: Value) -> (u16, Value) {
        self.change(app, Method::POST, path, body).await
    }

    /// The verbs of a request's history with their details, without `received`.
    async fn history(&self, app: &TestApp, id: &str) -> Vec<(String, Value)> {
        let request = self.get(app, &format!("/inbox/{id}")).await;
        let events = request["history"].as_array().unwrap();
        assert_eq!(events[0]["verb"], "received");
        let event = |event: &Value| (text(&event["verb"]), event["detail"].clone());
        events[1..].iter().map(event).collect()
    }
}

/// The last names of the requests of a page.
fn names(page: &Value) -> Vec<String> {
    let requests = page["requests"].as_array().unwrap();
    let name = |request: &Value| text(&request["last_name"]);
    requests.iter().map(name).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl TestApp {
    /// Stores a contact message of a new visitor; returns the receipt.
    async fn message(&self, changes: Value) -> Value {
        let mut message = json!({
            "first_name": "Ana", "last_name": "Lee", "email": "ana@site.example",
            "phone": "+1 713.555.0123",
            "company": "", "service": "event", "details": "Two guards for a concert, doors at 6 pm"
        });
        if let (Some(fields), Value::Object(changes)) = (message.as_object_mut(), changes) {
            fields.extend(changes);
        }
        let newcomer = visitor(self.rows("requests").await.try_into().unwrap());
        let request = self.http.post(self.url("/api/contact"));
        let request = request.header("x-forwarded-for", newcomer).json(&message);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::CREATED);
        answer.json().await.unwrap()
    }
}

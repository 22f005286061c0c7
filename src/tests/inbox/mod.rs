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

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::desk::Dispatcher;
use crate::support::visitors::visitor;

impl Dispatcher {
    /// The verbs of a request's history with their details, without `received`.
    async fn history(&self, id: &str) -> Vec<(String, Value)> {
        let request = self.request(id).await;
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

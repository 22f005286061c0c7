//! Calls of the desk's API by a person who is signed in.

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::app::TestApp;
use super::people::Person;

/// A person at the desk.
pub struct Dispatcher {
    pub id: String,
    pub token: String,
    pub email: String,
    http: Client,
    api: String,
}

impl Dispatcher {
    /// An admin.
    pub async fn of(app: &TestApp) -> Self {
        Self::at(app, app.admin().await)
    }

    /// Another admin.
    pub async fn colleague(app: &TestApp) -> Self {
        Self::at(app, app.admin_as("colleague@guardpost.example").await)
    }

    /// A person who has signed in.
    pub fn at(app: &TestApp, person: Person) -> Self {
        Self {
            id: person.id,
            token: person.access_token,
            email: person.email,
            http: app.http.clone(),
            api: app.url("/api/admin"),
        }
    }

    /// The same person after a restart, or after the access token has expired.
    pub async fn again(self, app: &TestApp) -> Self {
        Self::at(app, app.sign_in(&self.email).await)
    }

    /// A call of the API that is not sent yet.
    pub fn begin(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.api));
        request.bearer_auth(&self.token)
    }

    /// A call of the API with an optional body.
    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        let request = self.begin(method, path);
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap()
    }

    /// The body of a call that succeeds.
    pub async fn get(&self, path: &str) -> Value {
        let answer = self.call(Method::GET, path, None).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.json().await.unwrap()
    }

    /// The status and the body of a call that changes something.
    pub async fn change(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let answer = self.call(method, path, Some(body)).await;
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.change(Method::POST, path, body).await
    }

    /// A request as the panel shows it.
    pub async fn request(&self, id: &str) -> Value {
        self.get(&format!("/inbox/{id}")).await
    }

    /// Changes the status or the assignee of a request.
    pub async fn patch(&self, id: &str, body: Value) -> (u16, Value) {
        self.change(Method::PATCH, &format!("/inbox/{id}"), body)
            .await
    }

    /// Posts to a part of a request, as `notes` or `calls`.
    pub async fn on(&self, id: &str, part: &str, body: Value) -> (u16, Value) {
        self.post(&format!("/inbox/{id}/{part}"), body).await
    }

    /// Puts a part of a request, as `follow-up` or `outcome`.
    pub async fn put(&self, id: &str, part: &str, body: Value) -> (u16, Value) {
        self.change(Method::PUT, &format!("/inbox/{id}/{part}"), body)
            .await
    }

    /// A change of status.
    pub async fn move_to(&self, id: &str, status: &str) -> (u16, Value) {
        self.patch(id, json!({ "status": status })).await
    }

    /// A call that has ended so: `reached`, `voicemail` or `no_answer`.
    pub async fn log_call(&self, id: &str, outcome: &str) -> (u16, Value) {
        self.on(id, "calls", json!({ "outcome": outcome })).await
    }
}

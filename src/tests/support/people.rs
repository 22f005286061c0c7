//! The people of the tests: an admin and a member with accounts, signed in by HTTP.

use auth::accounts::create_user_with_identity;
use domain::account::Role;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use store::accounts::NewUser;

use super::app::TestApp;

/// The password of all test accounts.
pub const PASSWORD: &str = "a lantern at the north gate";

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct Person {
    pub id: String,
    pub email: String,
    pub access_token: String,
    pub refresh_token: String,
}

impl Person {
    /// From the body of a session.
    pub fn of(session: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            id: text(&session["user"]["id"]),
            email: text(&session["user"]["email"]),
            access_token: text(&session["access_token"]),
            refresh_token: text(&session["refresh_token"]),
        }
    }
}

impl TestApp {
    /// An admin, signed in.
    pub async fn admin(&self) -> Person {
        self.admin_as("ada@guard.example").await
    }

    /// An admin with this address, signed in.
    pub async fn admin_as(&self, email: &str) -> Person {
        self.person_as(email, Role::Admin).await
    }

    /// A dispatcher, signed in.
    pub async fn dispatcher(&self) -> Person {
        self.person_as("dot@guard.example", Role::Dispatcher).await
    }

    async fn person_as(&self, email: &str, role: Role) -> Person {
        self.auth
            .create_with_role(email.parse().unwrap(), PASSWORD, role)
            .await
            .unwrap();
        self.sign_in(email).await
    }

    /// A user without any role, signed in.
    pub async fn member(&self) -> Person {
        self.join("max@guard.example").await;
        self.sign_in("max@guard.example").await
    }

    /// Makes a confirmed user with the common password; returns its id.
    pub async fn join(&self, email: &str) -> String {
        let user = NewUser {
            email: Some(email.parse().unwrap()),
            password_hash: Some(self.auth.hasher.hash(PASSWORD).await.unwrap()),
            email_confirmed: true,
            ..NewUser::default()
        };
        self.auth
            .change(move |tx| create_user_with_identity(tx, user, None))
            .await
            .unwrap()
            .id
    }

    /// A call with this access token, and with a JSON body unless it is null.
    pub async fn call(&self, token: &str, method: Method, path: &str, body: Value) -> Response {
        let request = self.http.request(method, self.url(path)).bearer_auth(token);
        let request = match body {
            Value::Null => request,
            body => request.json(&body),
        };
        request.send().await.unwrap()
    }

    /// Signs in by password.
    pub async fn sign_in(&self, email: &str) -> Person {
        let answer = self
            .http
            .post(self.url("/auth/v1/token?grant_type=password"))
            .json(&json!({ "email": email, "password": PASSWORD }))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 200);
        Person::of(&answer.json().await.unwrap())
    }
}

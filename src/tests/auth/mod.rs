//! The authentication service, called as its clients call it.

mod accounts;
mod admin;
mod clock;
mod email_tokens;
mod emails;
pub(crate) mod factors;
mod id_tokens;
mod identities;
mod keys;
mod oauth_flows;
mod pkce;
mod refresh;
mod same_work;
mod sign_in;
mod signup;
mod strength;
mod unconfirmed_signups;
mod user;
mod wallets;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::support::app::TestApp;

/// A response.
#[derive(Debug)]
pub struct AuthResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl AuthResponse {
    /// The error code of the auth API.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or_default()
    }

    /// Status and error code.
    pub fn error(&self) -> (u16, &str) {
        (self.status, self.code())
    }

    /// The body of a successful response.
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body
    }
}

/// A row of the audit table.
#[derive(Clone, Debug)]
pub struct AuditRow {
    pub action: String,
    pub actor: String,
    pub subject_id: Option<String>,
    pub client: Option<String>,
    pub detail: Value,
}

impl TestApp {
    /// The newest audit rows.
    pub async fn audit_trail(&self, limit: u32) -> Vec<AuditRow> {
        let newest = move |conn: &rusqlite::Connection| {
            let sql = "SELECT action, actor, subject_id, client, detail FROM audit
                ORDER BY at DESC, id DESC LIMIT ?1";
            let mut rows = conn.prepare(sql)?;
            let rows = rows.query_map([limit], |row| {
                Ok(AuditRow {
                    action: row.get(0)?,
                    actor: row.get(1)?,
                    subject_id: row.get(2)?,
                    client: row.get(3)?,
                    detail: serde_json::from_str(&row.get::<_, String>(4)?).unwrap(),
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        self.store.read(newest).await.unwrap()
    }

    /// Calls the service as its client does: version header, JSON, and a bearer token if given.
    pub async fn auth_call(
        &self,
        method: Method,
        path: &str,
        bearer: Option<&str>,
        body: Option<Value>,
    ) -> AuthResponse {
        let mut request = self
            .http
            .request(method, self.url(&format!("/auth/v1{path}")))
            .header("x-supabase-api-version", "2024-01-01")
            .header("content-type", "application/json;charset=UTF-8");
        if let Some(token) = bearer {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.body(body.to_string());
        }
        let answer = request.send().await.unwrap();
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let text = answer.text().await.unwrap();
        AuthResponse {
            status,
            headers,
            body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }

    pub async fn auth_get(&self, path: &str, bearer: &str) -> AuthResponse {
        self.auth_call(Method::GET, path, Some(bearer), None).await
    }

    pub async fn auth_post(&self, path: &str, body: Value) -> AuthResponse {
        self.auth_call(Method::POST, path, None, Some(body)).await
    }
}

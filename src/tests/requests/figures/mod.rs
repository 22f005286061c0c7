//! Figures: what was viewed, asked, answered and won in a period, as counts of rows.

mod commands;
mod demo_year;
mod requests;
mod to_do;
mod views;

use domain::clock::MINUTE_MS;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::people::Person;

/// An owner at the desk.
struct Owner {
    app: TestApp,
    ada: Person,
}

impl Owner {
    async fn open() -> Self {
        // The clock is turned by days.
        let app = TestApp::with(|config| {
            config.auth.access_token_seconds = 60 * 24 * 3600;
            config.auth.session_idle_seconds = 60 * 24 * 3600;
            config.auth.session_absolute_seconds = 60 * 24 * 3600;
        })
        .await;
        let ada = app.admin().await;
        Self { app, ada }
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        self.send(Method::POST, path, body).await
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> Value {
        let url = self.app.url(&format!("/api/admin{path}"));
        let request = self.app.http.request(method, url).json(&body);
        let response = request
            .bearer_auth(&self.ada.access_token)
            .send()
            .await
            .unwrap();
        assert!(
            response.status().is_success(),
            "{path}: {}",
            response.status()
        );
        response.json().await.unwrap_or(Value::Null)
    }

    /// The status and body of a call of the figures with this path and query.
    async fn get(&self, path: &str) -> (u16, String) {
        let url = self.app.url(&format!("/api/admin/figures{path}"));
        let request = self.app.http.get(url).bearer_auth(&self.ada.access_token);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// The figures of the current month: those that were read are kept for a minute.
    async fn figures(&self) -> Value {
        self.app.clock.advance(MINUTE_MS);
        let (status, body) = self.get("?period=month").await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

/// A number of a table; null if there is no such row.
fn number(figures: &Value, table: &str, value: &str, column: &str) -> Value {
    let tables = figures["tables"].as_array().unwrap();
    let table = tables.iter().find(|known| known["key"] == table).unwrap();
    let columns = table["columns"].as_array().unwrap();
    let column = columns.iter().position(|known| known == column).unwrap();
    let mut rows = table["rows"].as_array().unwrap().iter();
    let row = rows.find(|row| row["value"] == value);
    row.map_or(Value::Null, |row| row["numbers"][column].clone())
}

/// A number of the whole period.
fn total(figures: &Value, measure: &str) -> i64 {
    number(figures, "totals", measure, "number")
        .as_i64()
        .unwrap()
}

/// A quote request that wants no call.
fn calm(mut changes: Value) -> Value {
    changes["emergency_contact"] = json!(false);
    changes
}

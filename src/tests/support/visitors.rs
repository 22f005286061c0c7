//! Test visitors: clients with different addresses who request quotes.

use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};

use super::app::TestApp;

/// A valid quote request, overridden by `changes`.
pub fn quote(changes: Value) -> Value {
    let mut quote = json!({
        "first_name": "María", "last_name": "O’Brien", "email": "maria@property.example",
        "phone": "(713) 555-0188",
        "company": "Bayou Property & Sons", "service_type": "fire-watch",
        "location": "Houston, TX", "start_date": "2099-12-01",
        "duration": "1-week", "description": "Panel is down on floors 3 to 9",
        "emergency_contact": true
    });
    if let (Some(fields), Value::Object(changes)) = (quote.as_object_mut(), changes) {
        fields.extend(changes);
    }
    quote
}

/// Posts a quote to the server at `origin` as the visitor at `address`, with an optional
/// idempotency
/// key.
pub async fn ask(
    http: &Client,
    origin: &str,
    address: &str,
    key: Option<&str>,
    quote: &Value,
) -> reqwest::Result<Response> {
    let mut request = http
        .post(format!("{origin}/api/quotes"))
        .header("x-forwarded-for", address)
        .json(quote);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    request.send().await
}

/// The address of the `n`th visitor.
pub fn visitor(n: u32) -> String {
    let [_, a, b, c] = n.to_be_bytes();
    format!("10.{a}.{b}.{c}")
}

impl TestApp {
    /// Posts a quote as the visitor at `address`.
    pub async fn ask(&self, address: &str, key: Option<&str>, quote: &Value) -> Response {
        let asked = ask(&self.http, &self.url(""), address, key, quote).await;
        asked.unwrap()
    }

    /// The status of a quote request for `location`.
    pub async fn met(&self, address: &str, location: &str) -> StatusCode {
        let quote = quote(json!({"location": location}));
        self.ask(address, None, &quote).await.status()
    }

    /// Stores a quote of a new visitor; returns its id.
    pub async fn stored(&self, changes: Value) -> String {
        let newcomer = visitor(self.rows("requests").await.try_into().unwrap());
        let answer = self.ask(&newcomer, None, &quote(changes)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let receipt: Value = answer.json().await.unwrap();
        receipt["id"].as_str().unwrap().to_owned()
    }

    /// A column of all quotes.
    pub async fn quotes_of(&self, column: &'static str) -> Vec<String> {
        let read = move |conn: &rusqlite::Connection| {
            let mut rows = conn.prepare(&format!("SELECT {column} FROM quotes"))?;
            let texts = rows.query_map([], |row| row.get(0))?;
            Ok(texts.collect::<Result<_, _>>()?)
        };
        self.store.read(read).await.unwrap()
    }

    /// The number of rows of a table.
    pub async fn rows(&self, table: &str) -> i64 {
        let table = table.to_owned();
        let count = move |conn: &rusqlite::Connection| {
            Ok(
                conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                    row.get(0)
                })?,
            )
        };
        self.store.read(count).await.unwrap()
    }
}

/// The JSON body of a response.
pub async fn json(response: Response) -> Value {
    response.json().await.unwrap()
}

//! The corpus of honest requests and of spam, posted as their senders would: with a page opened a
//! while before, or not, by script or as a plain form.

use std::collections::BTreeMap;

use domain::spam::{HOLD_AT, MAX_POINTS};
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::visitors::visitor;

/// One submission.
#[derive(Deserialize)]
struct Sample {
    /// The kind of spam.
    #[serde(default)]
    kind: String,
    form: String,
    /// Time from the opening of the form's page; none if the sender has not opened it.
    seconds: Option<f64>,
    agent: String,
    /// Posted without script.
    #[serde(default)]
    plain: bool,
    /// The field that people do not see is filled in.
    #[serde(default)]
    trap: bool,
    #[serde(flatten)]
    fields: BTreeMap<String, Value>,
}

/// `first_name` to `firstName`.
fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        camel += &part[..1].to_uppercase();
        camel += &part[1..];
    }
    camel
}

/// Sends a sample as the `n`th visitor.
async fn send(app: &TestApp, n: u32, sample: &Sample) {
    let (address, path) = (visitor(n), format!("/{}", sample.form));
    let headers = |request: reqwest::RequestBuilder| {
        let request = request.header("x-forwarded-for", &address);
        request.header("user-agent", &sample.agent)
    };
    if let Some(seconds) = sample.seconds {
        let page = headers(app.http.get(app.url(&path))).send().await.unwrap();
        assert_eq!(page.status(), StatusCode::OK);
        app.clock.advance((seconds * 1000.0) as i64);
    }
    let mut fields = sample.fields.clone();
    if sample.trap {
        fields.insert("motto".into(), json!("google"));
    }
    let answer = if sample.plain {
        let text = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        let fields = fields
            .iter()
            .map(|(name, value)| (camel_case(name), text(value)));
        let post = headers(app.http.post(app.url(&path)));
        post.form(&fields.collect::<Vec<_>>()).send().await
    } else {
        let api = if sample.form == "quote" {
            "/api/quotes"
        } else {
            "/api/contact"
        };
        headers(app.http.post(app.url(api)))
            .json(&fields)
            .send()
            .await
    };
    let answer = answer.unwrap();
    // A sender does not learn whether a request is held.
    let accepted = if sample.plain {
        StatusCode::SEE_OTHER
    } else {
        StatusCode::CREATED
    };
    assert_eq!(
        answer.status(),
        accepted,
        "{:?}: {}",
        sample.fields,
        answer.text().await.unwrap()
    );
}

/// The reasons of each request that is held, by the email address.
async fn held(app: &TestApp) -> BTreeMap<String, Vec<Value>> {
    let read = |conn: &rusqlite::Connection| {
        let sql = "SELECT email, held FROM requests WHERE held IS NOT NULL";
        let mut held = BTreeMap::new();
        let mut find = conn.prepare(sql)?;
        let mut rows = find.query([])?;
        while let Some(row) = rows.next()? {
            let reasons: String = row.get(1)?;
            held.insert(row.get(0)?, serde_json::from_str(&reasons).unwrap());
        }
        Ok(held)
    };
    app.store.read(read).await.unwrap()
}

async fn start() -> TestApp {
    TestApp::with(|config| config.limits.api_per_minute = u32::MAX).await
}

#[tokio::test]
async fn no_honest_request_of_the_corpus_is_held() {
    let app = start().await;
    let samples: Vec<Sample> = serde_json::from_str(include_str!("honest.json")).unwrap();
    assert_eq!(samples.len(), 300);
    for (n, sample) in (0..).zip(&samples) {
        send(&app, n, sample).await;
    }
    assert_eq!(held(&app).await, BTreeMap::new());
    assert_eq!(app.rows("requests").await, 300);
}

#[tokio::test]
async fn nine_in_ten_kinds_of_spam_of_the_corpus_are_held_with_their_reasons() {
    let app = start().await;
    let samples: Vec<Sample> = serde_json::from_str(include_str!("spam.json")).unwrap();
    assert!(samples.len() > 100);
    for (n, sample) in (0..).zip(&samples) {
        send(&app, n, sample).await;
    }
    let held = held(&app).await;
    let mut missed = BTreeMap::<_, usize>::new();
    for sample in &samples {
        let email = sample.fields["email"].as_str().unwrap();
        *missed.entry(sample.kind.as_str()).or_default() += usize::from(!held.contains_key(email));
    }
    assert!(
        held.len() * 10 >= samples.len() * 9,
        "{} held; missed: {missed:?}",
        held.len()
    );
    for reasons in held.values() {
        let points = reasons
            .iter()
            .map(|reason| reason["points"].as_u64().unwrap());
        assert!(points.clone().sum::<u64>() >= HOLD_AT.into(), "{reasons:?}");
        assert!(points.max() <= Some(MAX_POINTS.into()), "{reasons:?}");
        for reason in reasons {
            assert!(!reason["detail"].as_str().unwrap().is_empty(), "{reason}");
        }
    }
}

//! Offers: rates, drafts, sending, the customer's page, answers, and what time does to them.

mod answers;
mod attention;
mod conversions;
mod described;
mod desk;
mod emails;
mod erasure;
mod figures;
mod page;
mod preview;
mod races;
mod rates;
mod sending;
mod status_page;
mod time;
mod transfer;
mod undo;
mod verify;
mod webhooks;

use std::collections::BTreeMap;

use config::Config;
use domain::clock::{DAY_MS, HOUR_MS};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::desk::Dispatcher;
use crate::support::mail::Mail;

const SECOND: i64 = 1000;
const HOUR: i64 = HOUR_MS;
const DAY: i64 = DAY_MS;

/// The desk of a test: an admin with published rates.
struct Desk {
    app: TestApp,
    ada: Dispatcher,
}

impl Desk {
    async fn open() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(adjust: impl FnOnce(&mut Config)) -> Self {
        let app = TestApp::with(|config| {
            // The clock is turned by weeks.
            config.auth.access_token_seconds = 60 * 24 * 3600;
            config.auth.session_idle_seconds = 60 * 24 * 3600;
            config.auth.session_absolute_seconds = 60 * 24 * 3600;
            adjust(config);
        })
        .await;
        let ada = Dispatcher::of(&app).await;
        let desk = Self { app, ada };
        desk.publish_rates().await;
        desk
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        self.ada.change(method, path, body).await
    }

    async fn get(&self, path: &str) -> Value {
        self.ada.get(path).await
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        succeeded(self.ada.post(path, body).await)
    }

    /// Posts to a part of an offer, as `send` or `withdraw`; the status and the body.
    async fn try_offer(&self, offer: &Value, part: &str, body: Value) -> (u16, Value) {
        let number = offer["number"].as_str().unwrap();
        self.ada
            .post(&format!("/offers/{number}/{part}"), body)
            .await
    }

    /// The same where it succeeds.
    async fn on_offer(&self, offer: &Value, part: &str, body: Value) -> Value {
        succeeded(self.try_offer(offer, part, body).await)
    }

    async fn publish_rates(&self) {
        let mut rates = self.get("/rates").await["rates"].clone();
        rates["insurance"] = json!("General liability $1,000,000 each occurrence");
        let draft = json!({ "revision": 0, "rates": rates });
        succeeded(self.send(Method::PUT, "/rates/draft", draft).await);
        self.post("/rates/publish", json!({ "revision": 1 })).await;
    }

    /// Begins an offer for a new request; returns the offer.
    async fn begun(&self) -> Value {
        self.begun_for(json!({ "start_date": "2026-12-08" })).await
    }

    async fn begun_for(&self, changes: Value) -> Value {
        let id = self.app.stored(changes).await;
        self.post(&format!("/inbox/{id}/offers"), json!({})).await
    }

    /// Confirms the schedule of a draft; returns the offer.
    async fn confirmed(&self, offer: &Value) -> Value {
        self.changed(offer, "/unconfirmed_schedules", json!([]))
            .await
    }

    /// Sends the draft of an offer, with its schedule confirmed; returns the offer.
    async fn sent(&self, offer: &Value) -> Value {
        let offer = &match offer["draft"]["unconfirmed_schedules"] == json!([]) {
            true => offer.clone(),
            false => self.confirmed(offer).await,
        };
        let body = json!({ "revision": offer["revision"], "after": offer["version"] });
        self.on_offer(offer, "send", body).await
    }

    /// A new offer that was sent, and whose email has left.
    async fn delivered(&self) -> Value {
        let offer = self.sent(&self.begun().await).await;
        self.app.clock.advance(10 * SECOND);
        self.app.run_outbox().await;
        offer
    }

    /// Changes the draft; returns the offer.
    async fn changed(&self, offer: &Value, pointer: &str, value: Value) -> Value {
        let mut draft = offer["draft"].clone();
        *draft.pointer_mut(pointer).unwrap() = value;
        let path = format!("/offers/{}", offer["number"].as_str().unwrap());
        let body = json!({ "revision": offer["revision"], "draft": draft });
        succeeded(self.send(Method::PUT, &path, body).await)
    }

    /// The offer as it is now.
    async fn offer(&self, offer: &Value) -> Value {
        let number = offer["number"].as_str().unwrap();
        self.get(&format!("/offers/{number}")).await
    }

    /// Posts a form of the customer's page from `address`.
    async fn post_form(
        &self,
        link: &str,
        address: &str,
        fields: &BTreeMap<&str, String>,
    ) -> Response {
        let request = self.app.http.post(self.app.url(link));
        let request = request
            .header("x-forwarded-for", address)
            .header("user-agent", "Phone/1.0")
            .header("sec-fetch-site", "same-origin");
        request.form(fields).send().await.unwrap()
    }

    /// The customer's page.
    async fn page(&self, link: &str) -> (u16, String) {
        let response = self.app.http.get(self.app.url(link)).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Emails to an address.
    fn mail_to(&self, address: &str) -> Vec<Mail> {
        let mut mail = self.app.mailbox();
        mail.retain(|mail| mail.to == [address]);
        mail
    }

    /// The verbs of the history of the request of an offer.
    async fn verbs(&self, offer: &Value) -> Vec<String> {
        let id = offer["request"]["id"].as_str().unwrap();
        let request = self.get(&format!("/inbox/{id}")).await;
        let history = request["history"].as_array().unwrap().iter();
        history
            .map(|event| event["verb"].as_str().unwrap().to_owned())
            .collect()
    }
}

/// The body of a call that succeeds.
fn succeeded((status, body): (u16, Value)) -> Value {
    assert!((200..300).contains(&status), "{status} {body}");
    body
}

/// The address of the customer of the tests.
const MARIA: &str = "maria@property.example";
const OFFICE: &str = "Guardpost Security <office@guardpost.example>";

fn link(offer: &Value) -> String {
    offer["link"].as_str().unwrap().to_owned()
}

/// A valid acceptance, overridden by `changes`.
fn acceptance(changes: &[(&'static str, &str)]) -> BTreeMap<&'static str, String> {
    let mut fields = BTreeMap::from([
        ("answer", "accept".to_owned()),
        ("name", "María O’Brien".to_owned()),
        ("title", "Owner".to_owned()),
        ("email", MARIA.to_owned()),
        ("consent", "yes".to_owned()),
    ]);
    for (name, value) in changes {
        fields.insert(name, (*value).to_owned());
    }
    fields
}

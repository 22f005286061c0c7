//! On call: the rota, alarms, pushes, calls and webhooks.

mod alarms;
mod bounds;
mod call_ends;
mod decrypt;
mod kills;
mod listed;
mod nights;
mod phone;
mod rota;
mod taken_back;
mod webhooks;

use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use config::Config;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use self::decrypt::decrypt;
use crate::support::app::TestApp;
use crate::support::listener::{Listener, Received};
use crate::support::people::Person;

const MINUTE: i64 = 60_000;
const SECRET: &str = "the auth token of the account";

/// The desk of a test: an admin, the push service, the phone provider.
struct Desk {
    app: TestApp,
    ada: Person,
    push: Listener,
    phone: Listener,
    // Holds the file of the secret.
    _folder: tempfile::TempDir,
}

impl Desk {
    async fn open() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(adjust: impl FnOnce(&mut Config)) -> Self {
        let (push, phone) = (Listener::start().await, Listener::start().await);
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, format!("{SECRET}\n")).unwrap();
        let app = TestApp::with(|config| {
            config.outgoing.allow = vec!["127.0.0.0/8".parse().unwrap()];
            config.server.base_url = "https://guard.example".to_owned();
            // The clock is turned by weeks.
            config.auth.access_token_seconds = 60 * 24 * 3600;
            config.auth.session_idle_seconds = 60 * 24 * 3600;
            config.auth.session_absolute_seconds = 60 * 24 * 3600;
            config.phone.url = phone.url("");
            config.phone.account = "AC1".to_owned();
            config.phone.secret_file = secret.display().to_string();
            config.phone.from = "+17135550100".to_owned();
            adjust(config);
        })
        .await;
        let ada = app.admin().await;
        Self {
            app,
            ada,
            push,
            phone,
            _folder: folder,
        }
    }

    /// Calls the API as an admin.
    async fn as_person(
        &self,
        person: &Person,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let (token, path) = (&person.access_token, format!("/api/admin{path}"));
        let body = body.unwrap_or_default();
        let response = self.app.call(token, method, &path, body).await;
        let status = response.status();
        (status, response.json().await.unwrap_or_default())
    }

    async fn get(&self, path: &str) -> Value {
        let (status, value) = self.as_person(&self.ada, Method::GET, path, None).await;
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    async fn send(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        self.as_person(&self.ada, method, path, Some(body)).await
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let (status, value) = self.send(Method::POST, path, body).await;
        assert!(status.is_success(), "{path}: {status} {value}");
        value
    }

    /// A rota in which these people are on call each day around the clock, the first one first.
    async fn on_call(&self, people: &[&Person]) {
        let shifts: Vec<Value> = people
            .iter()
            .flat_map(|person| {
                (0..7).map(|day| {
                    json!({ "person": person.id, "week": 0, "weekday": day, "from": "00:00",
                        "until": "24:00" })
                })
            })
            .collect();
        self.set_rota(shifts).await;
    }

    /// Replaces the shifts of the rota; the answer.
    async fn set_rota(&self, shifts: Vec<Value>) -> Value {
        let version = self.get("/on-call").await["rota"]["version"].clone();
        let rota = json!({ "weeks": 1, "first_day": "2026-01-05", "shifts": shifts,
            "version": version });
        let (status, answer) = self.send(Method::PUT, "/on-call/rota", rota).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// The only person on call is Ada, who has this number and no device.
    async fn ada_by_phone(&self) {
        self.on_call(&[&self.ada]).await;
        self.number(&self.ada, "7135550111").await;
    }

    /// Acknowledges the alarm at this place of the list, the newest first.
    async fn acknowledge(&self, at: usize) {
        let alarm = self.get("/alarms").await["alarms"][at]["id"].clone();
        self.post(&format!("/alarms/{alarm}/acknowledge"), json!({}))
            .await;
    }

    async fn number(&self, person: &Person, phone: &str) {
        let path = format!("/on-call/people/{}/phone", person.id);
        let (status, answer) = self
            .send(Method::PUT, &path, json!({ "phone": phone }))
            .await;
        assert_eq!(status, 200, "{answer}");
    }

    /// Subscribes a browser of a person at the push service.
    async fn device(&self, person: &Person, path: &str) -> Device {
        let device = Device::new();
        let key = device.secret.compute_public_key().unwrap();
        let subscription = json!({
            "endpoint": self.push.url(path),
            "expirationTime": null,
            "keys": {
                "p256dh": URL_SAFE_NO_PAD.encode(key.as_ref()),
                "auth": URL_SAFE_NO_PAD.encode(device.auth),
            },
        });
        let answer = self
            .as_person(person, Method::PUT, "/push", Some(subscription))
            .await;
        assert_eq!(answer.0, 200, "{}", answer.1);
        device
    }

    async fn deliver(&self) -> usize {
        self.app.alarms().deliver_due().await.unwrap()
    }

    async fn after(&self, millis: i64) -> usize {
        self.app.clock.advance(millis);
        self.deliver().await
    }

    /// The numbers called, since the last time it was asked.
    fn called(&self) -> Vec<String> {
        let calls = self.phone.take().into_iter();
        let calls = calls.filter(|it| it.path.ends_with("/Calls.json"));
        calls.map(|it| it.form()["To"].clone()).collect()
    }

    /// A callback of the phone provider, signed as it signs.
    async fn callback(&self, path: &str, form: &[(&str, &str)]) -> (StatusCode, String) {
        let mut sorted = form.to_vec();
        sorted.sort_unstable();
        let mut text = format!("https://guard.example{path}");
        for (name, value) in sorted {
            text += name;
            text += value;
        }
        let key = aws_lc_rs::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY;
        let key = aws_lc_rs::hmac::Key::new(key, SECRET.as_bytes());
        let signature = STANDARD.encode(aws_lc_rs::hmac::sign(&key, text.as_bytes()));
        self.unsigned(path, form, &signature).await
    }

    async fn unsigned(
        &self,
        path: &str,
        form: &[(&str, &str)],
        signature: &str,
    ) -> (StatusCode, String) {
        let request = self.app.http.post(self.app.url(path)).form(form);
        let request = request.header("x-twilio-signature", signature);
        let response = request.send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    /// The events of a request with this verb, as their details.
    async fn events(&self, id: &str, verb: &str) -> Vec<Value> {
        let request = self.get(&format!("/inbox/{id}")).await;
        let history = request["history"].as_array().unwrap().clone();
        let found = history.into_iter().filter(|event| event["verb"] == verb);
        found.map(|event| event["detail"].clone()).collect()
    }
}

/// A browser that decrypts what it gets.
struct Device {
    secret: PrivateKey,
    auth: [u8; 16],
}

impl Device {
    fn new() -> Self {
        Self {
            secret: PrivateKey::generate(&ECDH_P256).unwrap(),
            auth: domain::ids::random_bytes(),
        }
    }

    fn read(&self, push: &Received) -> Value {
        let text = decrypt(&push.body, &self.secret, &self.auth);
        serde_json::from_slice(&text).unwrap()
    }
}

//! A request that was answered once, and the emails that its customer writes.

use config::Config;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use store::conversation::received::Way;

use crate::support::app::TestApp;

pub const HOUR: i64 = 60 * 60 * 1000;

/// The name of our own server in `Authentication-Results`.
pub const SERVER: &str = "mx.guardpost.example";

/// What our own server writes on top of an email that it has verified.
pub fn verified(domain: &str) -> String {
    format!(
        "Return-Path: <customer@{domain}>\n\
         Authentication-Results: {SERVER};\n\
         \tdkim=pass (2048-bit key; unprotected) header.d={domain} header.i=@{domain};\n\
         \tspf=pass (sender IP is 203.0.113.9) smtp.mailfrom=customer@{domain};\n\
         \tdmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from={domain}\n\
         Received: from mail.{domain} (mail.{domain} [203.0.113.9])\n\
         \tby {SERVER} (Postfix) with ESMTPS id 4Xyz; Tue, 24 Nov 2026 20:04:05 +0000 (UTC)\n"
    )
}

/// The address to which answers are sent, with the signature of the request.
pub struct Facts {
    pub signed: String,
    /// The Message-ID of our email to the customer.
    pub ours: String,
    /// The customer's address.
    pub customer: String,
}

pub struct Desk {
    pub app: TestApp,
    pub token: String,
    /// The request's id.
    pub id: String,
    pub facts: Facts,
}

pub fn inbound(config: &mut Config) {
    config.mail.inbound.address = "office@guardpost.example".to_owned();
    config.mail.inbound.authserv_id = SERVER.to_owned();
}

impl Desk {
    /// A request by maria@property.example that a dispatcher has answered by email.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(adjust: impl FnOnce(&mut Config)) -> Self {
        let app = TestApp::with(|config| {
            inbound(config);
            adjust(config);
        })
        .await;
        let id = app.stored(json!({"emergency_contact": false})).await;
        app.run_outbox().await;
        let token = app.admin().await.access_token;
        let mut desk = Self {
            app,
            token,
            id,
            facts: Facts {
                signed: String::new(),
                ours: String::new(),
                customer: "maria@property.example".to_owned(),
            },
        };
        let sent = desk.reply("When shall we start?").await;
        let reply_to = sent.reply_to.unwrap();
        let address = reply_to.split(['<', '>']).nth(1).unwrap();
        desk.facts.signed = address.to_owned();
        desk.facts.ours = format!("<{}>", sent.message_id);
        desk
    }

    /// Sends a reply of the office; the email.
    pub async fn reply(&self, text: &str) -> crate::support::mail::Mail {
        let path = format!("/api/admin/inbox/{}/replies", self.id);
        let body = json!({"subject": "Your request", "text": text});
        self.post(&path, body).await;
        self.app.clock.advance(10_000);
        self.app.run_outbox().await;
        self.app.mailbox().pop().unwrap()
    }

    /// Signs in again, after a token has expired.
    pub async fn sign_in(&mut self) {
        self.token = self.app.sign_in("ada@guard.example").await.access_token;
    }

    pub async fn call(&self, method: Method, path: &str, body: Value) -> Response {
        self.app.call(&self.token, method, path, body).await
    }

    /// Posts what is accepted; the answer.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        let response = self.call(Method::POST, path, body).await;
        let status = response.status();
        assert!(status.is_success(), "{path}: {status}");
        response.json().await.unwrap_or_default()
    }

    pub async fn get(&self, path: &str) -> Value {
        let response = self.call(Method::GET, path, json!({})).await;
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    /// The request as the panel shows it.
    pub async fn request(&self) -> Value {
        self.get(&format!("/api/admin/inbox/{}", self.id)).await
    }

    /// The events with this verb, oldest first.
    pub async fn events(&self, verb: &str) -> Vec<Value> {
        let request = self.request().await;
        let history = request["history"].as_array().unwrap().clone();
        history
            .into_iter()
            .filter(|event| event["verb"] == verb)
            .collect()
    }

    /// The number of requests in "Needs attention".
    pub async fn attention(&self) -> i64 {
        let page = self.get("/api/admin/inbox?attention=true").await;
        let listed = page["requests"].as_array().unwrap().len();
        let count = |view: &str| page["views"][view].as_i64().unwrap();
        let counted = count("attention") - count("unmatched");
        assert_eq!(i64::try_from(listed).unwrap(), counted);
        counted
    }

    /// Receives an email by the pipe and takes it in.
    pub async fn receive(&self, raw: impl AsRef<[u8]>) {
        let inbound = &self.app.inbound;
        let bytes = raw.as_ref().to_vec();
        inbound.receive(bytes, Way::Pipe, None).await.unwrap();
        inbound.take_in_pending().await;
    }

    /// An answer of the customer, verified, to the signed address.
    pub fn answer(&self, number: u32, text: &str) -> String {
        let head = verified("property.example");
        self.email(number, &head, &self.facts.customer, "", text)
    }

    /// The email without what leads to the request.
    pub fn stray(&self, email: &str) -> String {
        let email = email.replace(&self.facts.signed, "office@x.example");
        email.replace(&self.facts.ours, "<unknown@x.example>")
    }

    pub fn email(&self, number: u32, head: &str, from: &str, fields: &str, text: &str) -> String {
        format!(
            "{head}From: Maria <{from}>\nTo: <{}>\nSubject: Re: Your request\n\
             Date: Tue, 24 Nov 2026 12:04:00 -0800\nMessage-ID: <m{number}@property.example>\n\
             In-Reply-To: {ours}\nReferences: <first@property.example> {ours}\n{fields}\n{text}\n",
            self.facts.signed,
            ours = self.facts.ours
        )
    }
}

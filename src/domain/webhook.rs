//! Webhooks: the events for other systems, the shapes of their bodies, and the
//! signature of Standard Webhooks (standardwebhooks.com, version 1).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::Sha256;

use super::ids;
use super::text::grouped::grouped;

/// The version of the bodies.
pub const API_VERSION: u32 = 1;
/// The prefix of a secret.
pub const SECRET_PREFIX: &str = "whsec_";
/// Seconds before each retry (the specification's schedule); after the last one a delivery has
/// failed.
pub const RETRIES: [i64; 9] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/// The events, each with what it says to people. To add one, name it here and call
/// `store::webhooks::announce` in the transaction of its cause.
pub const EVENTS: [(&str, &str); 10] = [
    ("request.created", "New request"),
    ("request.changed", "Request changed"),
    ("request.answered", "Request answered"),
    ("reply.received", "Reply received"),
    ("offer.sent", "Offer sent"),
    ("offer.accepted", "Offer accepted"),
    ("offer.declined", "Offer declined"),
    ("offer.expired", "Offer expired"),
    ("alarm.raised", "Alarm"),
    ("alarm.acknowledged", "Alarm acknowledged"),
];

/// What an event says to people; `None` if there is no such event.
pub fn title(event: &str) -> Option<&'static str> {
    let found = EVENTS.iter().find(|(name, _)| *name == event);
    found.map(|(_, title)| *title)
}

crate::text_enum! {
    /// The body of a delivery.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Enum)]
    #[serde(rename_all = "snake_case")]
    #[oai(rename = "WebhookShape", rename_all = "snake_case")]
    pub enum Shape {
        /// JSON of the API, signed.
        Standard = "standard",
        Slack = "slack",
        Teams = "teams",
        Ntfy = "ntfy",
    }
}

/// The text for a chat room: nothing personal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChatText {
    pub title: String,
    /// The service and the city.
    pub line: String,
    pub link: String,
    pub is_urgent: bool,
    /// How many events it stands for; `line` is then about the newest.
    #[serde(default)]
    pub count: u32,
}

/// A request to a chat room.
pub struct ChatMessage {
    pub body: String,
    pub media_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl ChatText {
    /// This text, which stands for a newer one too.
    pub fn with(self, newer: &Self) -> Self {
        let count = self.count.max(1) + newer.count.max(1);
        Self {
            title: format!("{} events within a minute", grouped(count.into())),
            line: format!("The newest: {}, {}", newer.title, newer.line),
            link: newer.link.clone(),
            is_urgent: self.is_urgent || newer.is_urgent,
            count,
        }
    }

    /// The message in a room's shape.
    pub fn message(&self, shape: Shape) -> ChatMessage {
        let Self {
            title, line, link, ..
        } = self;
        let json = |body: Value| ChatMessage {
            body: body.to_string(),
            media_type: "application/json",
            headers: Vec::new(),
        };
        match shape {
            Shape::Standard | Shape::Slack => {
                let escape = |text: &str| {
                    text.replace('&', "&amp;")
                        .replace('<', "&lt;")
                        .replace('>', "&gt;")
                };
                let text = format!("*{}*\n{}\n<{link}|Open>", escape(title), escape(line));
                json(json!({ "text": text }))
            }
            Shape::Teams => {
                let text = |text: &str, weight: &str| {
                    json!({
                        "type": "TextBlock", "text": text, "weight": weight, "wrap": true,
                    })
                };
                let open = json!({ "type": "Action.OpenUrl", "title": "Open", "url": link });
                let card = json!({
                    "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type": "AdaptiveCard",
                    "version": "1.4",
                    "body": [text(title, "Bolder"), text(line, "Default")],
                    "actions": [open],
                });
                let attachment = json!({
                    "contentType": "application/vnd.microsoft.card.adaptive",
                    "content": card,
                });
                json(json!({ "type": "message", "attachments": [attachment] }))
            }
            Shape::Ntfy => {
                // Headers are ASCII: a title with other characters is encoded (RFC 2047).
                let encoded = format!("=?UTF-8?B?{}?=", STANDARD.encode(title));
                let priority = if self.is_urgent { "urgent" } else { "default" };
                ChatMessage {
                    body: line.clone(),
                    media_type: "text/plain; charset=utf-8",
                    headers: vec![
                        ("title", encoded),
                        ("priority", priority.to_owned()),
                        ("click", link.clone()),
                    ],
                }
            }
        }
    }
}

/// The body of an event in the standard shape. `at` is when it happened.
pub fn standard_body(event: &str, at: &str, data: Value) -> String {
    json!({
        "type": event,
        "timestamp": at,
        "api_version": API_VERSION,
        "data": data,
    })
    .to_string()
}

/// A new secret, as it is shown once.
pub fn new_secret() -> String {
    format!(
        "{SECRET_PREFIX}{}",
        STANDARD.encode(ids::random_bytes::<32>())
    )
}

/// The value of `webhook-signature`: one signature for each secret, the current one first. Secrets
/// that cannot be read sign nothing.
pub fn signatures(secrets: &[&str], id: &str, seconds: i64, body: &str) -> String {
    let content = format!("{id}.{seconds}.{body}");
    let sign = |secret: &&str| {
        let key = STANDARD.decode(secret.strip_prefix(SECRET_PREFIX)?).ok()?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
        mac.update(content.as_bytes());
        Some(format!(
            "v1,{}",
            STANDARD.encode(mac.finalize().into_bytes())
        ))
    };
    let signed: Vec<String> = secrets.iter().filter_map(sign).collect();
    signed.join(" ")
}

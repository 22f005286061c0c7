//! Web push (RFC 8030): messages are encrypted for the browser (RFC 8291) and signed with the
//! server's key (VAPID, RFC 8292), which is derived from the key file.

use std::sync::Arc;

use anyhow::{Context, Result};
use aws_lc_rs::agreement::{ECDH_P256, ParsedPublicKey, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::{URL_SAFE, URL_SAFE_NO_PAD};
use reqwest::Url;
use serde_json::{Value, json};

use super::push_encryption::encrypt;
use crate::outgoing::{Answer, Failure, Outgoing, Post};
use domain::clock::Time;
use store::on_call::contacts::PushSubscription;

/// How long a push service keeps a message for a browser that is off, in seconds.
const TTL: u32 = 30 * 60;
/// Lifetime of the signature, in seconds: at most a day.
const TOKEN_SECONDS: i64 = 12 * 60 * 60;
/// The longest endpoint that is stored, in bytes.
const MAX_ENDPOINT: usize = 1000;
/// The push services of browsers; a name that begins with a dot stands for any name before it.
const SERVICES: [&str; 5] = [
    "fcm.googleapis.com",
    "jmt17.google.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
];

/// Sends pushes with one key.
#[derive(Clone)]
pub struct Push {
    key: Arc<EcdsaKeyPair>,
    /// The operator's address for push services: `mailto:…`.
    contact: String,
}

/// What happened to a push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    Taken,
    /// The browser is no longer subscribed (404, 410).
    Gone,
    Failed(String),
}

impl Push {
    /// Signs with a key made of `seed`. Push services write to `email`.
    pub fn new(seed: &[u8; 32], email: &str) -> Result<Self> {
        let point =
            PrivateKey::from_private_key(&ECDH_P256, seed).context("the key of web push")?;
        let point = point.compute_public_key().context("the key of web push")?;
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let key = EcdsaKeyPair::from_private_key_and_public_key(algorithm, seed, point.as_ref())
            .context("the key of web push")?;
        Ok(Self {
            key: Arc::new(key),
            contact: format!("mailto:{email}"),
        })
    }

    /// The public key, with which browsers subscribe: base64url.
    pub fn public_key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.key.public_key().as_ref())
    }

    /// Checks a subscription. Errors: a sentence for the person.
    pub fn check(outgoing: &Outgoing, to: &PushSubscription) -> Result<(), String> {
        target(outgoing, to).map(drop)
    }

    /// Sends `message` to a browser; a later one with the same `topic` replaces it.
    pub async fn send(
        &self,
        outgoing: &Outgoing,
        to: &PushSubscription,
        message: &Value,
        topic: &str,
        now: Time,
    ) -> Pushed {
        let target = match target(outgoing, to) {
            Ok(target) => target,
            Err(why) => return Pushed::Failed(why),
        };
        let Some(post) = self.request(&target, message, topic, now) else {
            return Pushed::Failed("it could not be encrypted".to_owned());
        };
        match outgoing.post(post).await {
            Ok(answer) if answer.is_success() => Pushed::Taken,
            Ok(Answer {
                status: 404 | 410, ..
            }) => Pushed::Gone,
            Ok(answer) => Pushed::Failed(format!("the push service answered {}", answer.status)),
            Err(Failure::Refused(why)) => Pushed::Failed(why),
            Err(Failure::Unreachable(why)) => Pushed::Failed(format!("the push service: {why}")),
        }
    }

    fn request(&self, to: &Target, message: &Value, topic: &str, now: Time) -> Option<Post> {
        let body = encrypt(message.to_string().as_bytes(), &to.public, &to.secret).ok()?;
        let origin = to.url.origin();
        let token = self.token(&origin.ascii_serialization(), now)?;
        Some(Post {
            url: to.url.to_string(),
            headers: vec![
                (
                    "authorization",
                    format!("vapid t={token}, k={}", self.public_key()),
                ),
                ("content-encoding", "aes128gcm".to_owned()),
                ("content-type", "application/octet-stream".to_owned()),
                ("ttl", TTL.to_string()),
                ("urgency", "high".to_owned()),
                ("topic", topic.to_owned()),
            ],
            body,
            basic: None,
        })
    }

    /// The signed claim of who sends, for one push service.
    fn token(&self, audience: &str, now: Time) -> Option<String> {
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = encode(&json!({ "typ": "JWT", "alg": "ES256" }));
        let claims = encode(&json!({
            "aud": audience,
            "exp": now.seconds() + TOKEN_SECONDS,
            "sub": self.contact,
        }));
        let signed = format!("{head}.{claims}");
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.ok()?);
        Some(format!("{signed}.{signature}"))
    }
}

/// A subscription that was checked.
struct Target {
    url: Url,
    /// The public key of the browser: an uncompressed point.
    public: Vec<u8>,
    /// What it shares with us.
    secret: Vec<u8>,
}

fn target(outgoing: &Outgoing, to: &PushSubscription) -> Result<Target, String> {
    let url = outgoing.check(&to.endpoint)?;
    let host = url.host_str().unwrap_or_default();
    let is_service = SERVICES
        .iter()
        .any(|service| match service.strip_prefix('.') {
            Some(_) => host.ends_with(service),
            None => host == *service,
        });
    // Without TLS only networks of the setting are called.
    if !(is_service || url.scheme() == "http") || to.endpoint.len() > MAX_ENDPOINT {
        return Err("This browser's push service is not known.".to_owned());
    }
    match keys(to) {
        Some((public, secret)) => Ok(Target {
            url,
            public,
            secret,
        }),
        None => Err("The keys of the subscription are invalid.".to_owned()),
    }
}

/// The keys of a subscription; `None` if they are invalid.
fn keys(of: &PushSubscription) -> Option<(Vec<u8>, Vec<u8>)> {
    let public = decode(&of.p256dh).filter(|key| key.len() == 65)?;
    let point = UnparsedPublicKey::new(&ECDH_P256, &public);
    ParsedPublicKey::try_from(point).ok()?;
    let secret = decode(&of.auth).filter(|secret| secret.len() == 16)?;
    Some((public, secret))
}

/// Base64url with or without padding.
fn decode(text: &str) -> Option<Vec<u8>> {
    let padded = URL_SAFE.decode(text);
    URL_SAFE_NO_PAD.decode(text).or(padded).ok()
}

//! Calls and text messages by the HTTP interface of Twilio, and its callbacks: their signature, and
//! the answers in TwiML.

use anyhow::Result;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use subtle::ConstantTimeEq;

use crate::outgoing::{BasicAuth, Failure, Outgoing, Post};
use config::Secret;
use store::on_call::messages::MessageOutcome;

/// The path of the callbacks.
pub const PREFIX: &str = "/api/phone/";
/// Seconds for which a phone rings.
const RING_SECONDS: u32 = 40;

/// The provider.
#[derive(Clone)]
pub struct Phone {
    settings: config::Phone,
    secret: Secret,
    /// The site's origin, where it calls back.
    origin: String,
}

impl Phone {
    /// The provider of the settings; `None` if there is none. Fails if the secret cannot be read.
    pub fn new(settings: &config::Phone, origin: &str) -> Result<Option<Self>> {
        if !settings.is_on() {
            return Ok(None);
        }
        Ok(Some(Self {
            secret: settings.secret()?,
            settings: settings.clone(),
            origin: origin.to_owned(),
        }))
    }

    /// Calls `to`. The provider requests what to say for the message with this number.
    pub async fn call(&self, outgoing: &Outgoing, to: &str, id: i64) -> MessageOutcome {
        let callback = |what: &str| format!("{}{PREFIX}{what}/{id}", self.origin);
        let form = [
            ("To", to.to_owned()),
            ("From", self.settings.from.clone()),
            ("Url", callback("call")),
            ("StatusCallback", callback("status")),
            ("Timeout", RING_SECONDS.to_string()),
            ("StatusCallbackEvent", "initiated".to_owned()),
            ("StatusCallbackEvent", "ringing".to_owned()),
            ("StatusCallbackEvent", "completed".to_owned()),
        ];
        self.post(outgoing, "Calls", &form, id).await
    }

    /// Sends a text message to `to`.
    pub async fn text(&self, outgoing: &Outgoing, to: &str, text: &str, id: i64) -> MessageOutcome {
        let form = [
            ("To", to.to_owned()),
            ("From", self.settings.from.clone()),
            ("Body", text.to_owned()),
        ];
        self.post(outgoing, "Messages", &form, id).await
    }

    async fn post(
        &self,
        outgoing: &Outgoing,
        what: &str,
        form: &[(&str, String)],
        id: i64,
    ) -> MessageOutcome {
        let base = self.settings.url.trim_end_matches('/');
        let account = &self.settings.account;
        let body = serde_urlencoded::to_string(form);
        let body = body.unwrap_or_default();
        let post = Post {
            url: format!("{base}/2010-04-01/Accounts/{account}/{what}.json"),
            headers: vec![
                (
                    "content-type",
                    "application/x-www-form-urlencoded".to_owned(),
                ),
                ("idempotency-key", format!("guardpost-{id}")),
            ],
            body: body.into_bytes(),
            basic: Some(BasicAuth {
                user: account.clone(),
                password: self.secret.reveal().to_owned(),
            }),
        };
        match outgoing.post(post).await {
            Ok(answer) if answer.is_success() => MessageOutcome::Sent,
            Ok(answer) => {
                let why = refusal(answer.status, &answer.body);
                match answer.status {
                    408 | 429 | 500.. => MessageOutcome::Failed(why),
                    _ => MessageOutcome::Refused(why),
                }
            }
            Err(Failure::Refused(why)) => MessageOutcome::Refused(why),
            Err(Failure::Unreachable(why)) => {
                MessageOutcome::Failed(format!("the phone provider: {why}"))
            }
        }
    }

    /// Whether a callback at `path` (with its query) comes from the provider: the header
    /// `X-Twilio-Signature` is the HMAC-SHA1 of the URL and the sorted parameters. The provider
    /// signs the URL with its port or without it.
    pub fn is_signed(&self, path: &str, form: &[(String, String)], signature: &str) -> bool {
        let mut sorted: Vec<_> = form.iter().collect();
        sorted.sort();
        let parameters: String = sorted
            .into_iter()
            .flat_map(|(name, value)| [name.as_str(), value])
            .collect();
        let secret = self.secret.reveal().as_bytes();
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
        let is_of = |origin: &str| {
            let text = format!("{origin}{path}{parameters}");
            let expected = STANDARD.encode(hmac::sign(&key, text.as_bytes()));
            expected.as_bytes().ct_eq(signature.as_bytes())
        };
        (is_of(&self.origin) | is_of(&other_origin(&self.origin))).into()
    }
}

/// The origin without its port, or with the usual port if it has none.
fn other_origin(origin: &str) -> String {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match origin.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host.to_owned(),
        _ if origin.starts_with("https:") => format!("{origin}:443"),
        _ => format!("{origin}:80"),
    }
}

/// Why the provider does not place a call or a text message: its status, and what its code means.
/// Its own words are left out, since they may name a person's number.
fn refusal(status: u16, body: &[u8]) -> String {
    let code = serde_json::from_slice::<serde_json::Value>(body).ok();
    let code = code.and_then(|body| body["code"].as_i64()).unwrap_or(0);
    let meaning = match (status, code) {
        (429, _) | (_, 20429) => "it takes no more for now",
        (402, _) | (_, 20005 | 20006 | 30002) => "the account is suspended or has no credit",
        (401, _) | (_, 20003) => "it does not accept the account and its secret",
        (_, 21210..=21219 | 21401 | 21408 | 21610 | 21612 | 21614) => {
            "a number is not allowed: check the number of the person, and permissions and \
             verified numbers at the provider"
        }
        _ => "",
    };
    let answered = match code {
        0 => format!("the phone provider answered {status}"),
        code => format!("the phone provider answered {status}, code {code}"),
    };
    match meaning {
        "" => answered,
        meaning => format!("{answered}: {meaning}"),
    }
}

/// What a call says: the text twice, waiting for a key each time.
pub fn gather(text: &str, id: i64) -> String {
    let say = format!("<Say>{}</Say>", escaped(text));
    let action = format!("{PREFIX}key/{id}");
    let gather = format!(
        "<Gather input=\"dtmf\" numDigits=\"1\" timeout=\"8\" action=\"{action}\" \
         method=\"POST\">{say}</Gather>"
    );
    response(&format!("{gather}{gather}<Say>Goodbye.</Say>"))
}

/// Says a last sentence.
pub fn say(text: &str) -> String {
    response(&format!("<Say>{}</Say><Hangup/>", escaped(text)))
}

/// Answers a text message; an empty text is no answer.
pub fn reply(text: &str) -> String {
    match text {
        "" => response(""),
        text => response(&format!("<Message>{}</Message>", escaped(text))),
    }
}

fn response(content: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{content}</Response>")
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phone(secret: &str, origin: &str) -> Phone {
        Phone {
            settings: config::Phone::default(),
            secret: Secret::new(secret),
            origin: origin.into(),
        }
    }

    #[test]
    fn the_url_is_signed_with_its_port_or_without_it() {
        let signer = |origin: &str| {
            let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"12345");
            let text = format!("{origin}/api/phone/smsFrom+17135550142");
            STANDARD.encode(hmac::sign(&key, text.as_bytes()))
        };
        let form = [("From".to_owned(), "+17135550142".to_owned())];
        for (own, signed, is_accepted) in [
            ("https://desk.example:8443", "https://desk.example", true),
            (
                "https://desk.example:8443",
                "https://desk.example:8443",
                true,
            ),
            ("https://desk.example", "https://desk.example:443", true),
            ("https://desk.example:8443", "https://other.example", false),
            (
                "https://desk.example:8443",
                "https://desk.example:443",
                false,
            ),
        ] {
            let signature = signer(signed);
            let is_signed = phone("12345", own).is_signed("/api/phone/sms", &form, &signature);
            assert_eq!(is_signed, is_accepted, "{own}: {signed}");
        }
    }

    #[test]
    fn the_signature_is_the_published_one() {
        // The example of the provider's documentation.
        let phone = phone("12345", "https://example.com");
        let form = [
            ("CallSid", "CA1234567890ABCDE"),
            ("Caller", "+14158675310"),
            ("Digits", "1234"),
            ("From", "+14158675310"),
            ("To", "+18005551212"),
        ];
        let form: Vec<_> = form.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
        let path = "/myapp.php?foo=1&bar=2";
        let signature = "L/OH5YylLD5NRKLltdqwSvS0BnU=";
        assert!(phone.is_signed(path, &form, signature));
        assert!(!phone.is_signed("/myapp.php?foo=1&bar=3", &form, signature));
        assert!(!phone.is_signed(path, &form[1..], signature));
        assert!(!phone.is_signed(path, &form, ""));
    }

    #[test]
    fn texts_cannot_leave_their_place_in_the_answer() {
        let answer = gather("Fire <watch> & \"more\"", 7);
        assert!(answer.contains("<Say>Fire &lt;watch&gt; &amp; &quot;more&quot;</Say>"));
        assert_eq!(answer.matches("action=\"/api/phone/key/7\"").count(), 2);
        assert!(reply("").ends_with("<Response></Response>"));
    }
}

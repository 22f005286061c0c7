//! Test mailbox helpers: the last email to an address, and the page its link opens.

use serde_json::Value;

use crate::support::app::TestApp;
use crate::support::mail::Mail;

/// The response to the confirm form of a link page.
#[derive(Debug)]
pub struct ConfirmResponse {
    pub status: u16,
    pub location: String,
}

impl ConfirmResponse {
    /// A parameter of the fragment.
    pub fn fragment(&self, name: &str) -> Option<String> {
        let (_, fragment) = self.location.split_once('#')?;
        pair(fragment, name)
    }

    /// A parameter of the query.
    pub fn query(&self, name: &str) -> Option<String> {
        let url: reqwest::Url = self.location.parse().unwrap();
        pair(url.query()?, name)
    }
}

fn pair(text: &str, name: &str) -> Option<String> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).unwrap();
    pairs
        .into_iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value)
}

impl TestApp {
    /// The last email to an address.
    pub async fn mail_to(&self, address: &str) -> Mail {
        self.mails_to(address).await.pop().unwrap()
    }

    /// All emails to an address, oldest first.
    pub async fn mails_to(&self, address: &str) -> Vec<Mail> {
        self.run_outbox().await;
        let mut mails = self.mailbox();
        mails.retain(|mail| mail.to.iter().any(|to| to.contains(address)));
        mails
    }

    /// Submits the form of a link page, as a browser does.
    pub async fn confirm(&self, link: &str) -> ConfirmResponse {
        let url: reqwest::Url = link.parse().unwrap();
        let answer = self
            .http
            .post(self.url("/auth/v1/verify/confirm"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(url.query().unwrap().to_owned())
            .send()
            .await
            .unwrap();
        let location = answer
            .headers()
            .get("location")
            .map(|to| to.to_str().unwrap().to_owned());
        ConfirmResponse {
            status: answer.status().as_u16(),
            location: location.unwrap_or_default(),
        }
    }
}

/// The token in a link.
pub fn token_of(link: &str) -> String {
    pair(link.split_once('?').unwrap().1, "token").unwrap()
}

/// Whether the value contains a string of this kind.
pub fn contains_text(value: &Value, needle: &str) -> bool {
    value.to_string().contains(needle)
}

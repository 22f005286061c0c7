//! HTTP client for identity providers: limited in time and size, no redirects, and TLS whenever the
//! issuer uses it.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE};

use super::Error;

/// Maximum size of a response body; larger than any provider's metadata, key set or token response.
const MAX_BODY: usize = 256 * 1024;

/// An HTTP client for one provider. Cheap to clone.
#[derive(Clone)]
pub(super) struct HttpClient(reqwest::Client);

impl HttpClient {
    pub(super) fn new(issuer: &str) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(Duration::from_secs(3))
            .timeout(Duration::from_secs(8))
            .https_only(issuer.starts_with("https://"))
            .user_agent("guardpost")
            .build()?;
        Ok(Self(client))
    }

    /// Fetches the JSON document at `url`.
    pub(super) async fn document(&self, url: &str) -> Result<Vec<u8>, Error> {
        let answer = read(self.0.get(url)).await?;
        if answer.status != StatusCode::OK {
            return Err(Error::Unreachable(
                "The identity provider returned an error",
            ));
        }
        Ok(answer.body)
    }

    /// Posts a form, with HTTP Basic credentials if given.
    pub(super) async fn post_form(
        &self,
        url: &str,
        form: String,
        basic_auth: Option<BasicAuth>,
    ) -> Result<Answer, Error> {
        let mut request = self
            .0
            .post(url)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        if let Some(auth) = basic_auth {
            request = request.basic_auth(auth.user, Some(auth.password));
        }
        read(request).await
    }
}

/// Credentials of HTTP Basic authentication, form-encoded.
pub(super) struct BasicAuth {
    pub user: String,
    pub password: String,
}

/// What a provider answered.
pub(super) struct Answer {
    pub status: StatusCode,
    pub body: Vec<u8>,
}

/// Sends the request and reads the response body up to `MAX_BODY`.
async fn read(request: reqwest::RequestBuilder) -> Result<Answer, Error> {
    let request = request.header(ACCEPT, "application/json");
    let mut response = request.send().await.map_err(|error| unreachable(&error))?;
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| unreachable(&error))?
    {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(Error::Unreachable("The identity provider says too much"));
        }
        body.extend_from_slice(&chunk);
    }
    let status = response.status();
    Ok(Answer { status, body })
}

/// Logs the reason without the URL, whose query may contain a secret. The client learns only that
/// the provider cannot be reached.
fn unreachable(error: &reqwest::Error) -> Error {
    tracing::warn!(
        timeout = error.is_timeout(),
        connect = error.is_connect(),
        "an identity provider did not answer"
    );
    Error::Unreachable("The identity provider cannot be reached")
}

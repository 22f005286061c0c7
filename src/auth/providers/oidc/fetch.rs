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
        let (status, body) = read(self.0.get(url)).await?;
        if status != StatusCode::OK {
            return Err(Error::Unreachable(
                "The identity provider returned an error",
            ));
        }
        Ok(body)
    }

    /// Posts a form, with HTTP Basic credentials (user, password) if given. Returns the status and
    /// the body.
    pub(super) async fn post_form(
        &self,
        url: &str,
        form: String,
        basic_auth: Option<(String, String)>,
    ) -> Result<(StatusCode, Vec<u8>), Error> {
        let mut request = self
            .0
            .post(url)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        if let Some((user, password)) = basic_auth {
            request = request.basic_auth(user, Some(password));
        }
        read(request).await
    }
}

/// Sends the request and reads the response body up to `MAX_BODY`.
async fn read(request: reqwest::RequestBuilder) -> Result<(StatusCode, Vec<u8>), Error> {
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
    Ok((response.status(), body))
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

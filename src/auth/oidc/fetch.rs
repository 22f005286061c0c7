//! HTTP client for identity providers: limited in time and size, no redirects, and TLS whenever the
//! issuer uses it.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};

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
        let answer = self.0.get(url).header("accept", "application/json");
        let response = answer.send().await.map_err(|error| unreachable(&error))?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(Error::Unreachable(
                "The identity provider refused to answer",
            ));
        }
        body(response).await
    }

    /// One call for `openidconnect`.
    pub(super) async fn call(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let request = reqwest::Request::try_from(request).map_err(|error| unreachable(&error))?;
        let response = self
            .0
            .execute(request)
            .await
            .map_err(|error| unreachable(&error))?;
        let mut answer = HttpResponse::new(Vec::new());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        *answer.body_mut() = body(response).await?;
        Ok(answer)
    }
}

async fn body(mut response: reqwest::Response) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| unreachable(&error))?
    {
        if bytes.len() + chunk.len() > MAX_BODY {
            return Err(Error::Unreachable("The identity provider says too much"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
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

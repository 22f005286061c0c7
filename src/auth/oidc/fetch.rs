//! Asking a provider over the network: bounded in time and size, no redirects, and TLS wherever the issuer itself uses it.

use std::time::Duration;

use openidconnect::{HttpRequest, HttpResponse};

use super::Error;

/// More than any provider's metadata, key set or token answer.
const MAX_BODY: usize = 256 * 1024;

/// A client for one provider. Cheap to clone.
#[derive(Clone)]
pub(super) struct Fetch(reqwest::Client);

impl Fetch {
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

    /// The JSON document at `url`.
    pub(super) async fn document(&self, url: &str) -> Result<Vec<u8>, Error> {
        let answer = self.0.get(url).header("accept", "application/json");
        let response = answer.send().await.map_err(|error| silent(&error))?;
        if response.status() != reqwest::StatusCode::OK {
            return Err(Error::Unreachable(
                "The identity provider refused to answer",
            ));
        }
        body(response).await
    }

    /// One call for `openidconnect`.
    pub(super) async fn call(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let request = reqwest::Request::try_from(request).map_err(|error| silent(&error))?;
        let response = self
            .0
            .execute(request)
            .await
            .map_err(|error| silent(&error))?;
        let mut answer = HttpResponse::new(Vec::new());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = response.headers().clone();
        *answer.body_mut() = body(response).await?;
        Ok(answer)
    }
}

async fn body(mut response: reqwest::Response) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| silent(&error))? {
        if bytes.len() + chunk.len() > MAX_BODY {
            return Err(Error::Unreachable("The identity provider says too much"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// The log gets the reason without the address, whose query may hold a secret; the caller learns only that there was no answer.
fn silent(error: &reqwest::Error) -> Error {
    tracing::warn!(
        timeout = error.is_timeout(),
        connect = error.is_connect(),
        "an identity provider did not answer"
    );
    Error::Unreachable("The identity provider cannot be reached")
}

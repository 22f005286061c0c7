//! HTTP client for identity providers: limited in time and size, no redirects, and TLS whenever the
//! issuer uses it.

use std::time::Duration;

use reqwest::header::ACCEPT;
use reqwest::{Client, RequestBuilder, StatusCode};

use super::Error;

/// Maximum size of a response body; larger than any provider's metadata, key set or token response.
const MAX_BODY: usize = 256 * 1024;

/// The client for one provider.
pub(super) fn client(issuer: &str) -> anyhow::Result<Client> {
    let client = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(3))
        .timeout(Duration::from_secs(8))
        .https_only(issuer.starts_with("https://"))
        .user_agent("guardpost")
        .build()?;
    Ok(client)
}

/// Fetches the JSON document at `url`.
pub(super) async fn document(client: &Client, url: &str) -> Result<Vec<u8>, Error> {
    match read(client.get(url)).await? {
        (StatusCode::OK, body) => Ok(body),
        _ => Err(Error::Unreachable(
            "The identity provider returned an error",
        )),
    }
}

/// Sends the request and reads the response body up to `MAX_BODY`.
pub(super) async fn read(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), Error> {
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

//! Requests to addresses that people type: webhooks, push services, chat rooms.
//!
//! A host name is resolved once, every address must be global unicast, and the connection goes to
//! these addresses: a name cannot change between the check and the connection. Redirects are not
//! followed, a request takes at most 7 seconds, and of a response's body the beginning is kept.

mod lookup;
#[cfg(test)]
mod tests;

use std::error::Error as _;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ipnet::IpNet;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

use self::lookup::{Checked, Lookup, is_global, is_in, not_public, system_lookup};

/// The longest time of a request with its response.
const TIMEOUT: Duration = Duration::from_secs(7);
/// Bytes of a response's body that are read, so that the connection can be used again.
const MAX_BODY: usize = 64 * 1024;
/// Bytes of it that are kept.
const MAX_KEPT: usize = 4 * 1024;

/// Sends guarded requests. Cheap to clone.
#[derive(Clone)]
pub struct Outgoing {
    allow: Arc<[IpNet]>,
    lookup: Lookup,
    // Built at the first request: it loads the system's certificates.
    client: Arc<OnceLock<reqwest::Client>>,
}

/// A POST request.
#[derive(Clone, Debug, Default)]
pub struct Post {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    pub basic: Option<BasicAuth>,
}

/// Credentials of HTTP Basic authentication.
#[derive(Clone, Debug)]
pub struct BasicAuth {
    pub user: String,
    pub password: String,
}

/// What the server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// The beginning of its body.
    pub body: Vec<u8>,
    /// Seconds after which it wants to be asked again.
    pub retry_after: Option<u32>,
}

impl Answer {
    pub const fn is_success(&self) -> bool {
        self.status >= 200 && self.status < 300
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The address may not be called; the reason.
    #[error("{0}")]
    Refused(String),
    /// No connection, or no response in time.
    #[error("{0}")]
    Unreachable(&'static str),
}

impl Outgoing {
    /// Calls public addresses and those of `outgoing.allow`.
    pub fn new(settings: &config::Outgoing) -> Self {
        Self::with_lookup(settings, Arc::new(system_lookup))
    }

    fn with_lookup(settings: &config::Outgoing, lookup: Lookup) -> Self {
        Self {
            allow: settings.allow.clone().into(),
            lookup,
            client: Arc::default(),
        }
    }

    /// Checks what can be known of an address without a request. Errors: a sentence for the person
    /// who typed it.
    pub fn check(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text.trim());
        let url =
            url.map_err(|_| "It is no address, as in https://chat.example/hook.".to_owned())?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("An address with a user name or a password is not accepted.".to_owned());
        }
        let literal = match url.host() {
            None => return Err("The address names no host.".to_owned()),
            Some(url::Host::Domain(name)) if name.trim_end_matches('.') == "localhost" => {
                Some(IpAddr::from([127, 0, 0, 1]))
            }
            Some(url::Host::Domain(_)) => None,
            Some(url::Host::Ipv4(address)) => Some(address.into()),
            Some(url::Host::Ipv6(address)) => Some(address.into()),
        };
        if let Some(address) = literal
            && !self.is_allowed(address)
        {
            return Err(not_public(&address.to_string()));
        }
        let is_listed = literal.is_some_and(|address| is_in(&self.allow, address));
        match url.scheme() {
            "https" => Ok(url),
            "http" if is_listed => Ok(url),
            _ => Err("Only https addresses are called.".to_owned()),
        }
    }

    /// Sends one request.
    pub async fn post(&self, post: Post) -> Result<Answer, Failure> {
        let url = self.check(&post.url).map_err(Failure::Refused)?;
        let client = self.client()?;
        let mut headers = HeaderMap::new();
        for (name, value) in &post.headers {
            let name = HeaderName::from_static(name);
            let value = HeaderValue::from_str(value);
            headers.insert(name, value.map_err(|_| refused("a header is invalid"))?);
        }
        let mut request = client.post(url).headers(headers).body(post.body);
        if let Some(BasicAuth { user, password }) = post.basic {
            request = request.basic_auth(user, Some(password));
        }
        let mut response = request.send().await.map_err(failure)?;
        let retry_after = response.headers().get(RETRY_AFTER);
        let mut answer = Answer {
            status: response.status().as_u16(),
            body: Vec::new(),
            retry_after: retry_after.and_then(|value| value.to_str().ok()?.parse().ok()),
        };
        let mut read = 0;
        while let Ok(Some(chunk)) = response.chunk().await {
            read += chunk.len();
            let room = MAX_KEPT.saturating_sub(answer.body.len()).min(chunk.len());
            answer.body.extend_from_slice(&chunk[..room]);
            if read > MAX_BODY {
                break;
            }
        }
        Ok(answer)
    }

    fn client(&self) -> Result<&reqwest::Client, Failure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let resolver = Checked {
            lookup: self.lookup.clone(),
            allow: self.allow.clone(),
        };
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(TIMEOUT)
            .pool_max_idle_per_host(1)
            .pool_idle_timeout(Duration::from_secs(30))
            .user_agent(concat!("guardpost/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Arc::new(resolver))
            .build()
            .map_err(|error| {
                tracing::error!(%error, "no outgoing request can be made");
                Failure::Unreachable("TLS could not be set up")
            })?;
        Ok(self.client.get_or_init(|| client))
    }

    fn is_allowed(&self, address: IpAddr) -> bool {
        is_global(address) || is_in(&self.allow, address)
    }
}

fn refused(why: &str) -> Failure {
    Failure::Refused(why.to_owned())
}

/// The failure without the URL, whose path may be a secret.
fn failure(error: reqwest::Error) -> Failure {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(refused) = cause.downcast_ref::<lookup::Refused>() {
            return Failure::Refused(refused.0.clone());
        }
        source = cause.source();
    }
    match error {
        error if error.is_timeout() => Failure::Unreachable("no answer within 7 seconds"),
        error if error.is_connect() => Failure::Unreachable("no connection"),
        _ => Failure::Unreachable("the connection broke"),
    }
}

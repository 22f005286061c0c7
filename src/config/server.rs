//! `[server]` and `[data]`: listening addresses, trusted proxies, timeouts, TLS, and the data
//! folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Result, bail};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// The HTTP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// The public URL of the site, as in `https://www.example.com`; empty: the listening address.
    /// Other code calls `origin`.
    pub base_url: String,
    /// Proxies whose `X-Forwarded-For` is trusted, as addresses or networks.
    pub trusted_proxies: Vec<IpNet>,
    /// Redirects from old to new paths: `"/old" = "/new"`.
    pub redirects: BTreeMap<String, String>,
    /// PEM file of the certificate chain; TLS is on if this and `tls_key` are set. Reloaded on
    /// change.
    pub tls_cert: String,
    /// PEM file of the private key.
    pub tls_key: String,
    /// Listening address of the metrics server (plain text, for the operator's network); empty:
    /// off.
    pub metrics_listen: String,
    /// Access log, without personal data: `stderr` or a file; empty: off.
    pub access_log: String,
    /// Maximum connections; for a further one, the longest idle one is closed.
    pub max_connections: usize,
    /// Timeout for receiving a request head, in seconds.
    pub head_seconds: u32,
    /// Idle timeout of a connection between requests, in seconds.
    pub idle_seconds: u32,
    /// Timeout for receiving a request body, in seconds.
    pub body_seconds: u32,
    /// Time that running requests and emails have to finish at shutdown, in seconds.
    pub shutdown_seconds: u32,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base_url: String::new(),
            trusted_proxies: Vec::new(),
            redirects: BTreeMap::new(),
            tls_cert: String::new(),
            tls_key: String::new(),
            metrics_listen: String::new(),
            access_log: String::new(),
            max_connections: 10_000,
            head_seconds: 10,
            idle_seconds: 75,
            body_seconds: 20,
            shutdown_seconds: 10,
        }
    }
}

impl Server {
    /// The site's origin (scheme, host and port), used in canonical links, emails and redirects.
    pub fn origin(&self) -> Cow<'_, str> {
        if !self.base_url.is_empty() {
            return self.base_url.trim_end_matches('/').into();
        }
        let scheme = if self.tls_cert.is_empty() {
            "http"
        } else {
            "https"
        };
        let port = self.listen.port();
        match self.listen.ip() {
            ip if ip.is_unspecified() => format!("{scheme}://127.0.0.1:{port}"),
            ip if ip.is_ipv6() => format!("{scheme}://[{ip}]:{port}"),
            ip => format!("{scheme}://{ip}:{port}"),
        }
        .into()
    }

    pub(super) fn check(&self) -> Result<()> {
        if !self.base_url.is_empty() && !is_origin(&self.base_url) {
            bail!(
                "setting `server.base_url`: `{}` is not a URL like https://www.example.com",
                self.base_url
            );
        }
        if self.tls_cert.is_empty() != self.tls_key.is_empty() {
            bail!("setting `server.tls_cert`: give both tls_cert and tls_key, or neither");
        }
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            bail!(
                "setting `server.metrics_listen`: `{}` is not ADDRESS:PORT",
                self.metrics_listen
            );
        }
        for (from, to) in &self.redirects {
            if !from.starts_with('/') || !to.starts_with('/') || to.starts_with("//") {
                bail!(
                    "setting `server.redirects`: `{from}` = `{to}`: both must start with one slash"
                );
            }
        }
        for (key, value) in [
            ("head_seconds", self.head_seconds),
            ("idle_seconds", self.idle_seconds),
            ("body_seconds", self.body_seconds),
        ] {
            if value == 0 {
                bail!("setting `server.{key}`: must be at least 1");
            }
        }
        if self.max_connections == 0 {
            bail!("setting `server.max_connections`: must be at least 1");
        }
        Ok(())
    }
}

fn is_origin(text: &str) -> bool {
    reqwest::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
    })
}

/// The data folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// Folder of the database, the keys, `mail/` and `media/`.
    pub dir: PathBuf,
    /// Minimum free space on its disk, in MiB; `guardpost check` reports less as a fault.
    pub min_free_mb: u64,
}

impl Default for Data {
    fn default() -> Self {
        Self {
            dir: PathBuf::from("data"),
            min_free_mb: 100,
        }
    }
}

/// Whether the host of a URL is a loopback address.
pub fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}

//! `[server]` and `[data]`: where the server listens, whom it believes, and where it writes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Result, bail};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// Where and how the server listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// The public address of the site, as in `https://www.example.com`; empty: the address listened on. Others ask for `origin`.
    pub base_url: String,
    /// Proxies whose `X-Forwarded-For` is believed, as addresses or networks.
    pub trusted_proxies: Vec<IpNet>,
    /// Old paths and where they moved: `"/old" = "/new"`.
    pub redirects: BTreeMap<String, String>,
    /// PEM file of the certificate chain; TLS is served where this and `tls_key` are set. Read again when it changes.
    pub tls_cert: String,
    /// PEM file of the private key.
    pub tls_key: String,
    /// Where metrics are served (plain text, for the operator's own network); empty: nowhere.
    pub metrics_listen: String,
    /// Where each request is logged, without personal data: `stderr` or a file; empty: nowhere.
    pub access_log: String,
    /// Connections at once; for a further one, the longest idle is closed.
    pub max_connections: usize,
    /// Seconds a client has to send a request's head.
    pub head_seconds: u32,
    /// Seconds that a connection may be idle between requests.
    pub idle_seconds: u32,
    /// Seconds a client has to send a request's body.
    pub body_seconds: u32,
    /// Seconds that running requests and the running mail have to finish at shutdown.
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
    /// The site's origin (scheme, host and port): what stands in canonical links, mails and redirects.
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
                "setting `server.base_url`: `{}` is not an address like https://www.example.com",
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
                bail!("setting `server.redirects`: `{from}` = `{to}`: both begin with one slash");
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

/// Where everything the server writes lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// The folder of the database, the keys, `mail/` and `media/`.
    pub dir: PathBuf,
    /// Megabytes (MiB) that have to be free on its disk for `guardpost check` to call it well.
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

/// Whether the host of a URL is this very machine.
pub fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host
            .trim_matches(['[', ']'])
            .parse::<IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}

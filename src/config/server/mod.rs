//! `[server]`: listening addresses, trusted proxies, timeouts and TLS.

mod check;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// JSON objects for programs.
    Json,
}

/// The address on which plain HTTP is redirected to https.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectListen {
    /// Nowhere.
    Off,
    /// On port 80 beside port 443, if it is available.
    Beside(SocketAddr),
    /// On the address of the setting.
    At(SocketAddr),
}

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
    /// Redirects from old paths to new ones, or to other sites: `"/old" = "/new"`.
    pub redirects: BTreeMap<String, String>,
    /// PEM file of the certificate chain; TLS is on if this and `tls_key` are set. Reloaded on
    /// change.
    pub tls_cert: String,
    /// PEM file of the private key.
    pub tls_key: String,
    /// Whether certificates are ordered by ACME, which accepts the terms of the authority.
    pub tls_acme: bool,
    /// The authority's directory (RFC 8555, section 7.1.1).
    pub acme_directory: String,
    /// PEM file of the root certificate of the directory; empty: the system's.
    pub acme_ca_file: String,
    /// Names in the certificate besides the one in `base_url`.
    pub acme_domains: Vec<String>,
    /// Address and port on which plain HTTP is redirected to https; empty: port 80 beside port 443;
    /// `off`: none. Other code calls `redirects_at`.
    pub redirect_listen: String,
    /// Listening address of the metrics server (plain text, for the operator's network); empty:
    /// off.
    pub metrics_listen: String,
    /// Access log, without personal data: `stderr` or a file; empty: off.
    pub access_log: String,
    /// The log on standard error: text, or one JSON object per line.
    pub log_format: LogFormat,
    /// Maximum connections; for a further one, the longest idle one is closed.
    #[serde(skip)]
    pub max_connections: usize,
    /// Timeout for receiving a request head, in seconds.
    #[serde(skip)]
    pub head_seconds: u32,
    /// Idle timeout of a connection between requests, in seconds.
    #[serde(skip)]
    pub idle_seconds: u32,
    /// Timeout for receiving a request body, in seconds.
    #[serde(skip)]
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
            tls_acme: false,
            acme_directory: "https://acme-v02.api.letsencrypt.org/directory".to_owned(),
            acme_ca_file: String::new(),
            acme_domains: Vec::new(),
            redirect_listen: String::new(),
            metrics_listen: String::new(),
            access_log: String::new(),
            log_format: LogFormat::Text,
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
        let scheme = if self.speaks_tls() { "https" } else { "http" };
        let port = self.listen.port();
        match self.listen.ip() {
            ip if ip.is_unspecified() => format!("{scheme}://127.0.0.1:{port}"),
            ip if ip.is_ipv6() => format!("{scheme}://[{ip}]:{port}"),
            ip => format!("{scheme}://{ip}:{port}"),
        }
        .into()
    }

    /// Whether the server handles TLS.
    pub fn speaks_tls(&self) -> bool {
        self.tls_acme || !self.tls_cert.is_empty()
    }

    /// The names in the ordered certificate: the host of `base_url` first.
    pub fn acme_names(&self) -> Vec<String> {
        let url = reqwest::Url::parse(&self.base_url).ok();
        let host = url.as_ref().and_then(|url| url.host_str());
        let further = self.acme_domains.iter().map(String::as_str);
        let mut names: Vec<String> = Vec::new();
        for name in host.into_iter().chain(further).map(str::to_ascii_lowercase) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The address on which plain HTTP is redirected to https, by `redirect_listen`.
    pub fn redirects_at(&self) -> RedirectListen {
        if !self.speaks_tls() {
            return RedirectListen::Off;
        }
        match (self.redirect_listen.as_str(), self.listen.port()) {
            ("", 443) => RedirectListen::Beside(SocketAddr::new(self.listen.ip(), 80)),
            (address, _) => address
                .parse()
                .map_or(RedirectListen::Off, RedirectListen::At),
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

#[cfg(test)]
mod tests {
    use super::{RedirectListen, Server};

    #[test]
    fn plain_http_is_redirected_from_port_80_beside_port_443_or_where_the_setting_says() {
        let mut server = Server {
            listen: "[::]:443".parse().unwrap(),
            ..Server::default()
        };
        assert_eq!(server.redirects_at(), RedirectListen::Off, "without TLS");
        server.tls_cert = "cert.pem".into();
        let beside = RedirectListen::Beside("[::]:80".parse().unwrap());
        assert_eq!(server.redirects_at(), beside);
        server.redirect_listen = "off".into();
        assert_eq!(server.redirects_at(), RedirectListen::Off);
        server.redirect_listen = "0.0.0.0:8080".into();
        let named = RedirectListen::At("0.0.0.0:8080".parse().unwrap());
        assert_eq!(server.redirects_at(), named);
        server.redirect_listen = String::new();
        server.listen.set_port(8443);
        assert_eq!(server.redirects_at(), RedirectListen::Off);
    }
}

//! Checks the settings of the server.

use std::net::{IpAddr, SocketAddr};

use anyhow::{Result, bail};

use super::{Server, is_loopback};

impl Server {
    pub(crate) fn check(&self) -> Result<()> {
        if !self.base_url.is_empty() && !is_origin(&self.base_url) {
            bail!(
                "setting `server.base_url`: `{}` is not a URL like https://www.example.com",
                self.base_url
            );
        }
        if self.tls_cert.is_empty() != self.tls_key.is_empty() {
            bail!("setting `server.tls_cert`: give both tls_cert and tls_key, or neither");
        }
        self.check_acme()?;
        self.check_redirect_listen()?;
        if self.speaks_tls() && self.base_url.starts_with("http:") {
            bail!(
                "setting `server.base_url`: `{}` must begin with https, because the server speaks \
                 TLS",
                self.base_url
            );
        }
        if !self.metrics_listen.is_empty() && self.metrics_listen.parse::<SocketAddr>().is_err() {
            bail!(
                "setting `server.metrics_listen`: `{}` is not ADDRESS:PORT",
                self.metrics_listen
            );
        }
        for (from, to) in &self.redirects {
            let is_path = |path: &str| path.starts_with('/') && !path.starts_with("//");
            if !is_path(from) || !(is_path(to) || is_web_url(to)) {
                bail!(
                    "setting `server.redirects`: `{from}` = `{to}`: write \"/old\" = \"/new\" \
                     or \"/old\" = \"https://other.example/new\""
                );
            }
        }
        Ok(())
    }

    fn check_acme(&self) -> Result<()> {
        if !self.tls_acme {
            return Ok(());
        }
        if !self.tls_cert.is_empty() {
            bail!("setting `server.tls_acme`: give either tls_acme or tls_cert and tls_key");
        }
        if !self.base_url.starts_with("https:") {
            bail!(
                "setting `server.tls_acme`: certificates are for the name in base_url; set it, as \
                 in \"https://www.company.example\""
            );
        }
        if let Some(name) = self.acme_names().iter().find(|name| !is_domain(name)) {
            bail!(
                "setting `server.tls_acme`: `{name}` in base_url or acme_domains is not a domain \
                 as in www.company.example"
            );
        }
        let is_secure = reqwest::Url::parse(&self.acme_directory)
            .is_ok_and(|url| url.scheme() == "https" || url.host_str().is_some_and(is_loopback));
        if !is_secure {
            bail!(
                "setting `server.acme_directory`: `{}` is not an https URL",
                self.acme_directory
            );
        }
        Ok(())
    }

    fn check_redirect_listen(&self) -> Result<()> {
        let address = self.redirect_listen.as_str();
        if matches!(address, "" | "off") {
            return Ok(());
        }
        if address.parse::<SocketAddr>().is_err() {
            bail!("setting `server.redirect_listen`: `{address}` is neither ADDRESS:PORT nor off");
        }
        if !self.speaks_tls() {
            bail!(
                "setting `server.redirect_listen`: the server does not speak TLS; set tls_acme, or \
                 tls_cert and tls_key"
            );
        }
        Ok(())
    }
}

/// Whether the text is a complete URL of a site.
fn is_web_url(text: &str) -> bool {
    let is_header_value = text.bytes().all(|byte| (0x21..0x7f).contains(&byte));
    is_header_value
        && reqwest::Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Whether the text is a DNS name of two labels or more, without a wildcard.
fn is_domain(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..64).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() < 254
        && text.contains('.')
        && text.split('.').all(is_label)
        && text.parse::<IpAddr>().is_err()
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

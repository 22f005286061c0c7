//! What the certificate of the settings says: its validity, and whether browsers take it.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use certificates::x509;
use config::Server;
use domain::clock::Time;

/// Why browsers refuse the certificate for `host` at `now`, if they do. An empty host is not
/// compared.
pub fn unfit(der: &[u8], host: &str, now: Time) -> Option<String> {
    let Some((from, until)) = x509::validity(der) else {
        return Some("it is damaged".to_owned());
    };
    if until < now {
        return Some(format!("it has expired on {until}"));
    }
    if from > now {
        return Some(format!("it is not valid before {from}"));
    }
    let names = x509::dns_names(der);
    let host = host.to_ascii_lowercase();
    let covers = |name: &String| match (name.strip_prefix("*."), host.split_once('.')) {
        (Some(parent), Some((_, above))) => parent == above,
        _ => *name == host,
    };
    let is_named = host.is_empty() || host.parse::<IpAddr>().is_ok() || names.iter().any(covers);
    (!is_named).then(|| format!("it is for {}, not for {host}", names.join(", ")))
}

/// The host of `server.base_url`; empty if it is not set.
pub fn public_host(server: &Server) -> String {
    let url = reqwest::Url::parse(&server.base_url).ok();
    let host = url.and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_default()
}

/// The file of the certificate of the settings and the name of the setting; `None` without one.
pub fn certificate_file(server: &Server, data: &Path) -> Option<(PathBuf, &'static str)> {
    if server.tls_acme {
        return Some((certificates::certificate_file(data), "server.tls_acme"));
    }
    let named = Some(&server.tls_cert).filter(|file| !file.is_empty());
    named.map(|file| (PathBuf::from(file), "server.tls_cert"))
}

/// The site's own certificate in a PEM file, the first one. Fails if there is none.
pub fn leaf(file: &Path) -> Result<CertificateDer<'static>> {
    Ok(CertificateDer::from_pem_file(file)?)
}

/// The validity of the certificate of the settings; `None` without one, or if none has been ordered
/// yet. Fails if the file cannot be read or parsed.
pub fn validity(server: &Server, data: &Path) -> Option<Result<(Time, Time)>> {
    let (file, setting) = certificate_file(server, data)?;
    if server.tls_acme && !file.exists() {
        return None;
    }
    let name = file.display();
    let leaf = leaf(&file).with_context(|| format!("setting `{setting}`: cannot read {name}"));
    Some(leaf.and_then(|leaf| {
        let validity = x509::validity(&leaf);
        validity.with_context(|| format!("setting `{setting}`: {name} holds no certificate"))
    }))
}

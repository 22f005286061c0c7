//! TLS: certificate and key from PEM files, reloaded when a file changes, so that a renewal needs
//! no restart; or from an authority (`certificates`).

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow};
use parking_lot::Mutex;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;

use crate::certificates;
use crate::certificates::{CHALLENGE_PROTOCOL, Certificates, x509};
use crate::config::Server;
use crate::domain::clock::{Clock, Time};
use crate::store::database::file_permissions::require_private_tls_key;

/// Milliseconds between checks of the files. Certificates are renewed weeks before they expire.
const CHECK_INTERVAL_MS: i64 = 30_000;

/// The TLS acceptor of the `server` settings; `None` if they name no certificate. The certificate
/// is that of `ordered` where it is given. Fails if a file cannot be read, or key and certificate
/// do not match.
pub fn acceptor(
    server: &Server,
    ordered: Option<&Arc<Certificates>>,
    clock: &Clock,
) -> Result<Option<Tls>> {
    let protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let config = ServerConfig::builder().with_no_client_auth();
    if let Some(ordered) = ordered {
        let mut config = config.with_cert_resolver(Arc::new(Ordered(ordered.clone())));
        config.alpn_protocols = protocols;
        config.alpn_protocols.push(CHALLENGE_PROTOCOL.to_vec());
        return Ok(Some(Tls {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            source: Source::Authority(ordered.clone()),
        }));
    }
    if server.tls_cert.is_empty() {
        return Ok(None);
    }
    let certificate = Arc::new(Certificate::open(server, clock)?);
    let mut config = config.with_cert_resolver(certificate.clone());
    config.alpn_protocols = protocols;
    Ok(Some(Tls {
        acceptor: TlsAcceptor::from(Arc::new(config)),
        source: Source::Files(certificate),
    }))
}

/// TLS of the site's connections.
pub struct Tls {
    /// Takes connections.
    pub(in crate::http) acceptor: TlsAcceptor,
    source: Source,
}

/// The source of the certificate.
enum Source {
    Authority(Arc<Certificates>),
    Files(Arc<Certificate>),
}

impl Tls {
    /// Reloads the certificate now. After an error, the current one stays.
    pub(in crate::http) fn reload(&self) -> Result<()> {
        match &self.source {
            Source::Authority(certificates) => certificates.reload(),
            Source::Files(certificate) => {
                certificate.reload();
                Ok(())
            }
        }
    }
}

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

/// The site's own certificate in a PEM file, the first one, as DER.
pub fn leaf(file: &Path) -> Option<Vec<u8>> {
    let mut certificates = CertificateDer::pem_file_iter(file).ok()?;
    Some(certificates.next()?.ok()?.to_vec())
}

/// The validity of the certificate of the settings; `None` without one, or if none has been ordered
/// yet. Fails if the file cannot be read or parsed.
pub fn validity(server: &Server, data: &Path) -> Option<Result<(Time, Time)>> {
    let (file, setting) = certificate_file(server, data)?;
    if server.tls_acme && !file.exists() {
        return None;
    }
    let read = || {
        let name = file.display();
        let mut certificates = CertificateDer::pem_file_iter(&file)
            .with_context(|| format!("setting `{setting}`: cannot read {name}"))?;
        // The first one is the server's own.
        let first = certificates.next().and_then(Result::ok);
        first
            .and_then(|certificate| x509::validity(&certificate))
            .with_context(|| format!("setting `{setting}`: {name} holds no certificate"))
    };
    Some(read())
}

/// Whether the handshake was a challenge of the certificate authority, which sends no request.
pub(in crate::http) fn is_challenge<S>(stream: &TlsStream<S>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(CHALLENGE_PROTOCOL)
}

/// Whether the client has agreed on HTTP/2 (RFC 9113, section 3.2).
pub(in crate::http) fn is_http2<S>(stream: &TlsStream<S>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(b"h2")
}

/// The certificate from an authority, and the answers to its challenges.
#[derive(Debug)]
struct Ordered(Arc<Certificates>);

impl ResolvesServerCert for Ordered {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // RFC 8737, section 3: the authority offers only this protocol.
        let mut protocols = hello.alpn().into_iter().flatten();
        if protocols.next() == Some(CHALLENGE_PROTOCOL) && protocols.next().is_none() {
            return self.0.challenge_certificate(hello.server_name()?);
        }
        Some(self.0.current())
    }
}

/// The current certificate and the files it is loaded from.
#[derive(Debug)]
struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    /// The expected name; empty for any.
    host: String,
    clock: Clock,
    last_check: AtomicI64,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    certified: Arc<CertifiedKey>,
    modified: ModifiedTimes,
}

/// The modification time of each file.
type ModifiedTimes = [Option<SystemTime>; 2];

impl Certificate {
    fn open(server: &Server, clock: &Clock) -> Result<Self> {
        let (chain, key) = (
            PathBuf::from(&server.tls_cert),
            PathBuf::from(&server.tls_key),
        );
        let modified = modified(&chain, &key);
        let certified = read(&chain, &key)?;
        Ok(Self {
            chain,
            key,
            host: public_host(server),
            clock: clock.clone(),
            last_check: AtomicI64::new(clock.now().millis()),
            current: Mutex::new(Current {
                certified,
                modified,
            }),
        })
    }

    /// Whether a check of the files is due; true for one caller only.
    fn is_due(&self) -> bool {
        let (now, before) = (self.clock.now().millis(), self.last_check.load(Relaxed));
        // A clock that was set back must not stop the checks.
        (now - before).abs() >= CHECK_INTERVAL_MS
            && self
                .last_check
                .compare_exchange(before, now, Relaxed, Relaxed)
                .is_ok()
    }

    /// Loads changed files. If they are invalid, perhaps because only one of the two has been
    /// replaced, or browsers would refuse the new certificate and not the old one, the old one
    /// stays in use.
    fn reload(&self) {
        let mut current = self.current.lock();
        let modified = modified(&self.chain, &self.key);
        let fault = self.fault_of(&current.certified);
        // A certificate that was not valid yet may be valid now.
        if modified == current.modified && fault.is_none() {
            return;
        }
        let is_changed = std::mem::replace(&mut current.modified, modified) != modified;
        let read = read(&self.chain, &self.key).and_then(|certified| {
            match self.fault_of(&certified).filter(|_| fault.is_none()) {
                Some(fault) => Err(anyhow!("{fault}")),
                None => Ok(certified),
            }
        });
        match read {
            Ok(certified) => {
                if certified.cert != current.certified.cert {
                    tracing::info!("the new certificate is in service");
                }
                current.certified = certified;
            }
            Err(error) if is_changed => {
                tracing::error!("the new certificate is not used: {error:#}");
            }
            Err(_) => {}
        }
    }

    fn fault_of(&self, certified: &CertifiedKey) -> Option<String> {
        let leaf = certified.cert.first().map_or(&[][..], |leaf| leaf);
        unfit(leaf, &self.host, self.clock.now())
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        if self.is_due() {
            self.reload();
        }
        let current = self.current.lock();
        Some(current.certified.clone())
    }
}

fn modified(chain: &Path, key: &Path) -> ModifiedTimes {
    [chain, key].map(|file| file.metadata().and_then(|data| data.modified()).ok())
}

fn read(chain: &Path, key: &Path) -> Result<Arc<CertifiedKey>> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect)
        .with_context(|| format!("setting `server.tls_cert`: cannot read {}", chain.display()))?;
    require_private_tls_key(key).context("setting `server.tls_key`")?;
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("setting `server.tls_key`: cannot read {}", key.display()))?;
    let provider = CryptoProvider::get_default().context("no TLS provider was chosen")?;
    let certified = CertifiedKey::from_der(certificates, private, provider)
        .context("settings `server.tls_cert` and `server.tls_key` do not fit")?;
    Ok(Arc::new(certified))
}

#[cfg(test)]
mod tests {
    use super::{Clock, Server, acceptor};

    #[test]
    fn files_that_cannot_be_read_are_named_with_their_setting() {
        let server = Server {
            tls_cert: "/nowhere/cert.pem".into(),
            tls_key: "/nowhere/key.pem".into(),
            ..Server::default()
        };
        let error = acceptor(&server, None, &Clock::system())
            .err()
            .map(|error| format!("{error:#}"));
        let message = error.unwrap_or_default();
        assert!(
            message.contains("server.tls_cert") && message.contains("/nowhere/cert.pem"),
            "{message}"
        );
    }
}

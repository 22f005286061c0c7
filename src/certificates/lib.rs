//! Certificates from an authority by ACME (RFC 8555): the one in service, the order of a new one,
//! and when it is due. Without a certificate of the authority, a site starts with a self-signed
//! one.

mod authority;
mod challenges;
mod files;
pub mod x509;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use instant_acme::{CertificateIdentifier, ChallengeType};
use parking_lot::Mutex;
use rustls_pki_types::CertificateDer;
use tokio::time::timeout;
use tokio_rustls::rustls::sign::CertifiedKey;

use self::challenges::Challenges;
use config::Server;
use domain::clock::{Clock, HOUR_MS, Time};

pub use self::authority::http_client;
pub use self::files::certificate_file;

/// The path prefix of the texts of HTTP-01.
pub const CHALLENGE_PATH: &str = "/.well-known/acme-challenge/";
/// The protocol of TLS-ALPN-01 (RFC 8737).
pub const CHALLENGE_PROTOCOL: &[u8] = b"acme-tls/1";
/// How long an order may take.
const ORDER_TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// How often the authority is asked for its renewal hint (RFC 9773, section 4.3.2).
const HINT_MS: i64 = 6 * HOUR_MS;

/// The certificate of a site with `server.tls_acme`.
#[derive(Debug)]
pub struct Certificates {
    server: Server,
    domains: Vec<String>,
    folder: PathBuf,
    clock: Clock,
    current: Mutex<Current>,
    challenges: Challenges,
    /// Whether an order was tried since the start.
    has_ordered: AtomicBool,
}

#[derive(Debug)]
struct Current {
    certified: Arc<CertifiedKey>,
    /// Whether the authority issued it; otherwise it is self-signed.
    is_issued: bool,
    /// The authority's last hint.
    hint: Option<Hint>,
}

/// What the authority says about the renewal.
#[derive(Clone, Copy, Debug)]
struct Hint {
    read_at: Time,
    /// `None` if it says nothing.
    renew_at: Option<Time>,
}

impl Current {
    fn new(certified: CertifiedKey, is_issued: bool) -> Self {
        Self {
            certified: Arc::new(certified),
            is_issued,
            hint: None,
        }
    }

    fn leaf(&self) -> &[u8] {
        self.certified
            .cert
            .first()
            .map_or(&[], |certificate| certificate)
    }
}

impl Certificates {
    /// The certificate in the data folder, or a self-signed one; `None` without `server.tls_acme`.
    /// Fails if the settings name no domain, or the system cannot make a key.
    pub fn open(server: &Server, data: &Path, clock: &Clock) -> Result<Option<Arc<Self>>> {
        if !server.tls_acme {
            return Ok(None);
        }
        let domains = server.acme_names();
        let file = certificate_file(data);
        let current = match read(&file) {
            Ok(Some(certified)) => Current::new(certified, true),
            found => {
                if let Err(error) = found {
                    tracing::error!("the saved certificate is not used: {error:#}");
                }
                Current::new(own(&domains)?, false)
            }
        };
        Ok(Some(Arc::new(Self {
            server: server.clone(),
            domains,
            folder: files::folder(data),
            clock: clock.clone(),
            current: Mutex::new(current),
            challenges: Challenges::default(),
            has_ordered: AtomicBool::new(false),
        })))
    }

    /// Whether an order was tried since the start.
    pub fn has_ordered(&self) -> bool {
        self.has_ordered.load(Relaxed)
    }

    /// Reloads the certificate in the data folder, such as one of a restored backup. After an
    /// error, the one in service stays.
    pub fn reload(&self) -> Result<()> {
        if let Some(certified) = read(&files::folder_certificate(&self.folder))? {
            *self.current.lock() = Current::new(certified, true);
        }
        Ok(())
    }

    /// The certificate in service.
    pub fn current(&self) -> Arc<CertifiedKey> {
        self.current.lock().certified.clone()
    }

    /// The certificate that answers a challenge for `domain`.
    pub fn challenge_certificate(&self, domain: &str) -> Option<Arc<CertifiedKey>> {
        self.challenges.certificate(domain)
    }

    /// The text that answers a challenge at the request path `path`.
    pub fn challenge_text(&self, path: &str) -> Option<String> {
        self.challenges.text(path.strip_prefix(CHALLENGE_PATH)?)
    }

    /// Whether to order a new certificate: there is none, it is for other domains, the authority
    /// suggests it, or two thirds of its life are over. Queries the authority every six hours.
    pub async fn is_due(&self) -> bool {
        let now = self.clock.now();
        let (leaf, hint) = {
            let current = self.current.lock();
            let names = x509::dns_names(current.leaf());
            if !current.is_issued || self.domains.iter().any(|domain| !names.contains(domain)) {
                return true;
            }
            (current.leaf().to_owned(), current.hint)
        };
        let Some((from, until)) = x509::validity(&leaf) else {
            return true;
        };
        let two_thirds = from.plus_millis((until.millis() - from.millis()) / 3 * 2);
        if now >= two_thirds {
            return true;
        }
        let is_fresh = |at: Time| (now.millis() - at.millis()).abs() < HINT_MS;
        let suggested = match hint {
            Some(hint) if is_fresh(hint.read_at) => hint.renew_at,
            known => {
                let asked = timeout(ORDER_TIMEOUT, self.suggested_renewal(&leaf)).await;
                let suggested = asked.unwrap_or_else(|_| bail!("it does not answer"));
                let suggested = suggested.unwrap_or_else(|error| {
                    tracing::debug!("no hint about the renewal: {error:#}");
                    known.and_then(|hint| hint.renew_at)
                });
                self.current.lock().hint = Some(Hint {
                    read_at: now,
                    renew_at: suggested,
                });
                suggested
            }
        };
        suggested.is_some_and(|suggested| now >= suggested)
    }

    /// The renewal time by the authority's hint: a point of its window, derived from the
    /// certificate.
    async fn suggested_renewal(&self, leaf: &[u8]) -> Result<Option<Time>> {
        let id = identifier(leaf).context("the certificate names no authority key")?;
        let account = authority::account(&self.server, &self.folder).await?;
        let window = authority::renewal_window(&account, &id).await?;
        Ok(window.map(|(start, end)| {
            let length = (end.millis() - start.millis()).max(0);
            let part: i64 = leaf.iter().rev().take(2).map(|byte| i64::from(*byte)).sum();
            start.plus_millis(length / 512 * part)
        }))
    }

    /// Orders a certificate, saves it and puts it into service. The old one stays in service until
    /// then. Returns a description.
    pub async fn renew(&self) -> Result<String> {
        self.has_ordered.store(true, Relaxed);
        let replacement = files::Replacement::begin(&self.folder)?;
        let ordered = timeout(ORDER_TIMEOUT, self.order()).await;
        self.challenges.withdraw();
        let pem = ordered.context("the authority takes too long")??;
        let certified = files::certified(&pem).context("the new certificate is not used")?;
        let current = Current::new(certified, true);
        let (_, until) = x509::validity(current.leaf()).context("the new certificate is cut")?;
        *self.current.lock() = current;
        replacement.finish("certificate.pem", &pem)?;
        Ok(format!("{} valid until {until}", self.domains.join(", ")))
    }

    async fn order(&self) -> Result<String> {
        match self.order_by_account().await {
            // The authority no longer has the account: a new one is equivalent.
            Err(error) if authority::is_unknown_account(&error) => {
                files::forget_account(&self.folder)?;
                self.order_by_account().await
            }
            ordered => ordered,
        }
    }

    /// TLS-ALPN-01 needs only the port that is open anyway; HTTP-01 passes proxies that end TLS.
    async fn order_by_account(&self) -> Result<String> {
        let account = authority::account(&self.server, &self.folder)
            .await
            .with_context(|| format!("the authority {}", self.server.acme_directory))?;
        let leaf = {
            let current = self.current.lock();
            current.is_issued.then(|| current.leaf().to_owned())
        };
        let old = leaf.as_deref().and_then(identifier);
        let mut failures = Vec::new();
        for kind in [ChallengeType::TlsAlpn01, ChallengeType::Http01] {
            let (domains, challenges) = (&self.domains, &self.challenges);
            match authority::order(&account, domains, old.clone(), kind, challenges).await {
                Ok(pem) => return Ok(pem),
                Err(error) if authority::is_unknown_account(&error) => return Err(error),
                Err(error) => failures.push(format!("{error:#}")),
            }
        }
        bail!("{}", failures.join("; then "))
    }
}

/// The authority's identifier of a certificate.
fn identifier(leaf: &[u8]) -> Option<CertificateIdentifier<'static>> {
    CertificateIdentifier::try_from(&CertificateDer::from(leaf)).ok()
}

fn read(file: &Path) -> Result<Option<CertifiedKey>> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        text => {
            let name = || file.display().to_string();
            files::certified(&text.with_context(name)?)
                .with_context(name)
                .map(Some)
        }
    }
}

/// A self-signed certificate, so that the server can start before the first order.
fn own(domains: &[String]) -> Result<CertifiedKey> {
    let made = rcgen::generate_simple_self_signed(domains.to_vec())
        .context("setting `server.tls_acme`: cannot make a certificate")?;
    files::certified(&(made.cert.pem() + &made.signing_key.serialize_pem()))
}

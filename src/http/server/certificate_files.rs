//! The certificate in PEM files, reloaded when a file changes, so that a renewal needs no restart.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::SystemTime;

use anyhow::{Context, Result, anyhow};
use parking_lot::Mutex;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificate_checks::{public_host, unfit};
use config::Server;
use domain::clock::Clock;
use store::database::disk::file_permissions::require_private_tls_key;

/// Milliseconds between checks of the files. Certificates are renewed weeks before they expire.
const CHECK_INTERVAL_MS: i64 = 30_000;

/// The current certificate and the files it is loaded from.
#[derive(Debug)]
pub(super) struct Certificate {
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
    pub(super) fn open(server: &Server, clock: &Clock) -> Result<Self> {
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
        now - before >= CHECK_INTERVAL_MS
            && self
                .last_check
                .compare_exchange(before, now, Relaxed, Relaxed)
                .is_ok()
    }

    /// Loads changed files. If they are invalid, perhaps because only one of the two has been
    /// replaced, or browsers would refuse the new certificate and not the old one, the old one
    /// stays in use.
    pub(super) fn reload(&self) {
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

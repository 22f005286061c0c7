//! TLS: certificate and key from their PEM files, read again when one of them changes, so that a renewal needs no restart.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;

use crate::config::Server;

/// How often the files are looked at. A certificate is renewed weeks before it ends.
const LOOK: Duration = Duration::from_secs(30);

/// What is needed to speak TLS, and to notice a new certificate.
pub struct Tls {
    /// Takes connections.
    pub acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

#[derive(Debug)]
struct Certificate {
    chain: PathBuf,
    key: PathBuf,
    current: RwLock<Arc<CertifiedKey>>,
}

impl Tls {
    /// As `server` says; none where it names no certificate.
    ///
    /// # Errors
    /// When a file cannot be read, or key and certificate do not belong together.
    pub fn open(server: &Server) -> Result<Option<Self>> {
        if server.tls_cert.is_empty() {
            return Ok(None);
        }
        let (chain, key) = (
            PathBuf::from(&server.tls_cert),
            PathBuf::from(&server.tls_key),
        );
        let current = RwLock::new(read(&chain, &key)?);
        let certificate = Arc::new(Certificate {
            chain,
            key,
            current,
        });
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Some(Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            certificate,
        }))
    }

    /// Takes up new files for as long as it is polled. Files that cannot be used leave the old certificate in service.
    pub async fn follow(&self) {
        let mut seen = self.certificate.stamps();
        loop {
            tokio::time::sleep(LOOK).await;
            let now = self.certificate.stamps();
            if now == seen {
                continue;
            }
            match self.certificate.renew() {
                Ok(()) => {
                    tracing::info!("the new certificate is in service");
                    seen = now;
                }
                Err(error) => tracing::error!("the new certificate is not used: {error:#}"),
            }
        }
    }
}

impl Certificate {
    fn stamps(&self) -> [Option<SystemTime>; 2] {
        [&self.chain, &self.key].map(|file| file.metadata().and_then(|data| data.modified()).ok())
    }

    fn renew(&self) -> Result<()> {
        let new = read(&self.chain, &self.key)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        Some(current.clone())
    }
}

fn read(chain: &PathBuf, key: &PathBuf) -> Result<Arc<CertifiedKey>> {
    let certificates = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect)
        .with_context(|| format!("setting `server.tls_cert`: cannot read {}", chain.display()))?;
    let private = PrivateKeyDer::from_pem_file(key)
        .with_context(|| format!("setting `server.tls_key`: cannot read {}", key.display()))?;
    let provider = CryptoProvider::get_default().context("no TLS provider was chosen")?;
    let certified = CertifiedKey::from_der(certificates, private, provider)
        .context("settings `server.tls_cert` and `server.tls_key` do not fit")?;
    Ok(Arc::new(certified))
}

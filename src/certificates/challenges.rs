//! The proofs of control over a domain during an order: HTTP-01 (RFC 8555, section 8.3) and
//! TLS-ALPN-01 (RFC 8737).

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use instant_acme::{ChallengeType, KeyAuthorization};
use parking_lot::Mutex;
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::files::uncompared;

/// The current proofs.
#[derive(Debug, Default)]
pub(super) struct Challenges(Mutex<Presented>);

#[derive(Debug, Default)]
struct Presented {
    /// By token.
    texts: HashMap<String, String>,
    /// By domain.
    certificates: HashMap<String, Arc<CertifiedKey>>,
}

impl Challenges {
    /// Presents the proof for `domain`. Fails if no certificate can be made.
    pub(super) fn present(
        &self,
        kind: &ChallengeType,
        domain: &str,
        token: &str,
        proof: &KeyAuthorization,
    ) -> Result<()> {
        if *kind == ChallengeType::Http01 {
            let text = proof.as_str().to_owned();
            self.0.lock().texts.insert(token.to_owned(), text);
            return Ok(());
        }
        let mut params = CertificateParams::new(vec![domain.to_owned()])?;
        let digest = proof.digest();
        params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest.as_ref())];
        let key = KeyPair::generate()?;
        let certificate = params.self_signed(&key)?;
        let certified = uncompared(&(certificate.pem() + &key.serialize_pem()))
            .context("the certificate of the challenge")?;
        self.0
            .lock()
            .certificates
            .insert(domain.to_owned(), Arc::new(certified));
        Ok(())
    }

    /// Withdraws all proofs after the order.
    pub(super) fn withdraw(&self) {
        *self.0.lock() = Presented::default();
    }

    /// The text for `token`.
    pub(super) fn text(&self, token: &str) -> Option<String> {
        self.0.lock().texts.get(token).cloned()
    }

    /// The certificate for `domain`.
    pub(super) fn certificate(&self, domain: &str) -> Option<Arc<CertifiedKey>> {
        let domain = domain.to_ascii_lowercase();
        self.0.lock().certificates.get(&domain).cloned()
    }
}

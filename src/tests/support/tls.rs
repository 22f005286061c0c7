//! Certificates of a private authority.

use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, Issuer, KeyPair};
use rustls_pki_types::PrivateKeyDer;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;

/// Issues a certificate for 127.0.0.1 and writes the authority's certificate to `file`.
pub fn issue_by_authority(file: &Path) -> (Certificate, KeyPair) {
    let authority_key = KeyPair::generate().unwrap();
    let mut authority = CertificateParams::new(vec![]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    std::fs::write(file, authority.self_signed(&authority_key).unwrap().pem()).unwrap();

    let key = KeyPair::generate().unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let names = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    (names.signed_by(&key, &issuer).unwrap(), key)
}

/// Accepts connections with that certificate.
pub fn issued_by_authority(file: &Path) -> TlsAcceptor {
    let _ = default_provider().install_default();
    let (certificate, key) = issue_by_authority(file);
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

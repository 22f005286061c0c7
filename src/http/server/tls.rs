//! TLS: the certificate from PEM files or from an authority (`certificates`), and the protocols.

use std::sync::Arc;

use anyhow::Result;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;

use super::certificate_files::Certificate;
use certificates::{CHALLENGE_PROTOCOL, Certificates};
use config::Server;
use domain::clock::Clock;

/// The TLS acceptor of the `server` settings; `None` if they name no certificate. The certificate
/// is that of `ordered` where it is given. Fails if a file cannot be read, or key and certificate
/// do not match.
pub fn acceptor(
    server: &Server,
    ordered: Option<&Arc<Certificates>>,
    clock: &Clock,
) -> Result<Option<Tls>> {
    let mut protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let (resolver, source): (Arc<dyn ResolvesServerCert>, _) = match ordered {
        Some(ordered) => {
            protocols.push(CHALLENGE_PROTOCOL.to_vec());
            let source = Source::Authority(ordered.clone());
            (Arc::new(Ordered(ordered.clone())), source)
        }
        None if server.tls_cert.is_empty() => return Ok(None),
        None => {
            let certificate = Arc::new(Certificate::open(server, clock)?);
            (certificate.clone(), Source::Files(certificate))
        }
    };
    let config = ServerConfig::builder().with_no_client_auth();
    let mut config = config.with_cert_resolver(resolver);
    config.alpn_protocols = protocols;
    let acceptor = TlsAcceptor::from(Arc::new(config));
    Ok(Some(Tls { acceptor, source }))
}

/// TLS of the site's connections.
pub struct Tls {
    /// Takes connections.
    pub(crate) acceptor: TlsAcceptor,
    source: Source,
}

/// The source of the certificate.
enum Source {
    Authority(Arc<Certificates>),
    Files(Arc<Certificate>),
}

impl Tls {
    /// Reloads the certificate now. After an error, the current one stays.
    pub(crate) fn reload(&self) -> Result<()> {
        match &self.source {
            Source::Authority(certificates) => certificates.reload(),
            Source::Files(certificate) => {
                certificate.reload();
                Ok(())
            }
        }
    }
}

/// Whether the handshake was a challenge of the certificate authority, which sends no request.
pub(crate) fn is_challenge<S>(stream: &TlsStream<S>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(CHALLENGE_PROTOCOL)
}

/// Whether the client has agreed on HTTP/2 (RFC 9113, section 3.2).
pub(crate) fn is_http2<S>(stream: &TlsStream<S>) -> bool {
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

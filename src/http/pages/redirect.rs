//! Plain HTTP beside TLS: a second address whose only answer is a redirect to https.

use std::io::ErrorKind;
use std::net::SocketAddr;

use anyhow::{Result, anyhow};
use bytes::Bytes;
use http_body_util::Full;
use poem::http::{HeaderValue, StatusCode, Uri, header};
use tokio::net::TcpListener;

use super::page_map::PageResponse;
use config::{RedirectListen, Server};

/// How long a browser may keep the redirect: an hour, so that a mistake does not stay.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Listens where `server.redirect_listen` says; `None` if the server does not speak TLS, or if it
/// says `off`. Port 80 beside port 443 is used where it is free and allowed: the site does without
/// it, because another program may redirect there. Fails if the setting names an address on which
/// the server cannot listen.
pub async fn listen(server: &Server) -> Result<Option<TcpListener>> {
    let (address, is_named) = match server.redirects_at() {
        RedirectListen::Off => return Ok(None),
        RedirectListen::Beside(address) => (address, false),
        RedirectListen::At(address) => (address, true),
    };
    bind(address, is_named).await
}

async fn bind(address: SocketAddr, is_named: bool) -> Result<Option<TcpListener>> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if is_named => Err(anyhow!(
            "setting `server.redirect_listen`: cannot listen on {address}: {error}"
        )),
        Err(error) => {
            warn(address, &error);
            Ok(None)
        }
    }
}

fn warn(address: SocketAddr, error: &std::io::Error) {
    let help = match error.kind() {
        ErrorKind::AddrInUse => "another program listens there",
        ErrorKind::PermissionDenied => "it needs the capability CAP_NET_BIND_SERVICE",
        _ => "it cannot be had",
    };
    tracing::warn!(
        %error,
        "visitors of http://{address} are not redirected to https: {help}. Set \
         server.redirect_listen to \"off\" if that is intended"
    );
}

/// The redirect of a request for `uri` to the site at `origin`. The method stays, and so do path
/// and query.
pub(crate) fn response(origin: &str, uri: &Uri) -> PageResponse {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut response = PageResponse::new(Full::new(Bytes::new()));
    let Ok(location) = HeaderValue::try_from(format!("{origin}{path}")) else {
        *response.status_mut() = StatusCode::BAD_REQUEST;
        return response;
    };
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, location);
    headers.insert(header::CACHE_CONTROL, CACHE);
    response
}

#[cfg(test)]
mod tests {
    use super::{TcpListener, bind};

    #[tokio::test]
    async fn a_port_80_that_is_taken_does_not_stop_the_start_and_a_named_address_does() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = taken.local_addr().unwrap();
        assert!(bind(address, false).await.unwrap().is_none());
        let error = bind(address, true).await.unwrap_err().to_string();
        assert!(error.contains("server.redirect_listen"), "{error}");
        drop(taken);
        assert!(bind(address, false).await.unwrap().is_some());
    }
}

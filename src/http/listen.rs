//! The accept loop: connections are taken here, on hyper, and handed to the endpoint.

use std::sync::Arc;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use poem::endpoint::BoxEndpoint;
use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint};
use tokio::net::TcpListener;

/// Serves `listener` until `stop` is done.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    listener: TcpListener,
    endpoint: BoxEndpoint<'static>,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let endpoint = Arc::new(endpoint);
    let local = LocalAddr(Addr::SocketAddr(listener.local_addr()?));
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted { Ok(pair) => pair, Err(_) => continue },
            () = &mut stop => return Ok(()),
        };
        let (endpoint, local) = (endpoint.clone(), local.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                let request = poem::Request::from((
                    request,
                    local.clone(),
                    RemoteAddr(Addr::SocketAddr(peer)),
                    Scheme::HTTP,
                ));
                let endpoint = endpoint.clone();
                async move {
                    Ok::<_, std::convert::Infallible>(hyper::Response::from(
                        endpoint.get_response(request).await,
                    ))
                }
            });
            let _ = auto::Builder::new(TokioExecutor::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

//! Finds the client of a request, as a parameter of handlers.

use poem::http::StatusCode;
use poem::{Addr, FromRequest, Request, RequestBody};

use super::client_address::Client;
use crate::AppState;

impl Client {
    /// The client that sent `request`; computed once, when `Router` counts the request. Fails if
    /// the request did not come through `server` and `Router`.
    pub fn of(request: &Request) -> poem::Result<Self> {
        if let Some(client) = request.data::<Self>() {
            return Ok(client.clone());
        }
        let Addr::SocketAddr(peer) = &request.remote_addr().0 else {
            return Err(StatusCode::INTERNAL_SERVER_ERROR.into());
        };
        let addresses = &AppState::of(request)?.addresses;
        Ok(addresses.client(peer.ip(), request.headers()))
    }
}

impl<'a> FromRequest<'a> for Client {
    async fn from_request(request: &'a Request, _: &mut RequestBody) -> poem::Result<Self> {
        Self::of(request)
    }
}

//! Extractors of the authentication service: the bearer of an access token, and the client of a
//! request. The product's own API has `desk`.

use std::sync::Arc;

use poem::http::header;
use poem::{Request, RequestBody};

use super::error_response::ErrorResponse;
use crate::bearer::{bearer_extractor, identify};
use auth::{ClientInfo, SignedInUser};
use http::AppState;
use http::request::client_address::Client;
use http::request::permissions::ADMIN;

/// The client of a request.
pub struct Caller(pub ClientInfo);

impl<'a> poem::FromRequest<'a> for Caller {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        let client = <Client as poem::FromRequest>::from_request(request, body).await?;
        Ok(Self(ClientInfo {
            client: client.key,
            site: client.site,
            user_agent: request
                .headers()
                .get(header::USER_AGENT)
                .and_then(|value| value.to_str().ok())
                .map(ToOwned::to_owned),
        }))
    }
}

/// The bearer of a valid access token.
pub struct Bearer(pub SignedInUser);

/// A bearer who is an admin (contract section 3, "Which bearer for the admin endpoints").
pub struct AdminBearer(pub SignedInUser);

bearer_extractor!(Bearer, async |request: &'a Request| {
    Ok(Bearer(
        identify(request).await.map_err(ErrorResponse::from)?,
    ))
});
bearer_extractor!(AdminBearer, async |request: &'a Request| {
    let caller = identify(request).await.map_err(ErrorResponse::from)?;
    if let Some(app) = request.data::<Arc<AppState>>() {
        let admin = app.auth.require_role(&caller, ADMIN);
        admin.map_err(ErrorResponse::from)?;
    }
    Ok(AdminBearer(caller))
});

//! The public signing keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use poem::http::header;
use poem_openapi::payload::{Json, Response};
use poem_openapi::{Object, OpenApi};

use super::error_response::ErrorResponse;
use crate::tags::Tag;
use auth::Auth;
use domain::clock::Clock;
use http::Uses;

/// The key set (RFC 7517).
#[derive(Object)]
struct KeySet {
    /// Ed25519 public keys.
    keys: Vec<PublicKey>,
}

/// An Ed25519 public key (RFC 8037). It has no `alg`, because the tokens are PASETO, not JWT.
#[derive(Object)]
struct PublicKey {
    /// `OKP`.
    kty: String,
    /// `Ed25519`.
    crv: String,
    /// The key.
    x: String,
    /// The key id in a token's footer.
    kid: String,
    /// `sig`.
    #[oai(rename = "use")]
    usage: String,
}

/// The key set endpoint.
pub struct Keys;

#[OpenApi(prefix_path = "/auth/v1/.well-known", tag = "Tag::Authentication")]
impl Keys {
    /// The keys that verify access tokens.
    #[oai(path = "/jwks.json", method = "get", operation_id = "auth_jwks")]
    async fn keys(
        &self,
        auth: Uses<&Auth>,
        clock: Uses<&Clock>,
    ) -> Result<Response<Json<KeySet>>, ErrorResponse> {
        let now = clock.now();
        let keys = auth
            .keys
            .ring(now)
            .published(now)
            .map(|key| PublicKey {
                kty: "OKP".to_owned(),
                crv: "Ed25519".to_owned(),
                x: URL_SAFE_NO_PAD.encode(key.public.as_bytes()),
                kid: key.kid.clone(),
                usage: "sig".to_owned(),
            })
            .collect();
        let response = Response::new(Json(KeySet { keys }));
        Ok(response.header(header::CACHE_CONTROL, "public, max-age=600"))
    }
}

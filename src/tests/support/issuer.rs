//! An OpenID Connect issuer on a loopback port, for tests: metadata, keys, an authorization
//! endpoint without consent, and a token endpoint that checks PKCE. It uses the test's clock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use auth::keys::secrets::random_token;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use config::{Config, OidcProvider};
use domain::clock::{Clock, Time};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use poem::http::{HeaderMap, StatusCode};
use poem::listener::TcpListener;
use poem::web::{Data, Form, Json, Query};
use poem::{EndpointExt, IntoResponse, Response, Route, Server, get, handler, post};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::app::START;

/// Our client id at the issuer.
pub const CLIENT: &str = "guardpost";

/// A running issuer; stops on drop.
pub struct Issuer {
    pub url: String,
    inner: Arc<Inner>,
    task: tokio::task::JoinHandle<()>,
}

struct Inner {
    state: Mutex<IssuerState>,
}

/// State that a test may change while the issuer runs.
pub struct IssuerState {
    pub url: String,
    pub clock: Clock,
    /// Claims in every token; `null` removes one.
    pub claims: Value,
    /// Number of requests for the key set.
    pub asked: usize,
    /// The `token_endpoint_auth_methods_supported` of the metadata; absent if `null`.
    pub auth_methods: Value,
    /// The client authentication of the last token request: the `Authorization` header, and the
    /// client id and secret in the form.
    pub client_auth: [Option<String>; 3],
    key: EncodingKey,
    kid: String,
    codes: HashMap<String, HashMap<String, String>>,
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn new_key() -> EncodingKey {
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    EncodingKey::from_ec_der(key.to_pkcs8v1().unwrap().as_ref())
}

/// SHA-256 in hex: the form of a nonce in a token.
pub fn sha256_hex(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

impl Issuer {
    /// Starts an issuer whose user is `sub` with the verified address `email`.
    pub async fn start(sub: &str, email: &str) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let url = format!("http://{address}");
        let inner = Arc::new(Inner {
            state: Mutex::new(IssuerState {
                url: url.clone(),
                clock: Clock::manual(Time::parse(START).unwrap()),
                claims: json!({ "sub": sub, "email": email, "email_verified": true }),
                asked: 0,
                auth_methods: Value::Null,
                client_auth: Default::default(),
                key: new_key(),
                kid: "first".to_owned(),
                codes: HashMap::new(),
            }),
        });
        let routes = Route::new()
            .at("/.well-known/openid-configuration", get(metadata))
            .at("/jwks", get(jwks))
            .at("/authorize", get(authorize))
            .at("/token", post(token))
            .data(inner.clone());
        let acceptor =
            poem::listener::Listener::into_acceptor(TcpListener::bind(address.to_string()))
                .await
                .unwrap();
        let task = tokio::spawn(async move {
            let _ = Server::new_with_acceptor(acceptor).run(routes).await;
        });
        Self { url, inner, task }
    }

    /// Adds the issuer to the configured providers.
    pub fn configure(&self, config: &mut Config, id: &str) {
        config.auth.providers.push(OidcProvider {
            id: id.to_owned(),
            issuer: self.url.clone(),
            client_ids: vec![CLIENT.to_owned()],
            ..OidcProvider::default()
        });
    }

    /// The state that a test may change.
    pub fn state(&self) -> MutexGuard<'_, IssuerState> {
        self.inner.state.lock().unwrap()
    }

    /// An id_token with changed claims; `null` removes one.
    pub fn token(&self, changes: Value) -> String {
        self.state().token(&changes)
    }

    /// Replaces the key; tokens signed with the old one become invalid.
    pub fn change_key(&self, kid: &str) {
        let mut state = self.state();
        state.key = new_key();
        state.kid = kid.to_owned();
    }
}

impl IssuerState {
    fn body(&self, changes: &Value) -> Value {
        let now = self.clock.now().seconds();
        let mut claims = json!({ "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300,
            "jti": random_token() });
        for source in [&self.claims, changes] {
            for (key, value) in source.as_object().unwrap() {
                claims[key] = value.clone();
            }
        }
        claims
            .as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
        claims
    }

    fn token(&self, changes: &Value) -> String {
        self.signed(changes, &self.key, &self.kid)
    }

    fn signed(&self, changes: &Value, key: &EncodingKey, kid: &str) -> String {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(kid.to_owned());
        jsonwebtoken::encode(&header, &self.body(changes), key).unwrap()
    }

    fn jwk(&self) -> Jwk {
        let mut jwk = Jwk::from_encoding_key(&self.key, Algorithm::ES256).unwrap();
        jwk.common.key_id = Some(self.kid.clone());
        jwk
    }
}

#[handler]
fn metadata(inner: Data<&Arc<Inner>>) -> Json<Value> {
    let state = inner.state.lock().unwrap();
    let url = &state.url;
    let mut metadata = json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    });
    if !state.auth_methods.is_null() {
        metadata["token_endpoint_auth_methods_supported"] = state.auth_methods.clone();
    }
    Json(metadata)
}

#[handler]
fn jwks(inner: Data<&Arc<Inner>>) -> Json<Value> {
    let mut state = inner.state.lock().unwrap();
    state.asked += 1;
    Json(json!({ "keys": [state.jwk()] }))
}

#[handler]
fn authorize(inner: Data<&Arc<Inner>>, asked: Query<HashMap<String, String>>) -> Response {
    let mut state = inner.state.lock().unwrap();
    let code = format!("code-{}", state.codes.len());
    let back = reqwest::Url::parse_with_params(
        &asked["redirect_uri"],
        [("state", &asked["state"]), ("code", &code)],
    );
    state.codes.insert(code, asked.0);
    StatusCode::FOUND
        .with_header("location", back.unwrap().as_str())
        .into_response()
}

#[handler]
fn token(
    inner: Data<&Arc<Inner>>,
    headers: &HeaderMap,
    form: Form<HashMap<String, String>>,
) -> Response {
    let mut state = inner.state.lock().unwrap();
    let header = headers.get("authorization");
    state.client_auth = [
        header.map(|value| value.to_str().unwrap().to_owned()),
        form.get("client_id").cloned(),
        form.get("client_secret").cloned(),
    ];
    let verifier = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    match state.codes.get(&form["code"]) {
        Some(asked)
            if asked["code_challenge"] == verifier
                && asked["redirect_uri"] == form["redirect_uri"] =>
        {
            // A nonce that a test has put into the claims takes precedence.
            let nonce = state
                .claims
                .get("nonce")
                .cloned()
                .unwrap_or_else(|| json!(asked["nonce"]));
            Json(json!({
                "access_token": "provider-access",
                "refresh_token": "provider-refresh",
                "token_type": "Bearer",
                "expires_in": 300,
                "id_token": state.token(&json!({ "nonce": nonce })),
            }))
            .into_response()
        }
        _ => Json(json!({ "error": "invalid_grant" }))
            .with_status(StatusCode::BAD_REQUEST)
            .into_response(),
    }
}

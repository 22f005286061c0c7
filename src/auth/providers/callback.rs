//! Handles the provider's callback, which ends an OAuth flow. The browser ends at the redirect
//! target that was checked at the start, with a code (PKCE) or a session.

use serde_json::Value;
use subtle::ConstantTimeEq;

use super::authorize::object;
use super::external_identity::{self, ExternalProfile};
use super::id_token_sign_in::provider_error;
use crate::error::{AuthError, Error, Result, reject};
use crate::keys::secrets::{digest, random_token};
use crate::sign_in::pkce::CODE_SECONDS;
use crate::{Auth, ClientInfo, Grant, Transaction};
use domain::account::Metadata;
use store::Connection;
use store::accounts::flows::{self, Flow};

/// Query parameters of the provider's callback.
#[derive(Clone, Debug, Default)]
pub struct CallbackParams {
    /// The state of the authorization request.
    pub state: String,
    /// The authorization code.
    pub code: String,
    /// The error code, if there is no authorization code (RFC 6749, section 4.1.2.1).
    pub error: String,
}

/// Result of a flow, delivered at the redirect target.
#[derive(Debug)]
pub enum FlowResult {
    Session(Box<Grant>),
    /// A code that the same browser can exchange.
    Code(String),
    Failed {
        error: AuthError,
        /// Whether the error belongs in the query (PKCE) instead of the fragment.
        in_query: bool,
    },
}

/// A flow whose provider has answered.
pub struct EndedFlow {
    pub redirect_to: String,
    pub result: FlowResult,
}

impl Auth {
    /// Handles the provider's callback in the browser that started the flow. `browser_id` is from
    /// the browser's cookie. Errors: 400 `bad_oauth_state` if the flow is unknown, has expired or
    /// belongs to another browser. Any other error is part of the result.
    pub async fn handle_callback(
        &self,
        caller: ClientInfo,
        browser_id: Option<String>,
        params: CallbackParams,
    ) -> Result<EndedFlow> {
        let now = self.clock.now();
        let state = digest(&params.state);
        let flow = self.change(move |tx| take_flow(tx.conn, &state)).await?;
        let Some(flow) = flow.filter(|flow| flow.expires_at > now) else {
            return reject(AuthError::BAD_OAUTH_STATE);
        };
        if !is_same_browser(&flow, browser_id.as_deref()) {
            let rejected = reject(AuthError::BAD_OAUTH_STATE);
            return self
                .audit_outcome(rejected, &caller, None, &flow.method)
                .await;
        }
        let redirect_to = self.checked_redirect(flow.redirect_to.as_deref());
        let in_query = flow.code_challenge.is_some();
        let result = match self.exchange(caller, flow, params).await {
            Err(Error::Rejected(error)) => FlowResult::Failed { error, in_query },
            exchanged => exchanged?,
        };
        Ok(EndedFlow {
            redirect_to,
            result,
        })
    }

    async fn exchange(
        &self,
        caller: ClientInfo,
        flow: Flow,
        params: CallbackParams,
    ) -> Result<FlowResult> {
        let outcome = self.fetch_profile(&flow, &params).await;
        let (external, tokens) = self
            .audit_outcome(outcome, &caller, None, &flow.method)
            .await?;
        self.change(move |tx| tx.complete(external, flow, tokens, &caller))
            .await
    }

    /// Exchanges the authorization code. Returns the external profile and the provider's tokens.
    async fn fetch_profile(
        &self,
        flow: &Flow,
        params: &CallbackParams,
    ) -> Result<(ExternalProfile, Metadata)> {
        if !params.error.is_empty() || params.code.is_empty() {
            return reject(AuthError::BAD_OAUTH_CALLBACK);
        }
        let Some(provider) = self.providers.get(flow_detail(flow, "provider")) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        let (nonce, verifier) = (flow_detail(flow, "nonce"), flow_detail(flow, "verifier"));
        let machine = self.clock.machine();
        let (identity, tokens) = provider
            .exchange_code(&self.urls.callback, &params.code, nonce, verifier, machine)
            .await
            .map_err(provider_error)?;
        let external = ExternalProfile::of_provider(provider.id(), identity);
        Ok((external, object(tokens)))
    }
}

impl Transaction<'_> {
    fn complete(
        &self,
        external: ExternalProfile,
        flow: Flow,
        tokens: Metadata,
        caller: &ClientInfo,
    ) -> Result<FlowResult> {
        let Transaction { conn, now, .. } = *self;
        if flow.code_challenge.is_none() {
            let grant = self.sign_in_external(external, &flow.method, caller)?;
            let grant = grant.with_provider_tokens(&tokens);
            return Ok(FlowResult::Session(Box::new(grant)));
        }
        let outcome = external_identity::find_or_create_user(
            self,
            external,
            self.signup_allowed(&flow.method),
        );
        let user_id = self.audit_outcome(outcome, caller, None, &flow.method)?;
        let code = random_token();
        let flow = Flow {
            user_id: Some(user_id),
            details: tokens,
            code_digest: Some(digest(&code)),
            expires_at: now.plus_seconds(CODE_SECONDS),
            ..flow
        };
        flows::insert(conn, &flow, now)?;
        Ok(FlowResult::Code(code))
    }
}

/// Deletes a flow by its state and returns it: a second callback finds nothing.
fn take_flow(conn: &Connection, state_digest: &str) -> Result<Option<Flow>> {
    let flow = flows::by_state(conn, state_digest)?;
    if let Some(flow) = &flow {
        flows::delete(conn, &flow.id)?;
    }
    Ok(flow.map(|flow| Flow {
        state_digest: None,
        ..flow
    }))
}

/// Whether this is the browser that started the flow.
fn is_same_browser(flow: &Flow, browser_id: Option<&str>) -> bool {
    let Some(browser_id) = browser_id else {
        return false;
    };
    let expected = flow_detail(flow, "browser").as_bytes();
    digest(browser_id).as_bytes().ct_eq(expected).into()
}

fn flow_detail<'a>(flow: &'a Flow, key: &str) -> &'a str {
    let value = flow.details.get(key);
    value.and_then(Value::as_str).unwrap_or_default()
}

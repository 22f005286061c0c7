//! PKCE (RFC 7636) for emails and providers: the browser sends a challenge and exchanges the code
//! together with the verifier for its session. Only S256 is supported.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::error::{AuthError, Result, reject};
use crate::keys::secrets::{digest, random_token};
use crate::sessions::session::Grant;
use crate::{Auth, ClientInfo, Transaction};
use domain::account::{Aal, Metadata};
use domain::clock::Time;
use domain::ids;
use store::accounts::flows::{self, Flow};

/// Lifetime of a code in seconds (auth API, section 5).
pub const CODE_SECONDS: i64 = 300;

/// A validated S256 challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeChallenge(String);

impl CodeChallenge {
    /// Parses both parameters; `None` if neither is present. Errors: `validation_failed` if one is
    /// missing, for `plain` and for malformed values.
    pub fn parse(challenge: Option<&str>, method: Option<&str>) -> Result<Option<Self>> {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let (challenge, method) = match (given(challenge), given(method)) {
            (None, None) => return Ok(None),
            (Some(challenge), Some(method)) => (challenge, method),
            _ => {
                return reject(AuthError::validation(
                    "PKCE flow requires code_challenge_method and code_challenge",
                ));
            }
        };
        if !method.eq_ignore_ascii_case("s256") {
            return reject(AuthError::validation("code_challenge_method must be s256"));
        }
        let unreserved = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
        if !(43..=128).contains(&challenge.len()) || !challenge.chars().all(unreserved) {
            return reject(AuthError::validation(
                "code challenge has to be between 43 and 128 characters of A-Z a-z 0-9 - . _ ~",
            ));
        }
        Ok(Some(Self(challenge)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn matches_challenge(challenge: &str, verifier: &str) -> bool {
    let made = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    made.as_bytes().ct_eq(challenge.as_bytes()).into()
}

/// Starts a flow that waits for an email to be confirmed; returns its id.
pub fn start_flow(
    tx: &Transaction<'_>,
    user_id: Option<&str>,
    method: &str,
    challenge: &CodeChallenge,
    seconds: i64,
) -> Result<String> {
    let Transaction { conn, now, .. } = *tx;
    let flow = Flow {
        id: ids::new(now).to_string(),
        user_id: user_id.map(str::to_owned),
        method: method.to_owned(),
        code_challenge: Some(challenge.0.clone()),
        redirect_to: None,
        state_digest: None,
        details: Metadata::new(),
        code_digest: None,
        expires_at: now.plus_seconds(seconds),
    };
    flows::insert(conn, &flow, now)?;
    Ok(flow.id)
}

/// Sets the user and a new code of a flow. Returns the code, or `None` if the flow has ended.
pub fn issue_code(
    tx: &Transaction<'_>,
    flow_id: &str,
    user_id: &str,
    method: &str,
) -> Result<Option<String>> {
    let Transaction { conn, now, .. } = *tx;
    let code = random_token();
    let expires_at = now.plus_seconds(CODE_SECONDS);
    let is_open = flows::set_code(conn, flow_id, user_id, method, &digest(&code), expires_at)?;
    Ok(is_open.then_some(code))
}

/// Checks the flow and the verifier; returns the user's id.
fn check_flow<'a>(flow: &'a Flow, verifier: &str, now: Time) -> Result<&'a str> {
    if flow.expires_at <= now {
        return reject(AuthError::FLOW_STATE_EXPIRED);
    }
    let is_correct = flow
        .code_challenge
        .as_deref()
        .is_some_and(|challenge| matches_challenge(challenge, verifier));
    match flow.user_id.as_deref().filter(|_| is_correct) {
        Some(user_id) => Ok(user_id),
        None => reject(AuthError::BAD_CODE_VERIFIER),
    }
}

impl Auth {
    /// Exchanges a code for a session. A code works once, even with a wrong verifier. Errors:
    /// `validation_failed`, 404 `flow_state_not_found`, 422 `flow_state_expired`,
    /// `bad_code_verifier`, `user_banned`.
    pub async fn exchange_code(
        &self,
        caller: ClientInfo,
        auth_code: &str,
        code_verifier: String,
    ) -> Result<Grant> {
        if auth_code.is_empty() || code_verifier.is_empty() {
            return reject(AuthError::validation(
                "invalid request: both auth code and code verifier should be non-empty",
            ));
        }
        let code_digest = digest(auth_code);
        self.change(move |tx| {
            let Transaction { conn, now, .. } = *tx;
            let Some(flow) = flows::by_code(conn, &code_digest)? else {
                let unknown = reject(AuthError::FLOW_STATE_NOT_FOUND);
                return tx.audit_outcome(unknown, &caller, None, "pkce");
            };
            flows::delete(conn, &flow.id)?;
            let (subject, method) = (flow.user_id.as_deref(), flow.method.as_str());
            let outcome = check_flow(&flow, &code_verifier, now);
            let user_id = tx.audit_outcome(outcome, &caller, subject, method)?;
            let grant = tx.open_session(user_id, method, Aal::Aal1, &caller)?;
            let detail = [("method", json!(method)), ("pkce", json!(true))];
            tx.record_own_from(&caller, "sign_in", user_id, &detail)?;
            Ok(grant.with_provider_tokens(&flow.details))
        })
        .await
    }
}

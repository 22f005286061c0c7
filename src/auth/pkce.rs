//! Proof that the browser that began a flow also ends it (RFC 7636): the challenge comes with the first request, the verifier with the code. The code is good for
//! five minutes and one try.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::audit::{self, Actor};
use super::error::{Kind, Refusal, Result, refuse};
use super::{Auth, Caller, Grant};
use crate::domain::account::{Aal, Facts};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::flows::{Flow, Key};
use crate::store::{Connection, flows};

/// Seconds for which a code may be exchanged (contract section 5).
pub const CODE_SECONDS: i64 = 300;

/// What a browser committed itself to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge(String);

impl Challenge {
    /// Reads the pair of a request; neither half given is no flow.
    ///
    /// # Errors
    /// `validation_failed` for half a pair, a method other than S256, a challenge of the wrong form.
    pub fn parse(challenge: Option<&str>, method: Option<&str>) -> Result<Option<Self>> {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let (challenge, method) = match (given(challenge), given(method)) {
            (None, None) => return Ok(None),
            (Some(challenge), Some(method)) => (challenge, method),
            _ => {
                return refuse(Refusal::validation(
                    "PKCE flow requires code_challenge_method and code_challenge",
                ));
            }
        };
        if !method.eq_ignore_ascii_case("s256") {
            return refuse(Refusal::validation("code_challenge_method must be s256"));
        }
        let unreserved = |b: u8| b.is_ascii_alphanumeric() || b"._~-".contains(&b);
        if !(43..=128).contains(&challenge.len()) || !challenge.bytes().all(unreserved) {
            return refuse(Refusal::validation(
                "code_challenge must be 43 to 128 letters, digits and ._~-",
            ));
        }
        Ok(Some(Self(challenge)))
    }

    /// A challenge that was parsed before, from its row.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `verifier` is what the challenge was made of.
    fn is_met_by(&self, verifier: &str) -> bool {
        let made = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        made.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

impl Auth {
    /// A code with which the browser behind `challenge` may open a session of `user_id`. `method` is what the session will say of how it was proved; `along` is
    /// handed out with it (a provider's tokens).
    ///
    /// # Errors
    /// What the store says.
    pub fn give_code(
        &self,
        conn: &Connection,
        user_id: &str,
        method: &str,
        challenge: &Challenge,
        along: Facts,
        now: Time,
    ) -> Result<String> {
        let code = BASE64_URL_SAFE_NO_PAD.encode(ids::random_bytes::<32>());
        let flow = Flow {
            user_id: Some(user_id.to_owned()),
            method: method.to_owned(),
            code_challenge: Some(challenge.as_str().to_owned()),
            redirect_to: None,
            details: along,
            expires_at: now.plus_seconds(CODE_SECONDS),
        };
        flows::insert(conn, &flow, &Key::Code(self.flow_digest(&code, now)), now)?;
        Ok(code)
    }

    /// Opens the session that a code stands for. A wrong verifier burns the code.
    ///
    /// # Errors
    /// 404 `flow_state_not_found`, 422 `flow_state_expired`, 400 `bad_code_verifier`, and what opening a session says.
    pub async fn exchange_code(
        &self,
        caller: Caller,
        code: String,
        verifier: String,
    ) -> Result<Grant> {
        if code.is_empty() || verifier.is_empty() {
            return refuse(Refusal::validation(
                "invalid request: both auth code and code verifier should be non-empty",
            ));
        }
        self.shield.check(&caller.client)?;
        let now = self.clock.now();
        let auth = self.clone();
        self.write(move |conn| auth.exchange(conn, &caller, &code, &verifier, now))
            .await
    }

    fn exchange(
        &self,
        conn: &Connection,
        caller: &Caller,
        code: &str,
        verifier: &str,
        now: Time,
    ) -> Result<Grant> {
        let flow = flows::take(conn, &Key::Code(self.flow_digest(code, now)))?;
        let Some((user_id, challenge, flow)) = flow
            .and_then(|mut flow| Some((flow.user_id.take()?, flow.code_challenge.take()?, flow)))
        else {
            return refuse(Refusal::new(
                Kind::Missing,
                "flow_state_not_found",
                "invalid flow state, no valid flow state found",
            ));
        };
        if flow.expires_at <= now {
            return refuse(Refusal::new(
                Kind::Unprocessable,
                "flow_state_expired",
                "invalid flow state, flow state has expired",
            ));
        }
        if !Challenge(challenge).is_met_by(verifier) {
            return refuse(Refusal::new(
                Kind::Invalid,
                "bad_code_verifier",
                "code challenge does not match previously saved code verifier",
            ));
        }
        let detail = [("method", json!(flow.method))];
        let actor = Actor::User(&user_id);
        audit::record(conn, "sign_in", actor, Some(&user_id), &detail, now)?;
        let mut grant = self.open_session(conn, &user_id, &flow.method, Aal::Aal1, caller, now)?;
        let along = |key: &str| {
            flow.details
                .get(key)
                .and_then(|v| v.as_str())
                .map(str::to_owned)
        };
        grant.provider_token = along("provider_token");
        grant.provider_refresh_token = along("provider_refresh_token");
        Ok(grant)
    }

    /// What is kept of a flow's state or code.
    pub(super) fn flow_digest(&self, secret: &str, now: Time) -> String {
        self.keys.ring(now).digest("flow", &[secret.as_bytes()])
    }
}

#[cfg(test)]
mod tests {
    use super::Challenge;

    #[test]
    fn the_example_of_rfc_7636_is_met_by_its_verifier_only() {
        let challenge = Challenge("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".into());
        assert!(challenge.is_met_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert!(!challenge.is_met_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl"));
        assert!(!challenge.is_met_by("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
        assert!(!challenge.is_met_by(""));
    }

    #[test]
    fn a_pair_is_whole_and_strong_or_refused() {
        let good = "c".repeat(43);
        assert_eq!(Challenge::parse(None, Some("")).unwrap(), None);
        assert!(
            Challenge::parse(Some(&good), Some("S256"))
                .unwrap()
                .is_some()
        );
        for (challenge, method) in [
            (Some(good.as_str()), None),
            (None, Some("s256")),
            (Some(good.as_str()), Some("plain")),
            (Some("short"), Some("s256")),
            (Some(&*"c".repeat(129)), Some("s256")),
            (Some(&*format!("{good}+")), Some("s256")),
        ] {
            assert!(
                Challenge::parse(challenge, method).is_err(),
                "{challenge:?} {method:?}"
            );
        }
    }
}

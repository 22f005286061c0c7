//! A browser's way to a provider and back. What is needed to go on waits under the state, which works once and for five minutes; the browser ends where it was
//! allowed to go before it left, with a code (PKCE) or a session.

use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use super::audit;
use super::email_tokens::{digest, random_token};
use super::error::{AuthError, Error, Kind, Result, reject};
use super::external_identity::{self, ExternalProfile};
use super::id_token::unproven;
use super::pkce::{CODE_SECONDS, Challenge};
use super::{Auth, Caller, Grant, oidc};
use crate::domain::account::Metadata;
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::Connection;
use crate::store::flows::{self, Flow};

/// By what a browser asks for a company's provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Company {
    /// The mail domain of its people.
    Domain(String),
    /// The provider's name in the settings.
    Provider(String),
}

/// Who is sent to a provider.
#[derive(Clone, Debug)]
pub struct Traveller<'a> {
    /// What the browser is known by when it comes back; unguessable.
    pub browser: &'a str,
    /// Where it goes in the end; checked already.
    pub landing: String,
    /// Its challenge, if it waits for a code.
    pub challenge: Option<Challenge>,
}

/// What came back from a provider.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// Ours, from the beginning.
    pub state: String,
    /// What the person is worth.
    pub code: String,
    /// Why there is none (RFC 6749 section 4.1.2.1).
    pub error: String,
}

/// How a journey ends, at the address the browser may go to.
#[derive(Debug)]
pub enum End {
    /// The session itself.
    Session(Box<Grant>),
    /// A code that the same browser can exchange.
    Code(String),
    /// Nothing. `in_query` where the browser looks for a code there.
    Failed {
        /// The code and the sentence.
        refusal: AuthError,
        /// Whether the browser waits for a code.
        in_query: bool,
    },
}

impl Auth {
    /// The address at the provider called `name` to send a browser to.
    ///
    /// # Errors
    /// 400 `validation_failed` for an unknown provider; 503 when it cannot be reached.
    pub async fn depart(
        &self,
        caller: &Caller,
        name: &str,
        traveller: Traveller<'_>,
    ) -> Result<String> {
        self.shield.check(&caller.client)?;
        let Some(provider) = self.providers.get(name) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        self.send_to(provider, "oauth".to_owned(), traveller).await
    }

    /// The same for the people of a company.
    ///
    /// # Errors
    /// 404 `sso_provider_not_found`; 503 when the provider cannot be reached.
    pub async fn authorize_sso(
        &self,
        caller: &Caller,
        company: &Company,
        traveller: Traveller<'_>,
    ) -> Result<String> {
        self.shield.check(&caller.client)?;
        let provider = match company {
            Company::Domain(domain) => self.providers.for_domain(domain),
            Company::Provider(id) => self.providers.for_sso(id),
        };
        let Some(provider) = provider else {
            return reject(AuthError::new(
                Kind::Missing,
                "sso_provider_not_found",
                "No SSO provider assigned for this domain",
            ));
        };
        let method = format!("sso/{}", provider.id());
        self.send_to(provider, method, traveller).await
    }

    async fn send_to(
        &self,
        provider: &oidc::Provider,
        method: String,
        traveller: Traveller<'_>,
    ) -> Result<String> {
        let now = self.clock.now();
        let secrets = [random_token(), random_token(), random_token()];
        let away = provider
            .depart(&self.callback(), None, secrets, now)
            .await
            .map_err(unproven)?;
        let flow = Flow {
            id: ids::new(now).to_string(),
            user_id: None,
            method,
            code_challenge: traveller
                .challenge
                .map(|challenge| challenge.as_str().to_owned()),
            redirect_to: Some(traveller.landing),
            details: facts(json!({
                "provider": provider.id(),
                "nonce": away.nonce,
                "verifier": away.verifier,
                "browser": digest(traveller.browser),
            })),
            state_digest: Some(digest(&away.state)),
            code_digest: None,
            expires_at: now.plus_seconds(CODE_SECONDS),
        };
        self.write(move |conn| Ok(flows::insert(conn, &flow, now)?))
            .await?;
        Ok(away.url)
    }

    /// Ends the journey that `reply` belongs to, in the browser that began it: where that goes, and with what. `browser` is what it is known by.
    ///
    /// # Errors
    /// 400 `bad_oauth_state` where there is no such journey, not any more, or another browser's. Whatever else goes wrong is told at the landing.
    pub async fn handle_callback(
        &self,
        caller: Caller,
        browser: Option<String>,
        reply: Reply,
    ) -> Result<(String, End)> {
        let now = self.clock.now();
        let state = digest(&reply.state);
        let flow = self.write(move |conn| take(conn, &state)).await?;
        let Some(flow) = flow.filter(|flow| flow.expires_at > now) else {
            return reject(bad_state());
        };
        if !is_of(&flow, browser.as_deref()) {
            let elsewhere = reject(bad_state());
            return self
                .noted(elsewhere, &caller, None, &flow.method, now)
                .await;
        }
        let landing = self.checked_redirect(flow.redirect_to.as_deref());
        let in_query = flow.code_challenge.is_some();
        match self.arrive(caller, flow, reply, now).await {
            Ok(end) => Ok((landing, end)),
            Err(Error::Refused(refusal)) => Ok((landing, End::Failed { refusal, in_query })),
            Err(error) => Err(error),
        }
    }

    async fn arrive(&self, caller: Caller, flow: Flow, reply: Reply, now: Time) -> Result<End> {
        let outcome = self.redeem(&flow, &reply, now).await;
        let (guest, along) = self
            .noted(outcome, &caller, None, &flow.method, now)
            .await?;
        let auth = self.clone();
        self.write(move |conn| auth.hand_over(conn, guest, flow, along, &caller, now))
            .await
    }

    /// Whom the provider vouches for, and its own tokens.
    async fn redeem(
        &self,
        flow: &Flow,
        reply: &Reply,
        now: Time,
    ) -> Result<(ExternalProfile, Metadata)> {
        if !reply.error.is_empty() || reply.code.is_empty() {
            return reject(AuthError::new(
                Kind::Forbidden,
                "bad_oauth_callback",
                "The identity provider did not sign you in",
            ));
        }
        let Some(provider) = self.providers.get(detail(flow, "provider")) else {
            return reject(AuthError::validation("Unsupported provider"));
        };
        let (nonce, verifier) = (detail(flow, "nonce"), detail(flow, "verifier"));
        let returned = provider
            .redeem(&self.callback(), &reply.code, nonce, verifier, now)
            .await
            .map_err(unproven)?;
        let along = facts(json!({
            "provider_token": returned.provider_token,
            "provider_refresh_token": returned.provider_refresh_token,
        }));
        Ok((
            ExternalProfile::of_provider(provider.id(), returned.person),
            along,
        ))
    }

    fn hand_over(
        &self,
        conn: &Connection,
        guest: ExternalProfile,
        flow: Flow,
        along: Metadata,
        caller: &Caller,
        now: Time,
    ) -> Result<End> {
        if flow.code_challenge.is_none() {
            let mut grant = self.welcome(conn, guest, &flow.method, caller, now)?;
            let text = |key: &str| along.get(key)?.as_str().map(str::to_owned);
            grant.provider_token = text("provider_token");
            grant.provider_refresh_token = text("provider_refresh_token");
            return Ok(End::Session(Box::new(grant)));
        }
        let outcome = external_identity::account_of(conn, guest, self.may_join(&flow.method), now);
        let user_id = audit::noted(conn, outcome, caller, None, &flow.method, now)?;
        let code = random_token();
        let waiting = Flow {
            user_id: Some(user_id),
            details: along,
            code_digest: Some(digest(&code)),
            expires_at: now.plus_seconds(CODE_SECONDS),
            ..flow
        };
        flows::insert(conn, &waiting, now)?;
        Ok(End::Code(code))
    }

    /// Where providers send browsers back to.
    pub fn callback(&self) -> String {
        format!("{}/callback", self.issuer())
    }
}

/// Takes a journey out by its state: whoever comes back again finds nothing.
fn take(conn: &Connection, state_digest: &str) -> Result<Option<Flow>> {
    let flow = flows::by_state(conn, state_digest)?;
    if let Some(flow) = &flow {
        flows::delete(conn, &flow.id)?;
    }
    Ok(flow.map(|flow| Flow {
        state_digest: None,
        ..flow
    }))
}

/// The refusal of a state that leads nowhere.
pub fn bad_state() -> AuthError {
    AuthError::new(
        Kind::Invalid,
        "bad_oauth_state",
        "This sign-in was not begun here, or too long ago. Please try again.",
    )
}

/// Whether this is the browser that began the journey.
fn is_of(flow: &Flow, browser: Option<&str>) -> bool {
    let Some(browser) = browser else {
        return false;
    };
    let began = detail(flow, "browser").as_bytes();
    digest(browser).as_bytes().ct_eq(began).into()
}

fn detail<'a>(flow: &'a Flow, key: &str) -> &'a str {
    let value = flow.details.get(key);
    value.and_then(Value::as_str).unwrap_or_default()
}

fn facts(value: Value) -> Metadata {
    value.as_object().cloned().unwrap_or_default()
}

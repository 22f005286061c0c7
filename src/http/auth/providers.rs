//! Signing in through an outside provider: the way there (`/authorize`, `/sso`) and the way back (`/callback`).

use std::sync::Arc;

use poem::http::header;
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::{Form, Json, Response};
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::Deserialize;

use super::browser::{Browser, cookie};
use super::error_response::Refused;
use super::redirects::{Redirect, with_code, with_failure, with_session};
use super::{Tag, given};
use crate::auth::oauth_flow::{Company, End, Reply, Traveller, bad_state};
use crate::auth::pkce::Challenge;
use crate::auth::{AuthError, Error};
use crate::http::App;
use crate::http::strict_json::StrictJson;

/// Which company's people want in, and where they go afterwards.
#[derive(Object, Deserialize)]
struct SsoRequest {
    /// Their mail domain; or
    domain: Option<String>,
    /// the provider's name in the settings.
    provider_id: Option<String>,
    /// Where the browser goes in the end.
    redirect_to: Option<String>,
    /// Answer with the address instead of redirecting there.
    skip_http_redirect: Option<bool>,
    /// PKCE.
    code_challenge: Option<String>,
    /// PKCE: `s256`.
    code_challenge_method: Option<String>,
}

/// Where to send the browser.
#[derive(Object)]
struct SsoAddress {
    /// An address at the provider.
    url: String,
}

/// The address, or the way there at once.
#[derive(ApiResponse)]
enum ToCompany {
    /// The address.
    #[oai(status = 200)]
    Address(Json<SsoAddress>),
    /// Go there.
    #[oai(status = 303)]
    SeeOther(#[oai(header = "Location")] String),
}

/// What a provider sends back by a form.
#[derive(Object, Deserialize)]
struct ReplyForm {
    /// Ours, from the beginning.
    state: Option<String>,
    /// What the person is worth.
    code: Option<String>,
    /// Why there is none.
    error: Option<String>,
}

/// Bytes of an answer that is sent on in an address: more than any provider's code, less than any browser refuses.
const LONGEST_REPLY: usize = 8 * 1024;

/// The endpoints about providers.
pub struct Providers;

#[OpenApi(tag = "Tag::Authentication")]
impl Providers {
    /// To a provider.
    ///
    /// For browsers to visit. They come back to `redirect_to` with a code (where a challenge was given) or with a session in the fragment. A cookie of five minutes
    /// binds the way to the browser that began it.
    #[oai(
        path = "/auth/v1/authorize",
        method = "get",
        operation_id = "auth_authorize"
    )]
    async fn authorize(
        &self,
        app: Data<&Arc<App>>,
        browser: Browser,
        /// The provider's name in the settings.
        provider: Query<Option<String>>,
        /// Where the browser goes in the end.
        redirect_to: Query<Option<String>>,
        /// PKCE.
        code_challenge: Query<Option<String>>,
        /// PKCE: `s256`.
        code_challenge_method: Query<Option<String>>,
    ) -> Result<Response<Redirect>, Refused> {
        let method = code_challenge_method.0.as_deref();
        let challenge = Challenge::parse(code_challenge.0.as_deref(), method)?;
        let landing = app.auth.checked_redirect(redirect_to.0.as_deref());
        let name = provider.0.unwrap_or_default();
        let (auth, value) = (&app.auth, browser.known());
        let waiting = Traveller {
            browser: &value,
            landing,
            challenge,
        };
        let url = auth.depart(&browser.from, &name, waiting).await?;
        Ok(Response::new(Redirect::SeeOther(url))
            .header(header::SET_COOKIE, cookie(&value, auth.origin())))
    }

    /// To a company's own provider.
    ///
    /// The browser that asks is the one that must come back: a cookie of five minutes binds the way to it.
    #[oai(path = "/auth/v1/sso", method = "post", operation_id = "auth_sso")]
    async fn sso(
        &self,
        app: Data<&Arc<App>>,
        browser: Browser,
        body: StrictJson<SsoRequest>,
    ) -> Result<Response<ToCompany>, Refused> {
        let body = body.0;
        let company = match (given(body.domain), given(body.provider_id)) {
            (Some(domain), None) => Company::Domain(domain),
            (None, Some(id)) => Company::Provider(id),
            _ => {
                return Err(AuthError::validation(
                    "Exactly one of domain and provider_id is required",
                )
                .into());
            }
        };
        let method = body.code_challenge_method.as_deref();
        let challenge = Challenge::parse(body.code_challenge.as_deref(), method)?;
        let landing = app.auth.checked_redirect(body.redirect_to.as_deref());
        let (auth, value) = (&app.auth, browser.known());
        let waiting = Traveller {
            browser: &value,
            landing,
            challenge,
        };
        let url = auth.authorize_sso(&browser.from, &company, waiting).await?;
        let answer = if body.skip_http_redirect == Some(true) {
            ToCompany::Address(Json(SsoAddress { url }))
        } else {
            ToCompany::SeeOther(url)
        };
        Ok(Response::new(answer).header(header::SET_COOKIE, cookie(&value, auth.origin())))
    }

    /// Back from a provider.
    #[oai(
        path = "/auth/v1/callback",
        method = "get",
        operation_id = "auth_callback"
    )]
    async fn callback(
        &self,
        app: Data<&Arc<App>>,
        browser: Browser,
        /// Ours, from the beginning.
        state: Query<Option<String>>,
        /// What the person is worth.
        code: Query<Option<String>>,
        /// Why there is none.
        error: Query<Option<String>>,
    ) -> Result<Redirect, Refused> {
        let reply = Reply {
            state: state.0.unwrap_or_default(),
            code: code.0.unwrap_or_default(),
            error: error.0.unwrap_or_default(),
        };
        land(&app, browser, reply).await
    }

    /// Back from a provider that answers by a form.
    ///
    /// The form comes from another site, so the cookie does not come with it: the browser is sent on to this address by GET, where it does.
    #[oai(
        path = "/auth/v1/callback",
        method = "post",
        operation_id = "auth_callback_form"
    )]
    async fn callback_form(
        &self,
        app: Data<&Arc<App>>,
        body: Form<ReplyForm>,
    ) -> Result<Response<Redirect>, Refused> {
        let text = |field: Option<String>| field.unwrap_or_default();
        let reply = [
            ("state", text(body.0.state)),
            ("code", text(body.0.code)),
            ("error", text(body.0.error)),
        ];
        let query = serde_urlencoded::to_string(reply)
            .map_err(|_| AuthError::validation("This is not a provider's form"))?;
        let url = if query.len() > LONGEST_REPLY {
            with_failure(&app.auth.checked_redirect(None), &bad_state(), false)
        } else {
            format!("{}?{query}", app.auth.callback())
        };
        Ok(Response::new(Redirect::SeeOther(url)).header(header::REFERRER_POLICY, "no-referrer"))
    }
}

/// Sends the browser on; there is a person behind it, so failures are told where it lands.
async fn land(app: &App, browser: Browser, reply: Reply) -> Result<Redirect, Refused> {
    let Browser { from, value } = browser;
    let url = match app.auth.handle_callback(from, value, reply).await {
        Ok((landing, End::Session(grant))) => with_session(&landing, &grant, None),
        Ok((landing, End::Code(code))) => with_code(&landing, &code),
        Ok((landing, End::Failed { refusal, in_query })) => {
            with_failure(&landing, &refusal, in_query)
        }
        Err(Error::Refused(refusal)) => {
            with_failure(&app.auth.checked_redirect(None), &refusal, false)
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Redirect::SeeOther(url))
}

//! Sign-in through external providers: the redirect there (`/authorize`, `/sso`) and back
//! (`/callback`).

use poem::http::header;
use poem_openapi::param::Query;
use poem_openapi::payload::{Form, Json, Response};
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::Deserialize;

use super::caller::{Browser, cookie};
use super::error_response::ErrorResponse;
use super::parameters::non_empty;
use super::redirects::{Redirect, with_code, with_error, with_session};
use crate::tags::Tag;
use auth::providers::authorize::{AuthorizeParams, SsoTarget};
use auth::providers::callback::{CallbackParams, FlowResult};
use auth::sign_in::pkce::CodeChallenge;
use auth::{Auth, AuthError, Error};
use http::Uses;
use http::request::strict_json::StrictJson;

/// The company to sign in at, and where to redirect afterwards.
#[derive(Object, Deserialize)]
struct SsoRequest {
    /// The company's email domain; or
    domain: Option<String>,
    /// the provider's name in the settings.
    provider_id: Option<String>,
    /// The final redirect of the browser.
    redirect_to: Option<String>,
    /// Return the URL instead of a redirect.
    skip_http_redirect: Option<bool>,
    /// PKCE.
    code_challenge: Option<String>,
    /// PKCE: `s256`.
    code_challenge_method: Option<String>,
}

/// The redirect's target.
#[derive(Object)]
#[oai(rename = "SsoAddress")]
struct SsoUrl {
    /// A URL at the provider.
    url: String,
}

/// The URL, or a redirect to it.
#[derive(ApiResponse)]
enum SsoResponse {
    /// The URL.
    #[oai(status = 200)]
    Url(Json<SsoUrl>),
    /// A redirect.
    #[oai(status = 303)]
    SeeOther(#[oai(header = "Location")] String),
}

/// The provider's response as a form.
#[derive(Object, Deserialize)]
struct ReplyForm {
    /// The state of the request.
    state: Option<String>,
    /// The authorization code.
    code: Option<String>,
    /// The error, if there is no code.
    error: Option<String>,
}

/// Maximum length of a response's query, in bytes: longer than any provider's code, shorter than
/// any browser's limit.
const MAX_REPLY_BYTES: usize = 8 * 1024;

/// The endpoints of providers.
pub struct Providers;

#[OpenApi(prefix_path = "/auth/v1", tag = "Tag::Authentication")]
impl Providers {
    /// Redirect to a provider.
    ///
    /// For browsers. They return to `redirect_to` with a code (if a challenge was given) or with a
    /// session in the fragment. A cookie of five minutes binds the sign-in to the browser that
    /// started it.
    #[oai(path = "/authorize", method = "get", operation_id = "auth_authorize")]
    async fn authorize(
        &self,
        auth: Uses<&Auth>,
        browser: Browser,
        /// The provider's name in the settings.
        provider: Query<Option<String>>,
        /// The final redirect of the browser.
        redirect_to: Query<Option<String>>,
        /// PKCE.
        code_challenge: Query<Option<String>>,
        /// PKCE: `s256`.
        code_challenge_method: Query<Option<String>>,
    ) -> Result<Response<Redirect>, ErrorResponse> {
        let (challenge, method) = (code_challenge.0, code_challenge_method.0);
        let (start, cookie) = begin(&auth, &browser, redirect_to.0, challenge, method)?;
        let name = provider.0.unwrap_or_default();
        let url = auth.authorize(&browser.from, &name, start).await?;
        Ok(Response::new(Redirect::SeeOther(url)).header(header::SET_COOKIE, cookie))
    }

    /// Redirect to a company's own provider.
    ///
    /// A cookie of five minutes binds the sign-in to the browser that started it.
    #[oai(path = "/sso", method = "post", operation_id = "auth_sso")]
    async fn sso(
        &self,
        auth: Uses<&Auth>,
        browser: Browser,
        body: StrictJson<SsoRequest>,
    ) -> Result<Response<SsoResponse>, ErrorResponse> {
        let body = body.0;
        let company = match (non_empty(body.domain), non_empty(body.provider_id)) {
            (Some(domain), None) => SsoTarget::Domain(domain),
            (None, Some(id)) => SsoTarget::Provider(id),
            _ => {
                return Err(AuthError::validation(
                    "Exactly one of domain and provider_id is required",
                )
                .into());
            }
        };
        let (challenge, method) = (body.code_challenge, body.code_challenge_method);
        let (start, cookie) = begin(&auth, &browser, body.redirect_to, challenge, method)?;
        let url = auth.authorize_sso(&browser.from, &company, start).await?;
        let response = if body.skip_http_redirect == Some(true) {
            SsoResponse::Url(Json(SsoUrl { url }))
        } else {
            SsoResponse::SeeOther(url)
        };
        Ok(Response::new(response).header(header::SET_COOKIE, cookie))
    }

    /// Return from a provider.
    #[oai(path = "/callback", method = "get", operation_id = "auth_callback")]
    async fn callback(
        &self,
        auth: Uses<&Auth>,
        browser: Browser,
        /// The state of the request.
        state: Query<Option<String>>,
        /// The authorization code.
        code: Query<Option<String>>,
        /// The error, if there is no code.
        error: Query<Option<String>>,
    ) -> Result<Redirect, ErrorResponse> {
        let reply = CallbackParams {
            state: state.0.unwrap_or_default(),
            code: code.0.unwrap_or_default(),
            error: error.0.unwrap_or_default(),
        };
        complete(&auth, browser, reply).await
    }

    /// Return from a provider that posts a form.
    ///
    /// The form comes from another site, so the browser does not send the cookie. The response
    /// redirects to the same path by GET, which does include the cookie.
    #[oai(
        path = "/callback",
        method = "post",
        operation_id = "auth_callback_form"
    )]
    async fn callback_form(
        &self,
        auth: Uses<&Auth>,
        body: Form<ReplyForm>,
    ) -> Result<Response<Redirect>, ErrorResponse> {
        let text = |field: Option<String>| field.unwrap_or_default();
        let reply = [
            ("state", text(body.0.state)),
            ("code", text(body.0.code)),
            ("error", text(body.0.error)),
        ];
        let query = serde_urlencoded::to_string(reply)
            .map_err(|_| AuthError::validation("This is not a provider's form"))?;
        let url = if query.len() > MAX_REPLY_BYTES {
            with_error(
                &auth.checked_redirect(None),
                &AuthError::BAD_OAUTH_STATE,
                false,
            )
        } else {
            format!("{}?{query}", auth.urls.callback)
        };
        Ok(Response::new(Redirect::SeeOther(url)).header(header::REFERRER_POLICY, "no-referrer"))
    }
}

/// What a sign-in begins with, and the cookie that binds it to the browser.
fn begin(
    auth: &Auth,
    browser: &Browser,
    redirect_to: Option<String>,
    challenge: Option<String>,
    method: Option<String>,
) -> Result<(AuthorizeParams, String), ErrorResponse> {
    let browser_id = browser.value_or_new();
    let cookie = cookie(&browser_id, &auth.urls.origin);
    let start = AuthorizeParams {
        browser_id,
        redirect_to: auth.checked_redirect(redirect_to.as_deref()),
        challenge: CodeChallenge::parse(challenge.as_deref(), method.as_deref())?,
    };
    Ok((start, cookie))
}

/// Completes the sign-in and redirects the browser, also after errors, because a person is waiting
/// there.
async fn complete(
    auth: &Auth,
    browser: Browser,
    reply: CallbackParams,
) -> Result<Redirect, ErrorResponse> {
    let Browser { from, value } = browser;
    let url = match auth.handle_callback(from, value, reply).await {
        Ok(flow) => match flow.result {
            FlowResult::Session(grant) => with_session(&flow.redirect_to, &grant, None),
            FlowResult::Code(code) => with_code(&flow.redirect_to, &code),
            FlowResult::Failed { error, in_query } => {
                with_error(&flow.redirect_to, &error, in_query)
            }
        },
        Err(Error::Rejected(error)) => with_error(&auth.checked_redirect(None), &error, false),
        Err(error) => return Err(error.into()),
    };
    Ok(Redirect::SeeOther(url))
}

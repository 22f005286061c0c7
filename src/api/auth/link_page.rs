//! The page opened by an email's link. Opening it does not use the token, so link scanners do no
//! harm; its button posts to the same site, and only same-site posts are accepted.

use std::fmt::Write;

use poem::Body;
use poem::http::{HeaderMap, header};
use poem_openapi::OpenApi;
use poem_openapi::payload::{Binary, Html, PlainText, Response};
use serde::Deserialize;

use super::caller::Caller;
use super::error_response::ErrorResponse;
use super::middleware::CONFIRM;
use super::redirects::{Redirect, with_code, with_error, with_session};
use crate::tags::Tag;
use auth::sign_in::email_tokens::PKCE_PREFIX;
use auth::sign_in::redirect::with_fragment;
use auth::sign_in::verify::{LinkResult, VerifyType};
use auth::{self, Auth, AuthError, ClientInfo, Error};
use http::Uses;
use http::request::body::{Bodies, read};
use http::request::client_address::Client;
use http::request::same_site::same_site;
use site::placeholders::escape_html;

/// The message after the first of two confirmations of an address change.
pub const HALF_CONFIRMED: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";
/// Maximum length of the page's form, in bytes.
const MAX_FORM_BYTES: usize = 8 * 1024;

/// The page's form, filled from the link's query.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct ConfirmForm {
    /// The link's token.
    pub token: String,
    /// The link's purpose.
    #[serde(rename = "type")]
    pub kind: String,
    /// The final redirect.
    pub redirect_to: String,
}

/// The page with its own security headers.
pub fn response(auth: &Auth, company: &str, form: &ConfirmForm) -> Response<Html<String>> {
    Response::new(Html(page(company, form)))
        .header(
            header::CONTENT_SECURITY_POLICY,
            content_security_policy(&auth.urls.origin, &form.redirect_to),
        )
        // The URL contains the token, so other sites must not see it. `no-referrer` would make the
        // browser send `Origin: null` with the page's own form, which is rejected.
        .header(header::REFERRER_POLICY, "same-origin")
        .header("x-robots-tag", "noindex")
}

/// The endpoints of the link page.
pub struct LinkPages;

#[OpenApi(prefix_path = "/auth/v1/verify", tag = "Tag::Authentication")]
impl LinkPages {
    /// The page's stylesheet. Not an API call, so it is not documented.
    #[oai(
        path = "/page.css",
        method = "get",
        operation_id = "auth_verify_style",
        hidden = true
    )]
    async fn style(&self) -> Response<PlainText<&'static str>> {
        Response::new(PlainText(include_str!("verify.css")))
            .header(header::CONTENT_TYPE, "text/css; charset=utf-8")
            .header(header::CACHE_CONTROL, "public, max-age=86400")
    }

    /// Submit the page's form.
    ///
    /// Takes the page's own form (`application/x-www-form-urlencoded`: token, type, redirect_to),
    /// from the page's own origin.
    #[oai(
        path = "/confirm",
        method = "post",
        operation_id = "auth_verify_confirm"
    )]
    async fn confirm(
        &self,
        auth: Uses<&Auth>,
        bodies: Uses<&Bodies>,
        Caller(caller): Caller,
        client: Client,
        headers: &HeaderMap,
        body: Binary<Body>,
    ) -> Result<Response<Redirect>, ErrorResponse> {
        if !same_site(headers, &auth.urls.origin) {
            return Err(AuthError::BAD_ORIGIN.into());
        }
        let mut lease = bodies.lease(client.address);
        let bytes = read(headers, body.0, MAX_FORM_BYTES, bodies.timeout, &mut lease)
            .await
            .map_err(|_| AuthError::validation("The form is too long or too slow"))?;
        let form: ConfirmForm = serde_urlencoded::from_bytes(&bytes)
            .map_err(|_| AuthError::validation("This is not the form of the page"))?;
        let target = auth.checked_redirect(Some(&form.redirect_to));
        let url = match follow(&auth, caller, &form).await {
            Ok(LinkResult::SignedIn(grant)) => with_session(&target, &grant, Some(&form.kind)),
            Ok(LinkResult::Code(code)) => with_code(&target, &code),
            Ok(LinkResult::OneSideConfirmed) => {
                with_fragment(&target, &[("message", HALF_CONFIRMED), ("sb", "")])
            }
            // A browser that waits for a code reads the query.
            Err(Error::Rejected(error)) => {
                with_error(&target, &error, form.token.starts_with(PKCE_PREFIX))
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Response::new(Redirect::SeeOther(url)).header(header::REFERRER_POLICY, "no-referrer"))
    }
}

async fn follow(auth: &Auth, caller: ClientInfo, form: &ConfirmForm) -> auth::Result<LinkResult> {
    let kind = VerifyType::parse(&form.kind)?;
    auth.follow_link(caller, kind, form.token.clone()).await
}

/// The page's Content Security Policy. Browsers apply `form-action` to a form's redirect too, so an
/// allowed redirect to another origin has to be listed.
fn content_security_policy(origin: &str, redirect_to: &str) -> String {
    let target = reqwest::Url::parse(redirect_to)
        .map(|url| url.origin().ascii_serialization())
        .unwrap_or_default();
    let other = if target == origin {
        String::new()
    } else {
        format!(" {target}")
    };
    format!(
        "default-src 'none'; style-src 'self'; form-action 'self'{other}; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}

fn page(company: &str, form: &ConfirmForm) -> String {
    let (heading, button) = match form.kind.as_str() {
        "invite" => ("Accept the invitation", "Accept"),
        "recovery" => ("Choose a new password", "Choose a new password"),
        "magiclink" => ("Sign in", "Sign in"),
        "email_change" => ("Confirm the change of address", "Confirm"),
        _ => ("Confirm your email address", "Confirm"),
    };
    let hint = if form.kind == "invite" {
        "If you do not know why you are invited, close this page: nothing has happened."
    } else {
        "If you did not ask for this, close this page: nothing has happened."
    };
    let mut fields = String::new();
    for (name, value) in [
        ("token", &form.token),
        ("type", &form.kind),
        ("redirect_to", &form.redirect_to),
    ] {
        let value = escape_html(value);
        // Writing to a String cannot fail.
        let _ = write!(
            fields,
            r#"<input type="hidden" name="{name}" value="{value}">"#
        );
    }
    let company = escape_html(company);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{heading} – {company}</title>\n\
         <link rel=\"stylesheet\" href=\"/auth/v1/verify/page.css\">\n</head>\n<body>\n<main>\n\
         <p class=\"company\">{company}</p>\n\
         <h1>{heading}</h1>\n<form method=\"post\" action=\"{CONFIRM}\">{fields}\
         <button type=\"submit\">{button}</button></form>\n\
         <p>{hint}</p>\n</main>\n</body>\n</html>\n"
    )
}

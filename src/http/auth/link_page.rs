//! The page that a mail's link opens. Opening it uses nothing up, so that programs which follow every link in a mail do no harm; its button posts to ourselves,
//! and only from ourselves.

use std::fmt::Write;
use std::sync::Arc;

use poem::Body;
use poem::http::{HeaderMap, header};
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::payload::{Binary, Html, PlainText, Response};
use serde::Deserialize;

use super::Tag;
use super::caller::Caller;
use super::error_response::Refused;
use super::middleware::CONFIRM;
use super::redirects::{Redirect, with_code, with_failure, with_session};
use super::verify::HALF;
use crate::auth::email_tokens::PKCE_PREFIX;
use crate::auth::redirect::with_fragment;
use crate::auth::verify::{Followed, VerifyType};
use crate::auth::{self, Auth, AuthError, Error, Kind};
use crate::http::App;
use crate::http::body::{read, same_site};
use crate::http::client_address::{Client, network};

/// The longest form we post to ourselves.
const FORM: usize = 8 * 1024;

/// What the page's form posts, and what the link has brought for it.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct ConfirmForm {
    /// The token of the link.
    pub token: String,
    /// What the link is for.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it leads in the end.
    pub redirect_to: String,
}

/// The page, with all that a browser has to know of it.
pub fn open(app: &App, pressed: &ConfirmForm) -> Response<Html<String>> {
    Response::new(Html(page(&app.company.name, pressed)))
        .header(
            header::CONTENT_SECURITY_POLICY,
            policy(app.auth.origin(), &pressed.redirect_to),
        )
        // The address holds the token, so no other site hears it. With `no-referrer` the browser
        // would send `Origin: null` with the page's own form, which is refused.
        .header(header::REFERRER_POLICY, "same-origin")
        .header("x-robots-tag", "noindex")
}

/// The endpoints behind a link's page.
pub struct LinkPages;

#[OpenApi(tag = "Tag::Authentication")]
impl LinkPages {
    /// The look of that page. Not a call of the API, so not described.
    #[oai(
        path = "/auth/v1/verify/page.css",
        method = "get",
        operation_id = "auth_verify_style",
        hidden = true
    )]
    async fn style(&self) -> Response<PlainText<&'static str>> {
        Response::new(PlainText(include_str!("verify.css")))
            .header(header::CONTENT_TYPE, "text/css; charset=utf-8")
            .header(header::CACHE_CONTROL, "public, max-age=86400")
    }

    /// The button of that page.
    ///
    /// Takes the page's own form (`application/x-www-form-urlencoded`: token, type, redirect_to), from the page's own origin.
    #[oai(
        path = "/auth/v1/verify/confirm",
        method = "post",
        operation_id = "auth_verify_confirm"
    )]
    async fn confirm(
        &self,
        app: Data<&Arc<App>>,
        caller: Caller,
        client: Client,
        headers: &HeaderMap,
        body: Binary<Body>,
    ) -> Result<Response<Redirect>, Refused> {
        if !same_site(headers, app.auth.origin()) {
            return Err(AuthError::new(
                Kind::Forbidden,
                "bad_origin",
                "This request comes from another site",
            )
            .into());
        }
        let patience = std::time::Duration::from_secs(app.server.body_seconds.into());
        let mut lease = app.bodies.lease(network(client.address));
        let bytes = read(headers, body.0, FORM, patience, &mut lease)
            .await
            .map_err(|_| AuthError::validation("The form is too long or too slow"))?;
        let pressed: ConfirmForm = serde_urlencoded::from_bytes(&bytes)
            .map_err(|_| AuthError::validation("This is not the form of the page"))?;
        let landing = app.auth.checked_redirect(Some(&pressed.redirect_to));
        let url = match follow(&app.auth, caller.0, &pressed).await {
            Ok(Followed::In(grant)) => with_session(&landing, &grant, Some(&pressed.kind)),
            Ok(Followed::Code(code)) => with_code(&landing, &code),
            Ok(Followed::Half) => with_fragment(&landing, &[("message", HALF), ("sb", "")]),
            // A browser that waits for a code looks into the query.
            Err(Error::Refused(refusal)) => {
                with_failure(&landing, &refusal, pressed.token.starts_with(PKCE_PREFIX))
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Response::new(Redirect::SeeOther(url)).header(header::REFERRER_POLICY, "no-referrer"))
    }
}

async fn follow(
    auth: &Auth,
    caller: auth::Caller,
    pressed: &ConfirmForm,
) -> auth::Result<Followed> {
    let kind = VerifyType::parse(&pressed.kind)?;
    auth.follow_link(caller, kind, pressed.token.clone()).await
}

/// A form's redirect counts as a form target for browsers, so a listed address has to be named.
fn policy(origin: &str, redirect_to: &str) -> String {
    let target = reqwest::Url::parse(redirect_to)
        .map(|url| url.origin().ascii_serialization())
        .unwrap_or_default();
    let other = if target == origin {
        String::new()
    } else {
        format!(" {target}")
    };
    format!(
        "default-src 'none'; style-src 'self'; form-action 'self'{other}; base-uri 'none'; frame-ancestors 'none'"
    )
}

fn page(company: &str, pressed: &ConfirmForm) -> String {
    let (heading, button) = match pressed.kind.as_str() {
        "invite" => ("Accept the invitation", "Accept"),
        "recovery" => ("Choose a new password", "Choose a new password"),
        "magiclink" => ("Sign in", "Sign in"),
        "email_change" => ("Confirm the change of address", "Confirm"),
        _ => ("Confirm your e-mail address", "Confirm"),
    };
    let otherwise = if pressed.kind == "invite" {
        "If you do not know why you are invited, close this page: nothing has happened."
    } else {
        "If you did not ask for this, close this page: nothing has happened."
    };
    let mut fields = String::new();
    for (name, value) in [
        ("token", &pressed.token),
        ("type", &pressed.kind),
        ("redirect_to", &pressed.redirect_to),
    ] {
        let value = escape(value);
        // Writing to a String cannot fail.
        let _ = write!(
            fields,
            r#"<input type="hidden" name="{name}" value="{value}">"#
        );
    }
    let company = escape(company);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{heading} – {company}</title>\n<link rel=\"stylesheet\" href=\"/auth/v1/verify/page.css\">\n</head>\n<body>\n<main>\n<p class=\"company\">{company}</p>\n\
         <h1>{heading}</h1>\n<form method=\"post\" action=\"{CONFIRM}\">{fields}<button type=\"submit\">{button}</button></form>\n\
         <p>{otherwise}</p>\n</main>\n</body>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

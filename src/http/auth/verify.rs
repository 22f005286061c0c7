//! `/verify`: codes typed into a program, and the page that a mail's link opens. Opening it uses nothing up, so that programs which follow every link in a mail do
//! no harm; its button posts to ourselves, and only from ourselves.

use std::fmt::Write;
use std::sync::Arc;

use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Body, IntoResponse, Response};
use poem_openapi::param::Query;
use poem_openapi::payload::{Binary, Html, Json, PlainText};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::Deserialize;

use super::caller::Caller;
use super::objects::Session;
use super::refusal::{CONFIRM, Refused};
use super::{Tag, address, given};
use crate::auth::redirect::{with_fragment, with_query};
use crate::auth::session::Grant;
use crate::auth::verify::{Followed, Verified, VerifyType, as_told};
use crate::auth::{Kind, Refusal};
use crate::http::App;
use crate::http::body::{read, same_site};
use crate::http::strict::Strict;

/// What both halves of a change of address are told.
const HALF: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";
/// The longest form we post to ourselves.
const FORM: usize = 8 * 1024;

/// A code with its address, or a link's token.
#[derive(Object, Deserialize)]
struct VerifyRequest {
    /// `signup`, `invite`, `recovery`, `magiclink`, `email` or `email_change`.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    kind: Option<String>,
    /// The address that the code was sent to.
    email: Option<String>,
    /// Phones are not served.
    phone: Option<String>,
    /// The code.
    token: Option<String>,
    /// The token of a link, in the place of address and code.
    token_hash: Option<String>,
}

/// One half of a change of address is agreed to.
#[derive(Object)]
struct HalfDone {
    /// For people.
    msg: String,
    /// `200`.
    code: String,
}

/// A session, or half a change of address.
enum VerifyAnswer {
    Session(Box<Json<Session>>),
    Half(Json<HalfDone>),
}

impl IntoResponse for VerifyAnswer {
    fn into_response(self) -> Response {
        match self {
            Self::Session(session) => session.into_response(),
            Self::Half(half) => half.into_response(),
        }
    }
}

impl ApiResponse for VerifyAnswer {
    fn meta() -> MetaResponses {
        Json::<Session>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<Session> as ApiResponse>::register(registry);
    }
}

/// Off to where the link leads.
struct SeeOther(Response);

impl IntoResponse for SeeOther {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for SeeOther {
    fn meta() -> MetaResponses {
        #[derive(ApiResponse)]
        enum Described {
            /// To the address the link leads to, with the session in its fragment, a code in its query, or what went wrong.
            #[oai(status = 303)]
            #[expect(dead_code, reason = "for the description alone")]
            Elsewhere,
        }
        Described::meta()
    }

    fn register(_: &mut Registry) {}
}

/// What the page's form posts.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Pressed {
    token: String,
    #[serde(rename = "type")]
    kind: String,
    redirect_to: String,
}

/// The endpoints of codes and links.
pub struct Verification;

#[OpenApi(tag = "Tag::Authentication")]
impl Verification {
    /// Take a code, or the token of a link.
    ///
    /// Exactly one of `email` with `token`, or `token_hash`. The first half of a change of address answers `{"msg", "code": "200"}` instead of a session.
    #[oai(
        path = "/auth/v1/verify",
        method = "post",
        operation_id = "auth_verify"
    )]
    async fn verify(
        &self,
        app: Data<&Arc<App>>,
        caller: Caller,
        body: Strict<VerifyRequest>,
    ) -> Result<VerifyAnswer, Refused> {
        let body = body.0;
        let kind = VerifyType::parse(body.kind.as_deref().unwrap_or_default())?;
        let auth = &app.auth;
        let (email, phone) = (given(body.email), given(body.phone));
        let verified = match (email, phone, given(body.token), given(body.token_hash)) {
            (None, None, None, Some(hash)) => auth.verify_hash(caller.0, kind, hash).await?,
            (Some(email), None, Some(code), None) => {
                auth.verify_code(caller.0, kind, address(&email)?, code)
                    .await?
            }
            (None, Some(_), Some(_), None) => return Err(Refusal::phone().into()),
            _ => {
                return Err(Refusal::validation(
                    "Verify requires either an email and a token, or a token_hash alone",
                )
                .into());
            }
        };
        Ok(match verified {
            Verified::In(grant) => VerifyAnswer::Session(Box::new(Json((*grant).into()))),
            Verified::Half => VerifyAnswer::Half(Json(HalfDone {
                msg: HALF.to_owned(),
                code: "200".to_owned(),
            })),
        })
    }

    /// The page that a mail's link opens.
    ///
    /// It changes nothing; its button posts the same values to `/auth/v1/verify/confirm`.
    #[oai(
        path = "/auth/v1/verify",
        method = "get",
        operation_id = "auth_verify_page"
    )]
    async fn page(
        &self,
        app: Data<&Arc<App>>,
        /// The token of the link.
        token: Query<Option<String>>,
        /// What the link is for.
        #[oai(name = "type")]
        kind: Query<Option<String>>,
        /// Where it leads in the end.
        redirect_to: Query<Option<String>>,
    ) -> poem_openapi::payload::Response<Html<String>> {
        let pressed = Pressed {
            token: token.0.unwrap_or_default(),
            kind: kind.0.unwrap_or_default(),
            redirect_to: app.auth.checked_redirect(redirect_to.0.as_deref()),
        };
        let page = Html(page(&app.company.name, &pressed));
        poem_openapi::payload::Response::new(page)
            .header(
                header::CONTENT_SECURITY_POLICY,
                policy(app.auth.origin(), &pressed.redirect_to),
            )
            .header(header::REFERRER_POLICY, "no-referrer")
            .header("x-robots-tag", "noindex")
    }

    /// The look of that page.
    #[oai(
        path = "/auth/v1/verify/page.css",
        method = "get",
        operation_id = "auth_verify_style"
    )]
    async fn style(&self) -> poem_openapi::payload::Response<PlainText<&'static str>> {
        poem_openapi::payload::Response::new(PlainText(include_str!("verify.css")))
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
        headers: &HeaderMap,
        body: Binary<Body>,
    ) -> Result<SeeOther, Refused> {
        if !same_site(headers, app.auth.origin()) {
            return Err(Refusal::new(
                Kind::Forbidden,
                "bad_origin",
                "This request comes from another site",
            )
            .into());
        }
        let patience = std::time::Duration::from_secs(app.server.body_seconds.into());
        let bytes = read(headers, body.0, FORM, patience)
            .await
            .map_err(|_| Refusal::validation("The form is too long or too slow"))?;
        let pressed: Pressed = serde_urlencoded::from_bytes(&bytes)
            .map_err(|_| Refusal::validation("This is not the form of the page"))?;
        let target = app.auth.checked_redirect(Some(&pressed.redirect_to));
        let kind = match VerifyType::parse(&pressed.kind) {
            Ok(kind) => kind,
            Err(_) => {
                return Ok(refused(
                    &target,
                    &pressed.token,
                    "validation_failed",
                    "Unknown type",
                ));
            }
        };
        let followed = app
            .auth
            .follow_link(caller.0, kind, pressed.token.clone())
            .await;
        match followed {
            Ok(Followed::In(grant)) => Ok(see_other(signed_in(&target, &grant, &pressed.kind))),
            Ok(Followed::Code(code)) => Ok(see_other(with_query(&target, &[("code", &code)]))),
            Ok(Followed::Half) => Ok(see_other(with_fragment(
                &target,
                &[("message", HALF), ("sb", "")],
            ))),
            Err(error) => match as_told(&error) {
                Some((code, why)) => Ok(refused(&target, &pressed.token, code, &why)),
                None => Err(error.into()),
            },
        }
    }
}

fn signed_in(target: &str, grant: &Grant, kind: &str) -> String {
    with_fragment(
        target,
        &[
            ("access_token", &grant.access_token),
            ("expires_at", &grant.expires_at.to_string()),
            ("expires_in", &grant.expires_in.to_string()),
            ("refresh_token", &grant.refresh_token),
            ("token_type", "bearer"),
            ("type", kind),
            ("sb", ""),
        ],
    )
}

/// A browser that waits for a code reads the query; the others read the fragment.
fn refused(target: &str, token: &str, code: &str, why: &str) -> SeeOther {
    let told = [
        ("error", "access_denied"),
        ("error_code", code),
        ("error_description", why),
    ];
    let target = if token.starts_with(crate::auth::links::PKCE_PREFIX) {
        with_query(target, &told)
    } else {
        target.to_owned()
    };
    let [error, error_code, description] = told;
    see_other(with_fragment(
        &target,
        &[error, error_code, description, ("sb", "")],
    ))
}

fn see_other(location: String) -> SeeOther {
    let mut response = Response::builder().status(StatusCode::SEE_OTHER).finish();
    let headers = response.headers_mut();
    // Written by a URL serializer: always ASCII.
    if let Ok(location) = HeaderValue::from_str(&location) {
        headers.insert(header::LOCATION, location);
    }
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    SeeOther(response)
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

fn page(company: &str, pressed: &Pressed) -> String {
    let (heading, button) = match pressed.kind.as_str() {
        "invite" => ("Accept the invitation", "Accept"),
        "recovery" => ("Choose a new password", "Go on"),
        "magiclink" => ("Sign in", "Sign in"),
        "email_change" => ("Confirm the change of address", "Confirm"),
        _ => ("Confirm your e-mail address", "Confirm"),
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
         <p>If you did not ask for this, close this page: nothing has happened.</p>\n</main>\n</body>\n</html>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

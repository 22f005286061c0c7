//! Binds a sign-in at a provider to the browser that started it, by a cookie (RFC 6749, section
//! 10.12). Without it, an attacker could complete their own sign-in in another user's browser. The
//! cookie is `Lax`: it is sent when the provider redirects here, but not when another site posts a
//! form.

use poem::http::{HeaderMap, header};
use poem::{Request, RequestBody};

use super::error_response::ErrorResponse;
use crate::bearer::{bearer_extractor, identify};
use auth::keys::secrets::random_token;
use auth::sign_in::pkce::CODE_SECONDS;
use auth::{ClientInfo, SignedInUser};
use http::AppState;
use http::request::client_address::Client;
use http::request::permissions::ADMIN;

const NAME: &str = "guardpost-sign-in";
/// `__Host-`: no other host of the domain can set it (RFC 6265bis, section 4.1.3.2).
const SECURE_NAME: &str = "__Host-guardpost-sign-in";
/// Length of the value: 32 bytes in base64url.
const VALUE_LENGTH: usize = 43;

/// The browser behind a request.
pub struct Browser {
    /// The client and its user agent.
    pub from: ClientInfo,
    /// The cookie's value, if any.
    pub value: Option<String>,
}

impl<'a> poem::FromRequest<'a> for Browser {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        let Caller(from) = <Caller as poem::FromRequest>::from_request(request, body).await?;
        let name = name(&AppState::of(request)?.auth.urls.origin);
        Ok(Self {
            from,
            value: read_cookie(request.headers(), name),
        })
    }
}

impl Browser {
    /// The value for the sign-in that starts now. An existing value is reused, because sign-ins may
    /// run in several tabs.
    pub fn value_or_new(&self) -> String {
        self.value.clone().unwrap_or_else(random_token)
    }
}

/// The `Set-Cookie` header for a site at `origin`; the cookie lasts as long as a sign-in may take.
pub fn cookie(value: &str, origin: &str) -> String {
    let name = name(origin);
    let attributes = if name == SECURE_NAME {
        "Path=/; Secure"
    } else {
        "Path=/auth/v1"
    };
    format!("{name}={value}; {attributes}; Max-Age={CODE_SECONDS}; HttpOnly; SameSite=Lax")
}

fn name(origin: &str) -> &'static str {
    if origin.starts_with("https://") {
        SECURE_NAME
    } else {
        NAME
    }
}

fn read_cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter();
    let mut pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let ours = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    pairs
        .find(|(key, value)| *key == name && value.len() == VALUE_LENGTH && value.bytes().all(ours))
        .map(|(_, value)| value.to_owned())
}

/// The client of a request.
pub struct Caller(pub ClientInfo);

impl<'a> poem::FromRequest<'a> for Caller {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        let client = <Client as poem::FromRequest>::from_request(request, body).await?;
        Ok(Self(ClientInfo {
            client: client.key,
            site: client.site,
            user_agent: request
                .headers()
                .get(header::USER_AGENT)
                .and_then(|value| value.to_str().ok())
                .map(ToOwned::to_owned),
        }))
    }
}

/// The bearer of a valid access token.
pub struct Bearer(pub SignedInUser);

/// A bearer who is an admin (contract section 3, "Which bearer for the admin endpoints").
pub struct AdminBearer(pub SignedInUser);

bearer_extractor!(Bearer, async |request: &'a Request| {
    Ok(Bearer(
        identify(request).await.map_err(ErrorResponse::from)?,
    ))
});
bearer_extractor!(AdminBearer, async |request: &'a Request| {
    let caller = identify(request).await.map_err(ErrorResponse::from)?;
    let admin = AppState::of(request)?.auth.require_role(&caller, ADMIN);
    admin.map_err(ErrorResponse::from)?;
    Ok(AdminBearer(caller))
});

#[cfg(test)]
mod tests {
    use poem::http::{HeaderMap, HeaderValue, header};

    use super::{cookie, name, read_cookie};

    #[test]
    fn over_https_no_other_host_can_have_set_the_cookie() {
        let value = "v".repeat(43);
        assert_eq!(
            cookie(&value, "https://guard.example"),
            format!(
                "__Host-guardpost-sign-in={value}; Path=/; Secure; Max-Age=300; HttpOnly; \
                 SameSite=Lax"
            )
        );
        assert_eq!(
            cookie(&value, "http://127.0.0.1:8080"),
            format!(
                "guardpost-sign-in={value}; Path=/auth/v1; Max-Age=300; HttpOnly; SameSite=Lax"
            )
        );
    }

    #[test]
    fn only_a_whole_value_under_our_name_is_read() {
        let value = "v".repeat(43);
        for (line, found) in [
            (format!("guardpost-sign-in={value}"), true),
            (format!("a=b; guardpost-sign-in={value}; c=d"), true),
            (
                format!("guardpost-sign-in=short; guardpost-sign-in={value}"),
                true,
            ),
            (format!("other-guardpost-sign-in={value}"), false),
            (format!("__Host-guardpost-sign-in={value}"), false),
            (format!("guardpost-sign-in={value}v"), false),
            (format!("guardpost-sign-in={}!", "v".repeat(42)), false),
            (String::new(), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::try_from(&line).unwrap());
            let value = read_cookie(&headers, name("http://localhost:8080"));
            assert_eq!(value.is_some(), found, "{line}");
        }
    }
}

//! Bearer authentication: reads the access token of a request, and makes extractors that need one.

use poem::Request;
use poem::http::header;
use poem_openapi::registry::{MetaSecurityScheme, Registry};

use auth::{AuthError, SignedInUser};
use http::AppState;

/// The name of the security scheme in the API description.
pub const SCHEME: &str = "access_token";

/// Describes how a call is authorized.
pub fn register_scheme(registry: &mut Registry) {
    registry.create_security_scheme(
        SCHEME,
        MetaSecurityScheme {
            ty: "http",
            description: Some("An access token of the authentication service (PASETO v4.public)."),
            name: None,
            key_in: None,
            scheme: Some("bearer"),
            bearer_format: Some("PASETO"),
            flows: None,
            openid_connect_url: None,
        },
    );
}

/// Defines an extractor based on the request's access token; the closure reads the request.
macro_rules! bearer_extractor {
    ($name:ident $(<$part:ident>)?, $extract:expr) => {
        impl<'a $(, $part: http::Part<'a>)?> poem_openapi::ApiExtractor<'a> for $name $(<$part>)? {
            const TYPES: &'static [poem_openapi::ApiExtractorType] =
                &[poem_openapi::ApiExtractorType::SecurityScheme];
            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut poem_openapi::registry::Registry) {
                $crate::bearer::register_scheme(registry);
            }

            fn security_schemes() -> Vec<&'static str> {
                vec![$crate::bearer::SCHEME]
            }

            async fn from_request(
                request: &'a poem::Request,
                _: &mut poem::RequestBody,
                _: poem_openapi::ExtractParamOptions<()>,
            ) -> poem::Result<Self> {
                let extract = $extract;
                extract(request).await
            }
        }
    };
}

pub(crate) use bearer_extractor;

/// The user of the access token in `request`. Errors: `no_authorization`, or the error of
/// `authenticate`.
pub async fn identify(request: &Request) -> auth::Result<SignedInUser> {
    let token = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim());
    let (Some(token), Ok(app)) = (token, AppState::of(request)) else {
        return auth::error::reject(AuthError::NO_AUTHORIZATION);
    };
    app.auth.authenticate(token).await
}

//! The error responses of each group of calls, for the OpenAPI document.

use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::{ApiResponse, types::Type};

use super::problem::Problem;

/// Defines a wrapper of `Problem` that documents these statuses.
macro_rules! error_response {
    ($(#[$doc:meta])* $name:ident: $($status:literal $description:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name(Problem);

        impl<E: Into<Problem>> From<E> for $name {
            fn from(error: E) -> Self {
                Self(error.into())
            }
        }

        impl From<$name> for poem::Error {
            fn from(error_response: $name) -> Self {
                error_response.0.into()
            }
        }

        impl ApiResponse for $name {
            fn meta() -> MetaResponses {
                MetaResponses { responses: vec![$(response($status, $description)),+] }
            }

            fn register(registry: &mut Registry) {
                Problem::register(registry);
            }
        }
    };
}

fn response(status: u16, description: &'static str) -> MetaResponse {
    let retry_after = MetaHeader {
        name: "Retry-After".to_owned(),
        description: Some("Seconds until it is worth trying again.".to_owned()),
        required: true,
        deprecated: false,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("integer"))),
    };
    MetaResponse {
        description,
        status: Some(status),
        status_range: None,
        content: vec![MetaMediaType {
            content_type: "application/problem+json",
            schema: Json::<Problem>::schema_ref(),
        }],
        headers: if matches!(status, 429 | 503) {
            vec![retry_after]
        } else {
            Vec::new()
        },
    }
}

error_response! {
    /// Errors of a form's post.
    FormError:
    400 "The body is not a JSON object, or the idempotency key is malformed.",
    403 "The post comes from another site.",
    408 "The body took too long.",
    413 "The body is longer than 64 KiB.",
    415 "The body is not application/json.",
    422 "Fields break the form's rules or have the wrong type, or the idempotency key belongs to \
         other content.",
    429 "Too many submissions.",
    500 "The fault is ours.",
    503 "Busy, or the disk is full; nothing was stored.",
}

error_response! {
    /// Errors of an admin's call.
    AdminError:
    400 "A parameter or the body is malformed.",
    401 "No access token, or one that is no longer good.",
    403 "The role does not allow it, the second factor is missing, or the sign-in is too old \
         (`reauthentication_needed`).",
    404 "There is no such quote or request.",
    408 "The body took too long.",
    409 "The change conflicts with what the request is now.",
    413 "The body is longer than 64 KiB.",
    415 "The body is not application/json.",
    422 "A field of the body is not valid.",
    429 "Too many requests.",
    500 "The fault is ours.",
    503 "Busy, or the disk is full; nothing was changed.",
}

/// The result of most calls of an admin.
pub type AdminResult<T> = Result<Json<T>, AdminError>;

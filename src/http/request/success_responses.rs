//! Successful responses other than 200, for calls that have one kind of success. A 200 is a
//! `Json<T>`; the call's own description says what is in it.

use poem::http::StatusCode;
use poem::{IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};
use poem_openapi::types::ToJSON;

/// 201 with the stored value.
pub struct Created<T>(pub T);

impl<T: ToJSON> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.0).into_response();
        response.set_status(StatusCode::CREATED);
        response
    }
}

impl<T: ToJSON> ApiResponse for Created<T> {
    fn meta() -> MetaResponses {
        let mut meta = Json::<T>::meta();
        for response in &mut meta.responses {
            response.status = Some(201);
        }
        meta
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// 202: the work goes on.
pub struct Accepted;

/// 204: done.
pub struct NoContent;

/// Implements a response without a body.
macro_rules! empty_response {
    ($name:ident: $status:ident) => {
        impl IntoResponse for $name {
            fn into_response(self) -> Response {
                StatusCode::$status.into_response()
            }
        }

        impl ApiResponse for $name {
            fn meta() -> MetaResponses {
                let response = MetaResponse {
                    description: "",
                    status: Some(StatusCode::$status.as_u16()),
                    status_range: None,
                    content: Vec::new(),
                    headers: Vec::new(),
                };
                MetaResponses {
                    responses: vec![response],
                }
            }

            fn register(_: &mut Registry) {}
        }
    };
}

empty_response!(Accepted: ACCEPTED);
empty_response!(NoContent: NO_CONTENT);

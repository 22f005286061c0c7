//! Successful responses other than 200, for calls that have one kind of success. A 200 is a
//! `Json<T>`; the call's own description says what is in it.

use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;

/// 201 with the stored value.
#[derive(ApiResponse)]
pub enum Created<T: ToJSON> {
    #[oai(status = 201)]
    Value(Json<T>),
}

impl<T: ToJSON> Created<T> {
    pub const fn of(value: T) -> Self {
        Self::Value(Json(value))
    }
}

/// 202: the work goes on.
#[derive(ApiResponse)]
pub enum Accepted {
    #[oai(status = 202)]
    Queued,
}

/// 204: done.
#[derive(ApiResponse)]
pub enum NoContent {
    #[oai(status = 204)]
    Done,
}

//! The HTTP calls of the storage service under `/storage/v1`, for the public storage client and
//! clients of the protocol for resumable uploads. They parse the request, call one function of
//! `storage` and build the response.

mod buckets;
mod conditions;
mod dto;
pub(super) mod error_response;
mod file_body;
mod lists;
mod objects;
mod paths;
mod reading;
mod resumable;
mod route;
mod signing;
mod storage_request;
mod uploading;

use poem::{Request, Response};

use self::error_response::ErrorResponse;
pub use paths::{BASE, is_path};
pub use storage_request::FileCalls;
use storage_request::StorageRequest;

/// The response to a client above its rate limit.
pub fn slow_down(path: &str, seconds: u32) -> Response {
    let error = ErrorResponse::slow_down(seconds);
    if resumable::is_path(path) {
        return error.into_plain_response();
    }
    error.into_response()
}

/// Handles a request.
pub async fn handle(request: Request, app: FileCalls<'_>) -> Response {
    let result = route::answer(StorageRequest { app, request }).await;
    result.unwrap_or_else(ErrorResponse::into_response)
}

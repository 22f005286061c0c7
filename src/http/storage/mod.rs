//! The HTTP calls of the storage service under `/storage/v1`, as the public storage client and
//! clients of the protocol for resumable uploads make them. They parse the request, call one
//! function of `files` and build the response.

mod buckets;
mod dto;
pub(super) mod error_response;
mod file_body;
mod lists;
mod objects;
mod reading;
mod resumable;
mod route;
mod signing;
mod storage_request;
mod uploading;

use std::sync::Arc;

use poem::http::{HeaderMap, HeaderValue, header};
use poem::{Request, Response};
use serde_json::Value;

use self::error_response::{ErrorResponse, Result};
use super::AppState;
use crate::storage::Code;
use storage_request::Call;

/// The base path of all calls.
pub const BASE: &str = "/storage/v1";

/// Whether `path` belongs to the service.
pub fn is_path(path: &str) -> bool {
    let rest = path.strip_prefix(BASE);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The template of a path for the access log.
pub fn template(path: &str) -> Option<&'static str> {
    route::template(path)
}

/// The response to a client that sends too much.
pub fn slow_down(path: &str, seconds: u32) -> Response {
    let error = ErrorResponse::slow_down(seconds);
    if resumable::is_path(path) {
        return error.into_plain_response();
    }
    error.into_response()
}

/// Handles a request.
pub async fn handle(request: Request, app: &Arc<AppState>) -> Response {
    let call = route::call(request.method(), request.uri().path());
    let request = Call { app, request };
    let result = match call {
        route::Call::TusOptions
        | route::Call::TusCreate { .. }
        | route::Call::TusHead { .. }
        | route::Call::TusPatch { .. }
        | route::Call::TusDelete { .. } => return resumable::handle(call, request).await,
        call => dispatch(call, request).await,
    };
    result.unwrap_or_else(ErrorResponse::into_response)
}

async fn dispatch(call: route::Call, request: Call<'_>) -> Result<Response> {
    use route::Call;
    match call {
        Call::ListBuckets => buckets::list(request).await,
        Call::CreateBucket => buckets::create(request).await,
        Call::GetBucket(id) => buckets::get(request, id).await,
        Call::UpdateBucket(id) => buckets::update(request, id).await,
        Call::DeleteBucket(id) => buckets::delete(request, id).await,
        Call::EmptyBucket(id) => buckets::empty(request, id).await,
        Call::Upload(path) => {
            let upsert = request.upsert();
            uploading::upload(request, path, upsert).await
        }
        Call::Update(path) => uploading::upload(request, path, true).await,
        Call::UploadSigned(path) => uploading::upload_signed(request, path).await,
        Call::Read(path) => reading::read(request, path).await,
        Call::ReadPublic(path) => reading::read_public(request, path).await,
        Call::ReadSigned(path) => reading::read_signed(request, path).await,
        Call::Info(path) => reading::info(request, path).await,
        Call::InfoPublic(path) => reading::info_public(request, path).await,
        Call::List(bucket) => lists::list(request, bucket).await,
        Call::ListPrefix(bucket) => lists::list_prefix(request, bucket).await,
        Call::Move => objects::move_object(request).await,
        Call::Copy => objects::copy(request).await,
        Call::Remove(bucket) => objects::remove(request, bucket).await,
        Call::RemoveOne(path) => objects::remove_one(request, path).await,
        Call::Sign(path) => signing::sign(request, path).await,
        Call::SignMany(bucket) => signing::sign_many(request, bucket).await,
        Call::SignUpload(path) => signing::sign_upload(request, path).await,
        Call::LeftOut => Err(ErrorResponse::left_out()),
        Call::Undecodable => Err(Code::InvalidKey.into()),
        _ => Err(ErrorResponse::not_found()),
    }
}

/// A JSON response.
fn json(body: &Value) -> Response {
    Response::builder()
        .content_type("application/json; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .body(body.to_string())
}

/// Sets a header if the value is one.
fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

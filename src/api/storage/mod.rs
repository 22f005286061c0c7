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
mod responses;
mod resumable;
mod route;
mod signing;
mod storage_request;
mod uploading;

use std::sync::Arc;

use poem::{Request, Response};

use self::error_response::{ErrorResponse, Result};
use super::AppState;
pub use paths::{BASE, is_path};
use storage::Code;
use storage_request::StorageRequest;

/// The template of a path for the access log.
pub fn template(path: &str) -> Option<&'static str> {
    route::template(path)
}

/// The response to a client above its rate limit.
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
    let request = StorageRequest { app, request };
    let result = match call {
        route::Operation::TusOptions
        | route::Operation::TusCreate { .. }
        | route::Operation::TusHead { .. }
        | route::Operation::TusPatch { .. }
        | route::Operation::TusDelete { .. } => return resumable::handle(call, request).await,
        call => dispatch(call, request).await,
    };
    result.unwrap_or_else(ErrorResponse::into_response)
}

async fn dispatch(call: route::Operation, request: StorageRequest<'_>) -> Result<Response> {
    use route::Operation;
    match call {
        Operation::ListBuckets => buckets::list(request).await,
        Operation::CreateBucket => buckets::create(request).await,
        Operation::GetBucket(id) => buckets::get(request, id).await,
        Operation::UpdateBucket(id) => buckets::update(request, id).await,
        Operation::DeleteBucket(id) => buckets::delete(request, id).await,
        Operation::EmptyBucket(id) => buckets::empty(request, id).await,
        Operation::Upload(path) => uploading::upload(request, path).await,
        Operation::Update(path) => uploading::update(request, path).await,
        Operation::UploadSigned(path) => uploading::upload_signed(request, path).await,
        Operation::Read(path) => reading::read(request, path).await,
        Operation::ReadPublic(path) => reading::read_public(request, path).await,
        Operation::ReadSigned(path) => reading::read_signed(request, path).await,
        Operation::Info(path) => reading::info(request, path).await,
        Operation::InfoPublic(path) => reading::info_public(request, path).await,
        Operation::List(bucket) => lists::list(request, bucket).await,
        Operation::ListPrefix(bucket) => lists::list_prefix(request, bucket).await,
        Operation::Move => objects::move_object(request).await,
        Operation::Copy => objects::copy(request).await,
        Operation::Remove(bucket) => objects::remove(request, bucket).await,
        Operation::RemoveOne(path) => objects::remove_one(request, path).await,
        Operation::Sign(path) => signing::sign(request, path).await,
        Operation::SignMany(bucket) => signing::sign_many(request, bucket).await,
        Operation::SignUpload(path) => signing::sign_upload(request, path).await,
        Operation::LeftOut => Err(ErrorResponse::left_out()),
        Operation::Undecodable => Err(Code::InvalidKey.into()),
        _ => Err(ErrorResponse::not_found()),
    }
}

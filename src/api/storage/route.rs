//! Routes of the storage service. Keys contain slashes, so the path is split here and decoded once
//! (contract section 3).

use poem::Response;

use super::error_response::{ErrorResponse, Result};
use super::paths::{BASE, ObjectPath};
use super::storage_request::StorageRequest;
use super::{buckets, lists, objects, reading, resumable, signing, uploading};
use domain::storage::names::percent_decode;
use storage::Code;

/// Answers a request.
pub(super) async fn answer(request: StorageRequest<'_>) -> Result<Response> {
    let path = request.request.uri().path().to_owned();
    let rest = path.strip_prefix(BASE).unwrap_or_default();
    let (group, rest) = split(rest.strip_prefix('/').unwrap_or(rest));
    let rest = rest.unwrap_or_default();
    match group {
        "bucket" => bucket_call(request, rest).await,
        "object" => object_call(request, rest).await,
        "upload" => resumable_call(request, rest).await,
        "render" | "s3" | "vector" | "iceberg" | "cdn" => Err(ErrorResponse::left_out()),
        _ => Err(ErrorResponse::not_found()),
    }
}

/// The first segment, and what follows its slash.
fn split(path: &str) -> (&str, Option<&str>) {
    match path.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path, None),
    }
}

/// The text of a part of a path. Fails on an incomplete escape and on invalid UTF-8.
fn text(part: &str) -> Result<String> {
    percent_decode(part).ok_or_else(|| Code::InvalidKey.into())
}

/// A bucket and a key.
fn object(path: &str) -> Result<ObjectPath> {
    let (bucket, key) = path.split_once('/').ok_or_else(ErrorResponse::not_found)?;
    let (bucket, key) = (text(bucket)?, text(key)?);
    Ok(ObjectPath { bucket, key })
}

/// A bucket alone.
fn bucket(path: Option<&str>) -> Result<String> {
    let path = path.filter(|path| !path.is_empty() && !path.contains('/'));
    text(path.ok_or_else(ErrorResponse::not_found)?)
}

async fn bucket_call(request: StorageRequest<'_>, rest: &str) -> Result<Response> {
    let method = request.request.method().clone();
    match (method.as_str(), split(rest)) {
        ("GET", ("", None)) => buckets::list(request).await,
        ("POST", ("", None)) => buckets::create(request).await,
        (_, ("", None)) => Err(ErrorResponse::not_found()),
        ("GET", (id, None)) => buckets::get(request, text(id)?).await,
        ("PUT", (id, None)) => buckets::update(request, text(id)?).await,
        ("DELETE", (id, None)) => buckets::delete(request, text(id)?).await,
        ("POST", (id, Some("empty"))) => buckets::empty(request, text(id)?).await,
        (_, (_, Some("lifecycle"))) => Err(ErrorResponse::left_out()),
        _ => Err(ErrorResponse::not_found()),
    }
}

async fn object_call(request: StorageRequest<'_>, rest: &str) -> Result<Response> {
    let method = request.request.method().clone();
    let (first, after) = split(rest);
    match (method.as_str(), first, after) {
        ("GET" | "HEAD", "public", Some(path)) => reading::read_public(request, text(path)?).await,
        ("GET" | "HEAD", "authenticated", Some(path)) => {
            reading::read(request, object(path)?).await
        }
        ("GET" | "HEAD", "sign", Some(path)) => reading::read_signed(request, object(path)?).await,
        ("GET", "info", Some(path)) => match split(path) {
            ("public", Some(path)) => reading::info_public(request, text(path)?).await,
            ("authenticated", Some(path)) => reading::info(request, object(path)?).await,
            _ => reading::info(request, object(path)?).await,
        },
        ("GET" | "HEAD", "info" | "list" | "list-v2" | "move" | "copy" | "upload", _) => {
            Err(ErrorResponse::not_found())
        }
        ("GET" | "HEAD", ..) => reading::read(request, object(rest)?).await,
        ("POST", "list", after) => lists::list(request, bucket(after)?).await,
        ("POST", "list-v2", after) => lists::list_prefix(request, bucket(after)?).await,
        ("POST", "move", None) => objects::move_object(request).await,
        ("POST", "copy", None) => objects::copy(request).await,
        ("POST", "sign", Some(path)) if path.contains('/') => {
            signing::sign(request, object(path)?).await
        }
        ("POST", "sign", after) => signing::sign_many(request, bucket(after)?).await,
        ("POST" | "PUT", "upload", Some(path)) => match (method.as_str(), split(path)) {
            ("POST", ("sign", Some(path))) => signing::sign_upload(request, object(path)?).await,
            ("PUT", ("sign", Some(path))) => uploading::upload_signed(request, object(path)?).await,
            _ => Err(ErrorResponse::not_found()),
        },
        ("POST", "move" | "copy" | "info" | "authenticated", _) => Err(ErrorResponse::not_found()),
        ("POST", ..) => uploading::upload(request, object(rest)?).await,
        ("PUT", ..) => uploading::update(request, object(rest)?).await,
        ("DELETE", _, Some(_)) => objects::remove_one(request, object(rest)?).await,
        ("DELETE", ..) => objects::remove(request, bucket(Some(rest))?).await,
        _ => Err(ErrorResponse::not_found()),
    }
}

async fn resumable_call(request: StorageRequest<'_>, rest: &str) -> Result<Response> {
    let ("resumable", rest) = split(rest) else {
        return Err(ErrorResponse::not_found());
    };
    let rest = rest.unwrap_or_default();
    let (signed, id) = match rest.strip_prefix("sign") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (true, rest.trim_start_matches('/'))
        }
        _ => (false, rest),
    };
    match (request.request.method().as_str(), id) {
        (_, id) if id.contains('/') => Err(ErrorResponse::not_found()),
        ("OPTIONS", _) | ("POST", "") => Ok(resumable::handle(request, signed, id).await),
        ("HEAD" | "PATCH" | "DELETE", id) if !id.is_empty() => {
            Ok(resumable::handle(request, signed, id).await)
        }
        _ => Err(ErrorResponse::not_found()),
    }
}

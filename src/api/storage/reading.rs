//! Calls that read objects: downloads and `info`.

use std::ops::Range;

use poem::http::{HeaderMap, Method, StatusCode, header};
use poem::{Body, Response};

use super::conditions::{http_date, is_fresh, modified, requested_range};
use super::dto::{self, json, set};
use super::error_response::{ErrorResponse, Result};
use super::file_body::{Account, file_body, pieces_body};
use super::paths::ObjectPath;
use super::storage_request::StorageRequest;
use domain::storage::PUBLIC;
use domain::storage::content_type::is_rewritten_picture;
use domain::storage::file_name::{content_disposition, requested_name};
use http::request::body::BodyError;
use http::request::body_budget::Exhausted;
use http::server::timeouts::DownloadSlot;
use storage::Code;
use storage::access::Visible;
use storage::contents::place::Opened;
use storage::objects::refuse_infected;
use store::storage::objects::Object;

/// The policy of every download: it can load nothing and run nothing.
const POLICY: &str = "default-src 'none'; sandbox";
/// The media type of documents that `open` shows in the browser.
const PDF: &str = "application/pdf";
/// For private objects.
const PRIVATE: &str = "private, no-cache";

/// `GET /object/{bucket}/{key}`, `GET /object/authenticated/{bucket}/{key}`.
pub(super) async fn read(call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    call.refuse_version()?;
    let (object, is_public) = visible(&call, path).await?;
    respond(&call, &object, is_public).await
}

/// `GET /object/public/{bucket}/{key}`.
pub(super) async fn read_public(call: StorageRequest<'_>, path: String) -> Result<Response> {
    call.refuse_version()?;
    let (bucket, key) = call.app.files.split_public(path).await?;
    let object = public(&call, bucket, key).await?;
    respond(&call, &object, true).await
}

/// `GET /object/sign/{bucket}/{key}?token=…`.
pub(super) async fn read_signed(call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    call.refuse_version()?;
    let token = call.parameter("token").ok_or_else(|| {
        let message = "`token` is missing in the query";
        storage::Refusal::invalid(message)
    })?;
    let ObjectPath { bucket, key } = path;
    let object = call.app.files.signed_object(&token, bucket, key).await?;
    respond(&call, &object, false).await
}

/// `GET /object/info/{bucket}/{key}`.
pub(super) async fn info(call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    call.refuse_version()?;
    let (object, _) = visible(&call, path).await?;
    Ok(json(&dto::info(&object)))
}

/// `GET /object/info/public/{bucket}/{key}`.
pub(super) async fn info_public(call: StorageRequest<'_>, path: String) -> Result<Response> {
    call.refuse_version()?;
    let (bucket, key) = call.app.files.split_public(path).await?;
    let object = match bucket.as_str() {
        // The client uses this path for a bucket called `public` as well.
        PUBLIC => visible(&call, ObjectPath { bucket, key }).await?.0,
        _ => public(&call, bucket, key).await?,
    };
    Ok(json(&dto::info(&object)))
}

/// The object, and whether it is public; a private one is for admins.
async fn visible(call: &StorageRequest<'_>, path: ObjectPath) -> Result<(Box<Object>, bool)> {
    let ObjectPath { bucket, key } = path;
    match call.app.files.look_up(bucket, key).await? {
        Visible::Public(object) => Ok((object, true)),
        Visible::Missing => Err(Code::NoSuchKey.into()),
        Visible::Private(_) if !call.has_bearer() => Err(Code::NoSuchBucket.into()),
        Visible::Private(found) => {
            call.admin().await?;
            Ok((found?, false))
        }
    }
}

/// An object of a public bucket.
async fn public(call: &StorageRequest<'_>, bucket: String, key: String) -> Result<Box<Object>> {
    match call.app.files.look_up(bucket, key).await? {
        Visible::Public(object) => Ok(object),
        Visible::Missing => Err(Code::NoSuchKey.into()),
        Visible::Private(_) => Err(Code::NoSuchBucket.into()),
    }
}

/// The bytes of an object, or the requested part of them.
async fn respond(call: &StorageRequest<'_>, object: &Object, is_public: bool) -> Result<Response> {
    refuse_infected(object)?;
    let request = call.request.headers();
    let mut response = Response::builder().finish();
    describe(response.headers_mut(), call, object, is_public);
    if is_fresh(request, object) {
        response.set_status(StatusCode::NOT_MODIFIED);
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_DISPOSITION);
        return Ok(response);
    }
    let range = match requested_range(request, object) {
        Some(Ok(range)) => {
            response.set_status(StatusCode::PARTIAL_CONTENT);
            let last = range.end - 1;
            let value = format!("bytes {}-{last}/{}", range.start, object.size);
            set(response.headers_mut(), header::CONTENT_RANGE, &value);
            range
        }
        Some(Err(())) => {
            let mut response = ErrorResponse::from(Code::InvalidRange).into_response();
            let value = format!("bytes */{}", object.size);
            set(response.headers_mut(), header::CONTENT_RANGE, &value);
            return Ok(response);
        }
        None => 0..object.size,
    };
    let length = range.end - range.start;
    let value = length.to_string();
    set(response.headers_mut(), header::CONTENT_LENGTH, &value);
    if *call.request.method() != Method::HEAD {
        let slot = DownloadSlot::default();
        response.set_body(body(call, object, range, slot.clone()).await?);
        response.extensions_mut().insert(slot);
    }
    Ok(response)
}

/// The bytes of a part of an object.
async fn body(
    call: &StorageRequest<'_>,
    object: &Object,
    part: Range<u64>,
    slot: DownloadSlot,
) -> Result<Body> {
    let client = call.client()?.address;
    let account = Account::new(call.app.downloads.clone(), client, slot);
    let files = call.app.files;
    let lease = match files.config.to.is_empty() {
        true => None,
        // A bucket sends before the client reads anything.
        false => {
            let lease = account.stream_memory().await;
            Some(lease.ok_or(BodyError::OverBudget(Exhausted::Server))?)
        }
    };
    Ok(match files.open_object(object, part.clone()).await? {
        Opened::File(file) => file_body(file, part, account),
        Opened::Stream(pieces) => pieces_body(pieces, part.end - part.start, account, lease),
    })
}

/// The headers of a download (contract section 7).
fn describe(headers: &mut HeaderMap, call: &StorageRequest<'_>, object: &Object, is_public: bool) {
    let download = call.parameter("download");
    // A document is opened in a tab on request only. The policy keeps the page from the site.
    let is_opened = call.parameter("open").is_some() && object.media_type == PDF;
    let inline = download.is_none() && (is_opened || is_rewritten_picture(&object.media_type));
    let name = download
        .map(|name| requested_name(&name))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| object.shown_name());
    let disposition = content_disposition(inline, &name);
    let cache = match is_public {
        true => object.cache_control.as_str(),
        false => PRIVATE,
    };
    for (name, value) in [
        (header::CONTENT_TYPE, object.media_type.as_str()),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::ETAG, &dto::etag(object)),
        (header::CACHE_CONTROL, cache),
        (header::ACCEPT_RANGES, "bytes"),
    ] {
        set(headers, name, value);
    }
    if let Some(date) = http_date(modified(object)) {
        set(headers, header::LAST_MODIFIED, &date);
    }
    if !is_public {
        set(
            headers,
            header::HeaderName::from_static("x-robots-tag"),
            "none",
        );
    }
}

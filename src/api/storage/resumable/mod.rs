//! Resumable uploads: the protocol TUS 1.0.0 with creation, creation-with-upload, termination and
//! expiration. Errors are plain text with their own status.

mod appending;
mod metadata;

use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use self::appending::{append, patch};
use self::metadata::{BYTES, Metadata, add_expiry, add_offset, no_content};
use super::dto::set;
use super::error_response::{ErrorResponse, Result};
use super::paths::BASE;
use super::storage_request::StorageRequest;
use super::uploading::MAX_UPLOAD_BYTES;
use domain::storage::MAX_FILE_BYTES;
use http::request::body;
use http::uploads::body::UploadBody;
use storage::Refusal;
use storage::resumable::{NewUpload, Progress};

const VERSION: HeaderValue = HeaderValue::from_static("1.0.0");
const EXTENSIONS: &str = "creation,creation-with-upload,termination,expiration";

/// Whether `path` belongs to resumable uploads.
pub(super) fn is_path(path: &str) -> bool {
    path.strip_prefix(BASE)
        .is_some_and(|rest| rest.starts_with("/upload/resumable"))
}

/// Handles a call.
pub(super) async fn handle(mut request: StorageRequest<'_>, signed: bool, id: &str) -> Response {
    let body = request.request.take_body();
    let (headers, files) = (request.request.headers(), request.app.files);
    let mut body = UploadBody::new(body, headers, MAX_UPLOAD_BYTES, files);
    let result = dispatch(&request, signed, id, &mut body).await;
    if result.is_err() {
        body.drain().await;
    }
    let mut response = result.unwrap_or_else(ErrorResponse::into_plain_response);
    let headers = response.headers_mut();
    headers.insert("tus-resumable", VERSION);
    if response.status() == StatusCode::PRECONDITION_FAILED {
        response.headers_mut().insert("tus-version", VERSION);
    }
    response
}

async fn dispatch(
    request: &StorageRequest<'_>,
    signed: bool,
    id: &str,
    body: &mut UploadBody,
) -> Result<Response> {
    let method = request.request.method().as_str();
    if method == "OPTIONS" {
        return Ok(options());
    }
    if request.header("tus-resumable") != Some("1.0.0") {
        let text = "Tus-Resumable must be 1.0.0";
        return Ok(Response::builder()
            .status(StatusCode::PRECONDITION_FAILED)
            .content_type("text/plain; charset=utf-8")
            .body(text));
    }
    let id = id.to_owned();
    match method {
        "POST" => create(request, signed, body).await,
        "HEAD" => head(request, signed, id).await,
        "PATCH" => patch(request, signed, id, body).await,
        _ => {
            let caller = request.uploader(signed).await?;
            request.app.files.terminate(caller, id).await?;
            Ok(no_content())
        }
    }
}

fn options() -> Response {
    Response::builder()
        .status(StatusCode::NO_CONTENT)
        .header("tus-version", VERSION)
        .header("tus-extension", EXTENSIONS)
        .header("tus-max-size", MAX_FILE_BYTES)
        .finish()
}

async fn create(
    request: &StorageRequest<'_>,
    signed: bool,
    body: &mut UploadBody,
) -> Result<Response> {
    let (caller, upsert) = request.uploader_and_upsert(signed).await?;
    let client = request.client()?;
    for (name, what) in [
        ("upload-defer-length", "A deferred length"),
        ("upload-concat", "Concatenation"),
    ] {
        if request.header(name).is_some() {
            return Err(Refusal::invalid(format!("{what} is not supported")).into());
        }
    }
    let length = request.header("upload-length");
    let length = length.and_then(|length| length.parse::<u64>().ok());
    let length = length.ok_or_else(|| Refusal::invalid("Upload-Length is missing"))?;
    let raw = request.header("upload-metadata").unwrap_or_default();
    let metadata = Metadata::parse(raw)?;
    let upload = NewUpload {
        bucket: metadata.required("bucketName")?,
        name: metadata.required("objectName")?,
        upsert,
        length,
        metadata: raw.to_owned(),
    };
    metadata.description()?;
    let files = request.app.files;
    let upload = files
        .create_resumable(&caller, client.sender(), upload)
        .await?;
    let group = if signed { "/sign" } else { "" };
    let location = format!("{BASE}/upload/resumable{group}/{}", upload.id);
    let has_bytes = body::has_media_type(BYTES, request.request.headers());
    let progress = match has_bytes {
        true => Some(append(request, caller, upload.id.clone(), 0, body).await?),
        false => None,
    };
    let mut response = Response::builder()
        .status(StatusCode::CREATED)
        .header(header::LOCATION, location)
        .header(header::CACHE_CONTROL, "no-store")
        .finish();
    let shown = progress
        .as_ref()
        .map_or(&upload, |progress| &progress.upload);
    add_expiry(&mut response, shown.expires_at);
    if let Some(progress) = progress {
        add_offset(&mut response, progress.offset);
    }
    Ok(response)
}

async fn head(request: &StorageRequest<'_>, signed: bool, id: String) -> Result<Response> {
    let caller = request.uploader(signed).await?;
    let files = request.app.files;
    let mut progress = files.progress(caller.clone(), id.clone()).await?;
    if progress.offset == progress.upload.length && !progress.upload.finished {
        let description = Metadata::parse(&progress.upload.metadata)?.description()?;
        progress = files.complete(caller, id, description).await?;
    }
    let Progress { upload, offset } = progress;
    let mut response = Response::builder()
        .header("upload-length", upload.length)
        .header(header::CACHE_CONTROL, "no-store")
        .finish();
    add_offset(&mut response, offset);
    if !upload.finished {
        add_expiry(&mut response, upload.expires_at);
    }
    let name = header::HeaderName::from_static("upload-metadata");
    set(response.headers_mut(), name, &upload.metadata);
    Ok(response)
}

//! Calls that store files. The body is written to disk as it arrives, raw or as
//! `multipart/form-data`.

use poem::Response;
use serde_json::json;

use super::dto::{self, json};
use super::error_response::{ErrorResponse, Result};
use super::paths::ObjectPath;
use super::storage_request::StorageRequest;
use auth::SignedInUser;
use domain::storage::MAX_FILE_BYTES;
use domain::storage::values::{self, MetadataTooLong, cache_control};
use http::request::body::BodyError;
use http::uploads::body::{Fault, UploadBody};
use http::uploads::multipart::{Multipart, MultipartError, PARSER_MEMORY, boundary};
use storage::target::{Description, Target};
use storage::upload::{IncomingFile, UPLOAD_MEMORY};
use storage::{Code, Refusal};
use store::storage::objects::Object;

/// Maximum number of text fields beside a file.
const MAX_FIELDS: usize = 10;
/// Maximum length of a text field, in bytes.
const MAX_FIELD_BYTES: usize = 8 * 1024;
/// Maximum length of the body of an upload, in bytes: a file, and the parts around it.
pub(super) const MAX_UPLOAD_BYTES: u64 = MAX_FILE_BYTES + 256 * 1024;

impl From<MetadataTooLong> for ErrorResponse {
    fn from(_: MetadataTooLong) -> Self {
        Code::EntityTooLarge.into()
    }
}

impl From<Fault> for ErrorResponse {
    fn from(fault: Fault) -> Self {
        let message = match fault {
            Fault::TooLong => return Code::EntityTooLarge.into(),
            Fault::NoSpace => return Code::InsufficientStorage.into(),
            Fault::Silent => "The upload stopped sending",
            Fault::Slow => "The upload is too slow",
            Fault::Broken => "The body is incomplete",
        };
        Refusal::invalid(message).into()
    }
}

impl From<MultipartError> for ErrorResponse {
    fn from(error: MultipartError) -> Self {
        match error {
            MultipartError::Body(fault) => fault.into(),
            MultipartError::FieldTooLong => Code::EntityTooLarge.into(),
            MultipartError::Malformed | MultipartError::TooManyParts => {
                Refusal::invalid("The body is not valid multipart/form-data").into()
            }
        }
    }
}

/// `POST /object/{bucket}/{key}`.
pub(super) async fn upload(call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    let caller = call.admin_and_upsert().await;
    store(call, path, caller).await
}

/// `PUT /object/{bucket}/{key}`, which always replaces.
pub(super) async fn update(call: StorageRequest<'_>, path: ObjectPath) -> Result<Response> {
    let caller = call.admin().await.map(|admin| (admin, true));
    store(call, path, caller).await
}

async fn store(
    mut call: StorageRequest<'_>,
    path: ObjectPath,
    caller: Result<(SignedInUser, bool)>,
) -> Result<Response> {
    let target = caller
        .map(|(admin, upsert)| Target::by_admin(&admin.user.id, path.bucket, path.key, upsert));
    let object = receive(&mut call, target).await?;
    let key = dto::full_key(&object);
    Ok(json(&json!({ "Id": object.id, "Key": key })))
}

/// `PUT /object/upload/sign/{bucket}/{key}?token=…`.
pub(super) async fn upload_signed(
    mut call: StorageRequest<'_>,
    path: ObjectPath,
) -> Result<Response> {
    let target = match call.parameter("token") {
        None => Err(Refusal::invalid("`token` is missing in the query").into()),
        Some(token) => {
            let files = call.app.files;
            let target = files.upload_target(&token, path.bucket, path.key);
            target.map_err(ErrorResponse::from)
        }
    };
    let object = receive(&mut call, target).await?;
    Ok(json(&json!({ "Key": dto::full_key(&object) })))
}

/// Receives and stores the file of a request. After a refusal, the rest of the body is discarded.
async fn receive(call: &mut StorageRequest<'_>, target: Result<Target>) -> Result<Object> {
    let body = call.request.take_body();
    let (headers, files) = (call.request.headers(), call.app.files);
    let mut body = UploadBody::new(body, headers, MAX_UPLOAD_BYTES, files);
    let result = match target {
        Ok(target) => receive_file(call, target, &mut body).await,
        Err(error) => Err(error),
    };
    if result.is_err() {
        body.drain().await;
    }
    result
}

async fn receive_file(
    call: &StorageRequest<'_>,
    target: Target,
    body: &mut UploadBody,
) -> Result<Object> {
    let client = call.client()?;
    let mut lease = call.app.bodies.lease(client.address);
    lease.grow(UPLOAD_MEMORY).map_err(BodyError::from)?;
    if let Some(coding) = call.header("content-encoding")
        && !coding.trim().eq_ignore_ascii_case("identity")
    {
        let message = format!("content encoding {} is not supported", coding.trim());
        return Err(Refusal::new(Code::InvalidMimeType, message).into());
    }
    let files = call.app.files;
    let boundary = boundary(call.request.headers());
    if boundary.is_some() {
        lease
            .grow(MAX_FIELDS * MAX_FIELD_BYTES + PARSER_MEMORY)
            .map_err(BodyError::from)?;
    }
    let announced = call.content_length().filter(|_| boundary.is_none());
    let sender = Some(client.sender());
    let (incoming, target) = files
        .begin_upload(target, announced, sender.clone())
        .await?;
    if announced.is_some_and(|length| length > incoming.limit()) {
        return Err(Code::EntityTooLarge.into());
    }
    body.end_when_short(&files.space);
    let (incoming, mut description) = match boundary {
        None => receive_raw(call, incoming, body).await?,
        Some(Some(boundary)) => {
            receive_multipart(incoming, Multipart::new(body, &boundary)).await?
        }
        Some(None) => return Err(MultipartError::Malformed.into()),
    };
    description.sender = sender;
    Ok(files.finish_upload(incoming, target, description).await?)
}

/// The body is the file; headers describe it.
async fn receive_raw(
    call: &StorageRequest<'_>,
    mut incoming: IncomingFile,
    body: &mut UploadBody,
) -> Result<(IncomingFile, Description)> {
    let metadata = call.header("x-metadata").map(values::decode_metadata);
    let description = Description {
        media_type: call.header("content-type").unwrap_or_default().to_owned(),
        cache_control: cache_control(call.header("cache-control").unwrap_or_default()),
        metadata: metadata.transpose()?.flatten(),
        sender: None,
    };
    while let Some(bytes) = body.next().await? {
        incoming.write(bytes).await?;
    }
    Ok((incoming, description))
}

/// One part is the file; text fields describe it.
async fn receive_multipart(
    mut incoming: IncomingFile,
    mut multipart: Multipart<'_>,
) -> Result<(IncomingFile, Description)> {
    let mut description = Description {
        cache_control: cache_control(""),
        ..Description::default()
    };
    let (mut fields, mut has_file) = (0, false);
    while let Some(part) = multipart.next_part().await? {
        if part.file_name.is_none() {
            fields += 1;
            if fields > MAX_FIELDS {
                return Err(Refusal::invalid("There are more than ten fields").into());
            }
            let text = multipart.text(MAX_FIELD_BYTES).await?;
            match part.name.as_str() {
                "cacheControl" => description.cache_control = cache_control(&text),
                "metadata" => description.metadata = values::parse_metadata(text.as_bytes())?,
                _ => {}
            }
            continue;
        }
        if has_file {
            return Err(Refusal::invalid("There is more than one file").into());
        }
        has_file = true;
        description.media_type = part.content_type.unwrap_or_default();
        while let Some(bytes) = multipart.chunk().await? {
            incoming.write(bytes).await?;
        }
    }
    if !has_file {
        return Err(Refusal::invalid("There is no file").into());
    }
    Ok((incoming, description))
}

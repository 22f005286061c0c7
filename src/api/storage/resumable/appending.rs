//! Writes the bytes of a request to an upload.

use poem::Response;

use super::metadata::{BYTES, Metadata, add_expiry, add_offset, no_content};
use crate::storage::error_response::Result;
use crate::storage::storage_request::StorageRequest;
use http::request::body::{self, BodyError};
use http::uploads::body::{Fault, UploadBody};
use storage::resumable::{Progress, Uploader};
use storage::upload::UPLOAD_MEMORY;
use storage::{Code, Refusal};

pub(super) async fn patch(
    request: &StorageRequest<'_>,
    signed: bool,
    id: String,
    body: &mut UploadBody,
) -> Result<Response> {
    let caller = request.uploader(signed).await?;
    if !body::has_media_type(BYTES, request.request.headers()) {
        let message = format!("The body must be {BYTES}");
        return Err(Refusal::new(Code::InvalidMimeType, message).into());
    }
    let offset = request.header("upload-offset");
    let offset = offset.and_then(|offset| offset.parse::<u64>().ok());
    let missing = || Refusal::invalid("Upload-Offset is missing");
    let offset = offset.ok_or_else(missing)?;
    let progress = append(request, caller, id, offset, body).await?;
    let mut response = no_content();
    add_offset(&mut response, progress.offset);
    if !progress.upload.finished {
        add_expiry(&mut response, progress.upload.expires_at);
    }
    Ok(response)
}

/// Writes a body to an upload. Bytes received before an interruption are kept.
pub(super) async fn append(
    request: &StorageRequest<'_>,
    caller: Uploader,
    id: String,
    offset: u64,
    body: &mut UploadBody,
) -> Result<Progress> {
    let client = request.client()?;
    let mut lease = request.app.bodies.lease(client.address);
    lease.grow(UPLOAD_MEMORY).map_err(BodyError::from)?;
    let files = request.app.files;
    let announced = request.content_length();
    let mut appending = files.append(caller, id, offset, announced).await?;
    let mut description = Metadata::parse(appending.metadata())?.description()?;
    description.sender = Some(client.sender());
    body.end_when_short(&files.space);
    let mut fault: Option<Fault> = None;
    loop {
        match body.next().await {
            Ok(Some(bytes)) => appending.write(bytes).await?,
            Ok(None) => break,
            Err(cut) => {
                fault = Some(cut);
                break;
            }
        }
    }
    let progress = files.end_append(appending, description).await?;
    match fault {
        Some(fault) => Err(fault.into()),
        None => Ok(progress),
    }
}

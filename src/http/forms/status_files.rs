//! Files that a visitor adds on the status page, since the quote form has announced more than have
//! arrived.

use poem::http::StatusCode;
use poem::{Body, Request};

use super::FormPages;
use super::attachments::{FORM_MEMORY, MAX_FORM_BYTES, receive_files, refusals};
use super::status_message::Refused;
use crate::request::client_address::Client;
use crate::uploads::body::UploadBody;
use crate::uploads::multipart::Multipart;

/// Takes the files of a post; returns what was done. Files of a request that misses none are
/// refused.
pub(super) async fn take(
    app: &FormPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
    boundary: &str,
    reference: String,
) -> Result<&'static str, Refused> {
    let refused = |status, note| Refused {
        status,
        note,
        ..Refused::default()
    };
    if !app.bodies.same_site(request.headers()) {
        return Err(refused(StatusCode::BAD_REQUEST, "failed"));
    }
    let mut lease = app.bodies.lease(client.address);
    let busy = |_| refused(StatusCode::SERVICE_UNAVAILABLE, "failed");
    lease.grow(FORM_MEMORY).map_err(busy)?;
    let status = app.store.request_status(reference).await;
    let status = status.map_err(|_| refused(StatusCode::SERVICE_UNAVAILABLE, "failed"))?;
    if status.missing_files == 0 || !status.request.status.is_open() {
        return Err(refused(StatusCode::CONFLICT, "failed"));
    }
    let mut body = UploadBody::new(body, request.headers(), MAX_FORM_BYTES, app.files);
    let mut multipart = Multipart::new(&mut body, boundary);
    let files = match multipart.next_part().await {
        Ok(Some(first)) => {
            let id = &status.request.id;
            receive_files(app, client.sender(), id, first, &mut multipart).await
        }
        _ => return Err(refused(StatusCode::BAD_REQUEST, "failed")),
    };
    body.drain().await;
    match files.is_empty() {
        true => Ok("files"),
        false => Err(Refused {
            files: refusals(&files),
            ..refused(StatusCode::UNPROCESSABLE_ENTITY, "refused")
        }),
    }
}

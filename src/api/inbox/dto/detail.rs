//! Wire types of one request with its files and the other requests of the person.

use poem_openapi::Object;

use domain::clock::Time;
use domain::request::quote::Status;
use domain::request::{self, RequestKind, merge};
use domain::storage::ScanState;

/// Another request of the same person.
#[derive(Object)]
pub struct RelatedRequest {
    id: String,
    kind: RequestKind,
    reference: String,
    status: Status,
    created_at: Time,
    first_name: String,
    last_name: String,
    /// Whether it is held as spam.
    held: bool,
    /// The reference of the one that stays if both are merged; null where both have been answered
    /// by email, so that a person chooses.
    stays: Option<String>,
}

impl RelatedRequest {
    /// The request beside `opened`, the one that is shown.
    pub fn new(request: request::Request, opened: &request::Request) -> Self {
        let stays = match merge::have_both_emails(&request, opened) {
            true => None,
            false => Some(
                merge::kept_first(request.clone(), opened.clone(), None)
                    .0
                    .reference,
            ),
        };
        Self {
            stays,
            id: request.id,
            kind: request.kind,
            reference: request.reference,
            status: request.status,
            created_at: request.created_at,
            first_name: request.first_name,
            last_name: request.last_name,
            held: request.held.is_some(),
        }
    }
}

/// A file of a request.
#[derive(Object)]
pub struct RequestFile {
    /// `quotes`, or `mail` if the customer has emailed it.
    bucket: String,
    /// Its key in the bucket.
    key: String,
    /// The name given by its sender.
    name: String,
    /// In bytes.
    size: u64,
    /// The type found in its content.
    media_type: String,
    scan: ScanState,
    /// Whether a visitor added it, not an admin.
    by_visitor: bool,
    created_at: Time,
}

impl From<store::storage::objects::Object> for RequestFile {
    fn from(file: store::storage::objects::Object) -> Self {
        Self {
            name: file.shown_name(),
            by_visitor: file.owner.is_none(),
            bucket: file.bucket_id,
            key: file.name,
            size: file.size,
            media_type: file.media_type,
            scan: file.scan,
            created_at: file.created_at,
        }
    }
}

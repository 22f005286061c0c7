//! Drafts: text that an admin has typed about a request and not sent yet, for their other devices.

use std::collections::BTreeMap;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::errors::unknown_request;
use crate::desk::Desk;
use crate::tags::Tag;
use http::request::error_responses::AdminError;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;

/// The forms about a request.
const FORMS: [&str; 3] = ["reply", "call", "note"];
/// In place of a request's id, and the form: a request by phone that is being typed.
pub(super) const PHONE: &str = "phone";
/// Fields of a form.
const MAX_FIELDS: usize = 16;
/// Maximum length of a field's name, in bytes.
const MAX_NAME: usize = 32;
/// Maximum length of all fields, in code points.
const MAX_TEXT: usize = 20_000;

/// The stored draft.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftFields {
    /// The texts by the names of the form's fields; all empty to delete the draft.
    fields: BTreeMap<String, String>,
}

/// The calls about drafts.
pub struct DraftsApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl DraftsApi {
    /// Store a draft
    ///
    /// Your draft, for a form (`reply`, `call`, `note`) of a request, or with `phone` as `id` and
    /// `form` of a request by phone. Sending the form deletes it.
    #[oai(path = "/:id/drafts/:form", method = "put", operation_id = "keepDraft")]
    async fn keep(
        &self,
        desk: Desk,
        id: Path<String>,
        form: Path<String>,
        body: StrictJson<DraftFields>,
    ) -> Result<NoContent, AdminError> {
        let by_phone = id.as_str() == PHONE && form.as_str() == PHONE;
        if !by_phone && !FORMS.contains(&form.as_str()) {
            return Err(invalid("form", "The form is reply, call or note.").into());
        }
        let fields = body.0.fields;
        check(&fields)?;
        let owner = desk.me();
        if by_phone {
            desk.store.keep_phone_draft(owner, fields, desk.now).await?;
        } else {
            let kept = desk.store.keep_draft(id.0, owner, form.0, fields, desk.now);
            kept.await.map_err(unknown_request)?;
        }
        Ok(NoContent)
    }
}

/// Refuses too many fields, long names and long texts.
fn check(fields: &BTreeMap<String, String>) -> Result<(), Problem> {
    if fields.len() > MAX_FIELDS || fields.keys().any(|name| name.len() > MAX_NAME) {
        let detail = "`fields` is an object of up to sixteen texts.";
        return Err(invalid("fields", detail));
    }
    let length: usize = fields.values().map(|text| text.chars().count()).sum();
    if length > MAX_TEXT {
        let detail = format!("The draft has {length} characters; at most {MAX_TEXT} are kept.");
        return Err(invalid("fields", detail));
    }
    Ok(())
}

//! Contact messages that become quote requests.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;

use super::super::errors::unknown_request;
use super::{ChangedRequest, changed};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::request::quote::refused_move;
use http::request::error_responses::AdminResult;

/// The call that makes quote requests.
pub struct QuotingApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl QuotingApi {
    /// Make a quote request of a contact message
    ///
    /// It keeps its id, reference, history, messages, files and reminder, and can have files and
    /// offers from then on. Place, start and duration are empty; the service is the one of the
    /// quote form that says the same, or `other`. It can be undone for a minute, unless one of them
    /// was filled in or it has got a file or an offer. `event` is null if it is a quote request.
    #[oai(
        path = "/:id/quote",
        method = "post",
        operation_id = "makeQuoteOfMessage"
    )]
    async fn make(&self, desk: Desk, id: Path<String>) -> AdminResult<ChangedRequest> {
        let made = desk.store.make_quote(id.0, desk.actor(), desk.now).await;
        let made = made.map_err(unknown_request)?;
        let made = changed(&desk, made, |present| refused_move(present, None))?;
        Ok(Json(made))
    }
}

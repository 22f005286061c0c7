//! Messages of customers: which were read, and which need no answer.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;

use super::changes::ChangedRequest;
use super::errors::unknown_request;
use crate::require_admin::{Admin, actor};
use crate::tags::Tag;
use http::AppState;
use http::request::client_address::Client;
use http::request::error_responses::AdminError;
use http::request::success_responses::NoContent;

/// The calls.
pub struct MessagesApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Emails")]
impl MessagesApi {
    /// Mark the messages of a request as read
    ///
    /// For everyone: a message is unread until one person has opened its request. One whose author
    /// could not be verified starts no clock: it stays unread until the request is answered or
    /// closed, or the message is set aside.
    #[oai(path = "/inbox/:id/read", method = "post", operation_id = "markRead")]
    async fn read(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<String>,
    ) -> Result<NoContent, AdminError> {
        let (reader, now) = (admin.0.user.id, app.clock.now());
        let done = app.store.mark_read(id.0, reader, now).await;
        done.map_err(unknown_request)?;
        Ok(NoContent)
    }

    /// Set the messages of a request aside: they need no answer
    ///
    /// The clock of the next answer stops. It can be undone for a minute. `event` is null if no
    /// message waits.
    #[oai(
        path = "/inbox/:id/set-aside",
        method = "post",
        operation_id = "setMessagesAside"
    )]
    async fn set_aside(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
    ) -> Result<Json<ChangedRequest>, AdminError> {
        let (by, now) = (actor(admin, client), app.clock.now());
        let done = app.store.set_aside(id.0, by, now).await;
        Ok(Json(ChangedRequest::new(
            done.map_err(unknown_request)?,
            &app,
        )))
    }
}

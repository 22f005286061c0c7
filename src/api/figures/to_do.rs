//! What needs doing.

use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::to_do::ToDoLine;
use http::request::error_responses::AdminResult;
use http::server::to_do::to_do;

/// What needs doing.
#[derive(Object)]
struct ToDo {
    /// The most urgent first.
    lines: Vec<ToDoLine>,
}

/// The call.
pub struct ToDoApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl ToDoApi {
    /// What needs doing
    ///
    /// Requests that need attention, offers, problems of the system, and samples that are left. The
    /// reports by email and as PDF have the same.
    #[oai(path = "/to-do", method = "get", operation_id = "getToDo")]
    async fn to_do(&self, desk: Admin) -> AdminResult<ToDo> {
        let lines = to_do(&desk).await?;
        Ok(Json(ToDo { lines }))
    }
}

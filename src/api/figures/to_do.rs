//! What needs doing, beside requests.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::require_admin::Admin;
use crate::tags::Tag;
use http::AppState;
use http::request::error_responses::AdminError;
use site::unfinished;

/// What needs doing, beside requests and the problems of the system.
#[derive(Object)]
struct ToDo {
    /// Offers that wait for the customer and end within a week.
    offers_expiring: i64,
    /// Offers that the customer has accepted, and nobody has confirmed.
    offers_unconfirmed: i64,
    /// Sample requests.
    sample_requests: i64,
    /// Whether offers would be made with the sample of the rates.
    has_sample_rates: bool,
    /// Facts of the company that are samples, as in `phone`.
    sample_facts: Vec<String>,
}

/// The call.
pub struct ToDoApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl ToDoApi {
    /// What needs doing
    ///
    /// Offers and samples. Requests that wait are lists of the inbox, and `getSystem` lists problems
    /// of backups, emails, licenses and the rota.
    #[oai(path = "/to-do", method = "get", operation_id = "getToDo")]
    async fn to_do(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<Json<ToDo>, AdminError> {
        let found = app.store.to_do(app.clock.now()).await?;
        let facts = unfinished::facts(&app.site().company).into_iter();
        Ok(Json(ToDo {
            offers_expiring: found.offers_expiring,
            offers_unconfirmed: found.offers_unconfirmed,
            sample_requests: found.sample_requests,
            has_sample_rates: found.has_sample_rates,
            sample_facts: facts.map(|(key, _)| key.to_owned()).collect(),
        }))
    }
}

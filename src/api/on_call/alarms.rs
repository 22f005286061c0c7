//! The newest alarms with the people they notified, acknowledgements, and tests.

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::require_admin::Admin;
use crate::tags::Tag;
use http::AppState;
use http::request::error_responses::AdminError;
use store::on_call::list::ListedAlarm;

/// Alarms that are listed.
const LISTED: u32 = 20;

/// The newest alarms.
#[derive(Object)]
struct AlarmList {
    alarms: Vec<ListedAlarm>,
}

/// The calls about alarms.
pub struct AlarmApi;

#[OpenApi(prefix_path = "/api/admin/alarms", tag = "Tag::OnCall")]
impl AlarmApi {
    /// List alarms
    ///
    /// The newest alarms, newest first.
    #[oai(path = "/", method = "get", operation_id = "listAlarms")]
    async fn list(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<Json<AlarmList>, AdminError> {
        list(&app).await
    }

    /// Raise a test alarm now
    ///
    /// To the person on call, or to one person alone, who is told by each way there is.
    #[oai(path = "/test", method = "post", operation_id = "testAlarm")]
    async fn test(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        /// A user's id; the person on call without it.
        person: Query<Option<String>>,
    ) -> Result<Json<AlarmList>, AdminError> {
        app.store.raise_test(person.0, app.clock.now()).await?;
        list(&app).await
    }

    /// Acknowledge an alarm
    ///
    /// Assigns its request to you unless it is assigned, and notifies no further people.
    #[oai(
        path = "/:id/acknowledge",
        method = "post",
        operation_id = "acknowledgeAlarm"
    )]
    async fn acknowledge(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<i64>,
    ) -> Result<Json<AlarmList>, AdminError> {
        let person = admin.0.user.id.clone();
        let (again, now) = (app.alarms.rules.again_ms, app.clock.now());
        let taken = app
            .store
            .acknowledge_alarm(id.0, person, "desk", again, now);
        taken.await?;
        list(&app).await
    }

    /// Pass an alarm on
    ///
    /// The next step of its chain is due at once.
    #[oai(path = "/:id/pass-on", method = "post", operation_id = "passOnAlarm")]
    async fn pass_on(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<i64>,
    ) -> Result<Json<AlarmList>, AdminError> {
        let person = admin.0.user.id.clone();
        app.store
            .pass_on_alarm(id.0, person, app.clock.now())
            .await?;
        list(&app).await
    }
}

async fn list(app: &AppState) -> Result<Json<AlarmList>, AdminError> {
    let alarms = app.store.recent_alarms(LISTED).await?;
    Ok(Json(AlarmList { alarms }))
}

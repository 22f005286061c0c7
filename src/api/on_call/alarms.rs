//! The newest alarms with the people they notified, acknowledgements, and tests.

use std::sync::Arc;

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::{Admin, Desk};
use crate::tags::Tag;
use alarms::Alarms;
use http::request::error_responses::AdminResult;
use store::Store;
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
    async fn list(&self, desk: Desk) -> AdminResult<AlarmList> {
        list(&desk.store).await
    }

    /// Raise a test alarm now
    ///
    /// To the person on call, or to one person alone, who is told by each way there is.
    #[oai(path = "/test", method = "post", operation_id = "testAlarm")]
    async fn test(
        &self,
        desk: Admin,
        /// A user's id; the person on call without it.
        person: Query<Option<String>>,
    ) -> AdminResult<AlarmList> {
        desk.store.raise_test(person.0, desk.now).await?;
        list(&desk.store).await
    }

    /// Acknowledge an alarm
    ///
    /// Assigns its request to you unless it is assigned, and notifies no further people.
    #[oai(
        path = "/:id/acknowledge",
        method = "post",
        operation_id = "acknowledgeAlarm"
    )]
    async fn acknowledge(&self, desk: Desk<&Arc<Alarms>>, id: Path<i64>) -> AdminResult<AlarmList> {
        let person = desk.me();
        let (again, now) = (desk.rules.again_ms, desk.now);
        let taken = desk
            .store
            .acknowledge_alarm(id.0, person, "desk", again, now);
        taken.await?;
        list(&desk.store).await
    }

    /// Pass an alarm on
    ///
    /// The next step of its chain is due at once.
    #[oai(path = "/:id/pass-on", method = "post", operation_id = "passOnAlarm")]
    async fn pass_on(&self, desk: Desk, id: Path<i64>) -> AdminResult<AlarmList> {
        let person = desk.me();
        desk.store.pass_on_alarm(id.0, person, desk.now).await?;
        list(&desk.store).await
    }
}

async fn list(store: &Store) -> AdminResult<AlarmList> {
    let alarms = store.recent_alarms(LISTED).await?;
    Ok(Json(AlarmList { alarms }))
}

//! Pushes to the browsers of the caller.

use std::sync::Arc;

use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::json;

use crate::desk::Desk;
use crate::tags::Tag;
use alarms::Alarms;
use alarms::push::{Push, Pushed};
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::server::system_status::System;
use store::on_call::contacts::{PushDevice, PushSubscription};

/// The keys of a subscription.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct PushKeys {
    /// Base64url.
    p256dh: String,
    auth: String,
}

/// A browser's subscription, as `PushSubscription.toJSON()` writes it.
#[derive(Object, Deserialize)]
#[oai(rename = "PushSubscription")]
struct Subscription {
    endpoint: String,
    keys: PushKeys,
}

/// A browser to remove.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct PushRemoval {
    /// The number of a device, or an endpoint.
    device: String,
}

/// The browsers of the caller.
#[derive(Object)]
struct PushDevices {
    /// The key with which browsers subscribe.
    public_key: String,
    devices: Vec<PushDevice>,
}

/// The result of a test.
#[derive(Object)]
struct PushTest {
    /// Devices whose push service has taken it.
    sent: u32,
    /// Why others were not reached, one sentence each.
    failed: Vec<String>,
}

/// The calls about pushes.
pub struct PushApi;

#[OpenApi(prefix_path = "/api/admin/push", tag = "Tag::OnCall")]
impl PushApi {
    /// Your devices
    #[oai(path = "/", method = "get", operation_id = "listPushDevices")]
    async fn list(&self, desk: Desk<&Arc<Alarms>>) -> AdminResult<PushDevices> {
        devices(&desk).await
    }

    /// Subscribe this browser
    ///
    /// Repeat it at each opening: browsers renew their subscriptions.
    #[oai(path = "/", method = "put", operation_id = "subscribeToPush")]
    async fn subscribe(
        &self,
        desk: Desk<&Arc<Alarms>>,
        body: StrictJson<Subscription>,
    ) -> AdminResult<PushDevices> {
        let Subscription { endpoint, keys } = body.0;
        let new = PushSubscription {
            endpoint,
            p256dh: keys.p256dh,
            auth: keys.auth,
        };
        Push::check(&desk.outgoing, &new).map_err(|why| invalid("endpoint", why))?;
        desk.store.subscribe(desk.me(), new, desk.now).await?;
        devices(&desk).await
    }

    /// Remove a browser of yours
    #[oai(
        path = "/remove",
        method = "post",
        operation_id = "unsubscribeFromPush"
    )]
    async fn remove(
        &self,
        desk: Desk<&Arc<Alarms>>,
        body: StrictJson<PushRemoval>,
    ) -> AdminResult<PushDevices> {
        desk.store.unsubscribe(desk.me(), body.0.device).await?;
        devices(&desk).await
    }

    /// Send yourself a test
    #[oai(path = "/test", method = "post", operation_id = "testPush")]
    async fn test(&self, desk: Desk<System<'_>>) -> AdminResult<PushTest> {
        if desk.role.is_drill() {
            return Err(Problem::conflict("This is a drill; nothing is sent.").into());
        }
        let text = json!({
            "title": "Test",
            "body": "Alarms reach this device.",
            "url": "/admin/account",
            "tag": "test",
        });
        let (mut sent, mut failed) = (0, Vec::new());
        for device in desk.store.push_devices(desk.me()).await? {
            let (push, outgoing) = (&desk.alarms.push, &desk.alarms.outgoing);
            let (to, now) = (&device.subscription, desk.now);
            match push.send(outgoing, to, &text, "test", now).await {
                Pushed::Taken => sent += 1,
                Pushed::Failed(why) => failed.push(why),
                Pushed::Gone => {
                    desk.store.drop_device(device.id).await?;
                    failed.push("A device is no longer subscribed and was removed.".to_owned());
                }
            }
        }
        Ok(Json(PushTest { sent, failed }))
    }
}

async fn devices(desk: &Desk<&Arc<Alarms>>) -> AdminResult<PushDevices> {
    Ok(Json(PushDevices {
        public_key: desk.push.public_key(),
        devices: desk.store.push_devices(desk.me()).await?,
    }))
}

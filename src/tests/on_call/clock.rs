//! A clock that is set back while alarms, their messages and webhooks wait.

use serde_json::json;

use super::webhooks::add;
use super::{Desk, MINUTE};
use crate::support::listener::Listener;

#[tokio::test]
async fn a_clock_that_is_set_back_delays_a_step_by_a_tenth_of_its_wait_at_most() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    desk.number(&desk.ada, "7135550111").await;
    let target = Listener::start().await;
    add(&desk, &target, json!({ "events": ["request.created"] })).await;
    desk.app.stored(json!({})).await;
    desk.app.clock.advance(-6 * 60 * MINUTE);
    desk.deliver().await;
    desk.app.webhooks().deliver_due().await.unwrap();
    assert_eq!(target.take().len(), 1);
    desk.after(3 * MINUTE - 1).await;
    assert!(desk.called().is_empty());
    desk.after(MINUTE / 2).await;
    assert_eq!(desk.called(), ["+17135550111"]);
}

//! Emails that a server was sending when it was killed.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use outbox::email::Email;
use outbox::mailer::{DeliveryError, Mailer};
use serde_json::json;

use crate::support::app::TestApp;

/// A mail server that never answers.
struct Silent;

impl Mailer for Silent {
    fn send<'a>(&'a self, _: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(std::future::pending())
    }

    fn concurrency(&self) -> u32 {
        1
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_during_which_the_server_is_killed_twice_leaves_at_the_next_start() {
    let app = TestApp::start().await;
    app.stored(json!({ "emergency_contact": false })).await;
    for _ in 0..2 {
        let worker = app.delivery_worker(Arc::new(Silent));
        let deliver = async move {
            let _ = worker.deliver_due().await;
        };
        app.kill_during("outbox WHERE lease IS NOT NULL", deliver)
            .await;
        assert_eq!(app.outbox_column("state").await, "due");
    }
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

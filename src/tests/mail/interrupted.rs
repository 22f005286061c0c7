//! Emails that a server was sending when it was killed.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use outbox::email::Email;
use outbox::mailer::{DeliveryError, Mailer};
use serde_json::json;
use store::ClaimLimits;

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

#[tokio::test]
async fn all_that_a_killed_server_was_sending_leaves_at_the_next_start_emergencies_first() {
    let app = TestApp::with(|config| {
        config.limits.form_max = 1000;
        config.mail.single_notices = 1000;
    })
    .await;
    for n in 0..40 {
        let email = format!("visitor{n}@property.example");
        let is_emergency = n >= 38;
        let quote = json!({ "email": email, "emergency_contact": is_emergency });
        app.stored(quote).await;
    }
    for _ in 0..2 {
        let claimed = app
            .store
            .claim_due(ClaimLimits::any(100), 90_000, app.clock.now())
            .await;
        assert_eq!(claimed.unwrap().len(), 40);
        app.store.release_interrupted().await.unwrap();
    }
    app.run_outbox().await;
    let sent = app.mailbox();
    assert_eq!(sent.len(), 40);
    let urgent = sent[..4].iter();
    let urgent = urgent.filter(|it| it.subject.starts_with("Call now"));
    assert_eq!(urgent.count(), 2, "in the first batches");
}

//! Priorities: sign-in emails and emergency notices are sent before a flood of other notices, even
//! if some of those hang.

use std::sync::Arc;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use outbox::email::Email;
use outbox::mailer::{DeliveryError, Mailer};
use serde_json::json;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::mail::delivery::{BOUND, app_with};
use crate::support::app::TestApp;
use crate::support::smtp::{Behavior, SmtpServer};

const OWNER: &str = "max@guard.example";

/// A mailer with four concurrent sends that completes one per permit.
struct SlowMailer {
    started: Mutex<Vec<&'static str>>,
    count: watch::Sender<usize>,
    permits: Semaphore,
}

impl SlowMailer {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            started: Mutex::default(),
            count: watch::channel(0).0,
            permits: Semaphore::new(0),
        })
    }

    /// The kinds of the emails started so far, once there are `count` of them.
    async fn wait_for_started(&self, count: usize) -> Vec<&'static str> {
        let mut seen = self.count.subscribe();
        let wait = seen.wait_for(|seen| *seen >= count);
        timeout(BOUND, wait)
            .await
            .expect("an email is started")
            .unwrap();
        self.started.lock().unwrap().clone()
    }
}

impl Mailer for SlowMailer {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let text = String::from_utf8_lossy(&email.message.formatted()).into_owned();
        self.started
            .lock()
            .unwrap()
            .push(match email.kind.as_str() {
                "account" => "account",
                _ if text.contains("Subject: Call now") => "emergency",
                _ => "notice",
            });
        self.count.send_modify(|count| *count += 1);
        Box::pin(async {
            self.permits.acquire().await.unwrap().forget();
            Ok(())
        })
    }

    fn concurrency(&self) -> u32 {
        4
    }
}

async fn recover(app: &TestApp) {
    let asked = app.auth_post("/recover", json!({ "email": OWNER })).await;
    assert_eq!(asked.status, 200);
}

#[tokio::test]
async fn in_a_flood_of_notices_a_recovery_email_and_an_emergency_are_sent_next() {
    for flood in ["notice", "emergency"] {
        let app = TestApp::start().await;
        app.join(OWNER).await;
        for _ in 0..20 {
            app.stored(json!({ "emergency_contact": flood == "emergency" }))
                .await;
        }
        let mailer = SlowMailer::new();
        let (stop, stopped) = watch::channel(false);
        let running = tokio::spawn(app.delivery_worker(mailer.clone()).run(stopped));
        assert_eq!(mailer.wait_for_started(3).await, [flood; 3]);

        recover(&app).await;
        let started = mailer.wait_for_started(4).await;
        assert_eq!(
            started[3], "account",
            "although three emails of the flood hang"
        );
        app.stored(json!({})).await;
        mailer.permits.add_permits(1);
        let started = mailer.wait_for_started(5).await;
        assert_eq!(started[4], "emergency");

        stop.send_replace(true);
        mailer.permits.add_permits(100);
        timeout(BOUND, running).await.expect("it stops").unwrap();
    }
}

#[tokio::test]
async fn a_rescheduled_sign_in_email_is_sent_before_new_notices() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(450)]).await;
    let app = app_with(&server, |_| {}).await;
    app.join(OWNER).await;
    recover(&app).await;
    let delivery_worker = app.smtp_worker();
    delivery_worker.deliver_due().await.unwrap();
    assert_eq!(server.emails().len(), 0, "greylisted");
    for _ in 0..10 {
        app.stored(json!({ "emergency_contact": false })).await;
    }
    app.clock.advance(30_000);
    delivery_worker.deliver_due().await.unwrap();
    let to_owner = |mail: &crate::support::mail::Mail| mail.to.concat().contains(OWNER);
    assert!(server.emails().iter().any(to_owner));
    assert!(app.rows("outbox WHERE state = 'due'").await >= 7);
}

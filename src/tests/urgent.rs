//! What a person waits for goes first: sign-in emails and emergency notices pass a flood of other
//! notices and emails that hang.

use std::sync::Arc;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use guardpost::outbox::email::Email;
use guardpost::outbox::mailer::{DeliveryError, Mailer};
use serde_json::json;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use crate::app::TestApp;
use crate::delivery::{BOUND, app_with};
use crate::smtp::{Manner, SmtpServer};

const OWNER: &str = "max@guard.example";

/// Begins four emails at once and ends one for each permit.
struct Slow {
    begun: Mutex<Vec<&'static str>>,
    count: watch::Sender<usize>,
    ends: Semaphore,
}

impl Slow {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Mutex::default(),
            count: watch::channel(0).0,
            ends: Semaphore::new(0),
        })
    }

    /// What the emails begun so far are about, once there are `count` of them.
    async fn begun(&self, count: usize) -> Vec<&'static str> {
        let mut seen = self.count.subscribe();
        let wait = seen.wait_for(|seen| *seen >= count);
        timeout(BOUND, wait)
            .await
            .expect("an email begins")
            .unwrap();
        self.begun.lock().unwrap().clone()
    }
}

impl Mailer for Slow {
    fn send<'a>(&'a self, letter: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let text = String::from_utf8_lossy(&letter.message.formatted()).into_owned();
        self.begun.lock().unwrap().push(match letter.kind.as_str() {
            "account" => "account",
            _ if text.contains("Subject: Call now") => "emergency",
            _ => "notice",
        });
        self.count.send_modify(|count| *count += 1);
        Box::pin(async {
            self.ends.acquire().await.unwrap().forget();
            Ok(())
        })
    }

    fn at_once(&self) -> u32 {
        4
    }
}

async fn recover(app: &TestApp) {
    let asked = app.auth_post("/recover", json!({ "email": OWNER })).await;
    assert_eq!(asked.status, 200);
}

#[tokio::test]
async fn in_a_flood_of_notices_a_recovery_email_and_an_emergency_are_the_next() {
    for flood in ["notice", "emergency"] {
        let app = TestApp::start().await;
        app.join(OWNER).await;
        for _ in 0..20 {
            app.stored(json!({ "emergency_contact": flood == "emergency" }))
                .await;
        }
        let mailer = Slow::new();
        let (stop, stopped) = watch::channel(false);
        let running = tokio::spawn(app.delivery_worker(mailer.clone()).run(stopped));
        assert_eq!(mailer.begun(3).await, [flood; 3]);

        recover(&app).await;
        let begun = mailer.begun(4).await;
        assert_eq!(
            begun[3], "account",
            "although three emails of the flood hang"
        );
        app.stored(json!({})).await;
        mailer.ends.add_permits(1);
        let begun = mailer.begun(5).await;
        assert_eq!(begun[4], "emergency");

        stop.send_replace(true);
        mailer.ends.add_permits(100);
        timeout(BOUND, running).await.expect("it stops").unwrap();
    }
}

#[tokio::test]
async fn a_sign_in_email_that_was_put_off_goes_before_fresh_notices() {
    let server = SmtpServer::start(&[Manner::RefuseRecipient(450)]).await;
    let app = app_with(&server, |_| {}).await;
    app.join(OWNER).await;
    recover(&app).await;
    let delivery_worker = app.smtp_postman();
    delivery_worker.deliver_due().await.unwrap();
    assert_eq!(server.letters().len(), 0, "greylisted");
    for _ in 0..10 {
        app.stored(json!({ "emergency_contact": false })).await;
    }
    app.clock.advance(30_000);
    delivery_worker.deliver_due().await.unwrap();
    let to_owner = |mail: &crate::mail::Mail| mail.to.concat().contains(OWNER);
    assert!(server.letters().iter().any(to_owner));
    assert!(app.rows("outbox WHERE state = 'due'").await >= 7);
}

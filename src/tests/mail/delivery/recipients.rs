//! Several recipients of one notice: each gets a separate email.

use config::Config;
use serde_json::json;

use super::{HOURS, app_with, deliver_all};
use crate::support::smtp::{Behavior, SmtpServer};

/// Configures three recipients.
fn three_recipients(config: &mut Config) {
    config.mail.to = ["one", "two", "three"]
        .map(|name| format!("{name}@guardpost.example"))
        .to_vec();
}

/// Recipients of the accepted emails, sorted.
fn recipients(server: &SmtpServer) -> Vec<String> {
    let mut recipients: Vec<_> = server
        .emails()
        .iter()
        .map(|email| email.to.concat())
        .collect();
    recipients.sort();
    recipients
}

#[tokio::test]
async fn a_rejected_address_affects_no_other_recipient_and_nobody_gets_an_email_twice() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(550)]).await;
    let app = app_with(&server, three_recipients).await;
    app.stored(json!({})).await;
    let delivery_worker = app.smtp_worker();
    deliver_all(&delivery_worker).await;
    assert_eq!(
        recipients(&server),
        ["three@guardpost.example", "two@guardpost.example"]
    );
    assert_eq!(app.rows("outbox WHERE state = 'failed'").await, 1);
    app.store.retry_all_emails(app.clock.now()).await.unwrap();
    deliver_all(&delivery_worker).await;
    let all = [
        "one@guardpost.example",
        "three@guardpost.example",
        "two@guardpost.example",
    ];
    assert_eq!(recipients(&server), all, "only the rejected one is retried");
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 3);
}

#[tokio::test]
async fn an_address_removed_from_the_settings_gets_no_more_emails() {
    let server = SmtpServer::start(&[Behavior::RejectRecipient(450)]).await;
    let mut app = app_with(&server, three_recipients).await;
    app.stored(json!({})).await;
    deliver_all(&app.smtp_worker()).await;
    app.config.mail.to.remove(0);
    app.clock.advance(HOURS);
    deliver_all(&app.smtp_worker()).await;
    assert_eq!(server.emails().len(), 2);
    assert_eq!(
        app.rows("outbox WHERE state = 'failed' AND last_error LIKE '%no longer one of%'")
            .await,
        1
    );
}

//! An answer goes to the `Reply-To` of the message: by a real connection to a mail server.

use reqwest::Method;
use serde_json::{Value, json};

use super::desk::{Desk, verified};
use crate::mail::delivery::{deliver_all, send_by};
use crate::support::smtp::SmtpServer;

/// Sends a reply to the mail server; the addresses of its `To`.
async fn answered(desk: &Desk, server: &SmtpServer, id: &str, to: Value) -> Vec<String> {
    let path = format!("/api/admin/inbox/{id}/replies");
    let body = json!({"subject": "Your request", "text": format!("Yes. {to}"), "to": to});
    desk.post(&path, body).await;
    desk.app.clock.advance(10_000);
    deliver_all(&desk.app.smtp_worker()).await;
    server.emails().pop().unwrap().to
}

/// A dispatcher opens the request.
async fn open(desk: &Desk) {
    let path = format!("/api/admin/inbox/{}/read", desk.id);
    desk.post(&path, json!({})).await;
}

#[tokio::test]
async fn a_new_enquiry_through_a_portal_is_answered_at_its_customers_address() {
    let server = SmtpServer::start(&[]).await;
    let desk = Desk::with(|config| send_by(config, &server)).await;
    desk.receive(
        "From: Leads <no-reply@portal.example>\nReply-To: Bob Lee <bob@site.example>\n\
         To: office@guardpost.example\nSubject: New lead\nMessage-ID: <l1@portal.example>\n\n\
         Two guards, please.\n",
    )
    .await;
    let list = desk.get("/api/admin/unmatched").await;
    let email = list["emails"][0]["id"].as_str().unwrap();
    let path = format!("/api/admin/unmatched/{email}/request");
    let made = desk.post(&path, json!({})).await;
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        answered(&desk, &server, id, json!(null)).await,
        ["bob@site.example"]
    );
    let sent = server.emails().pop().unwrap();
    assert!(
        sent.raw.contains("In-Reply-To: <l1@portal.example>"),
        "{}",
        sent.raw
    );
}

#[tokio::test]
async fn a_reply_goes_where_the_message_asks_for_it_and_nowhere_else() {
    let server = SmtpServer::start(&[]).await;
    let desk = Desk::with(|config| send_by(config, &server)).await;
    deliver_all(&desk.app.smtp_worker()).await;
    let fields = "Reply-To: Team <team@property.example>\n";
    let head = verified("property.example");
    let answer = desk.email(1, &head, &desk.facts.customer, fields, "Write to us all.");
    desk.receive(answer).await;
    open(&desk).await;
    let written = &desk.events("wrote").await[0]["detail"];
    assert_eq!(written["reply_to"], "team@property.example");
    let path = format!("/api/admin/inbox/{}/replies", desk.id);
    let body = json!({"subject": "s", "text": "t", "to": "eve@evil.example"});
    let refused = desk.call(Method::POST, &path, body).await;
    assert_eq!(refused.status(), 422, "nobody has asked for that");
    for (to, expected) in [
        (json!("Team@property.example"), "team@property.example"),
        (json!(desk.facts.customer), "maria@property.example"),
        (json!(null), "maria@property.example"),
    ] {
        let sent = answered(&desk, &server, &desk.id, to.clone()).await;
        assert_eq!(sent, [expected], "{to}");
    }
    let replied = desk.events("replied").await;
    assert_eq!(replied[1]["detail"]["to"], "team@property.example");
    assert_eq!(desk.attention().await, 0, "it is answered");
}

#[tokio::test]
async fn a_reply_that_came_back_from_there_needs_attention() {
    let desk = Desk::start().await;
    let fields = "Reply-To: team@property.example\n";
    let head = verified("property.example");
    desk.receive(desk.email(1, &head, &desk.facts.customer, fields, "To us all."))
        .await;
    open(&desk).await;
    let path = format!("/api/admin/inbox/{}/replies", desk.id);
    let body = json!({"subject": "s", "text": "t", "to": "team@property.example"});
    desk.post(&path, body).await;
    desk.app.clock.advance(10_000);
    desk.app.run_outbox().await;
    let sent = desk.app.mailbox().pop().unwrap();
    assert_eq!(sent.to, ["team@property.example"]);
    assert_eq!(desk.attention().await, 0);
    desk.receive(format!(
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.guard.example\nTo: office@guardpost.example\n\
         Subject: Undelivered mail\nMessage-ID: <r1@mx.guard.example>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n\
         It could not be delivered.\n--b\nContent-Type: message/delivery-status\n\n\
         Reporting-MTA: dns; mx.guard.example\n\nFinal-Recipient: rfc822; \
         team@property.example\nAction: failed\nStatus: 5.1.1\n--b\n\
         Content-Type: text/rfc822-headers\n\nMessage-ID: <{}>\n--b--\n",
        sent.message_id
    ))
    .await;
    assert_eq!(desk.request().await["reply_failed"], true);
    assert_eq!(desk.attention().await, 1);
}

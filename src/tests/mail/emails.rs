//! The contents of emails to the office.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::mail::Mail;
use crate::support::visitors::quote;

/// The office's email about a quote request.
async fn quote_email(changes: serde_json::Value) -> Mail {
    reference_and_email(changes).await.1
}

/// The reference of a quote request, and the office's email about it.
async fn reference_and_email(changes: serde_json::Value) -> (String, Mail) {
    let app = TestApp::start().await;
    let answer = app.ask("198.51.100.1", None, &quote(changes)).await;
    assert_eq!(answer.status(), 201);
    let receipt: serde_json::Value = answer.json().await.unwrap();
    app.run_outbox().await;
    let reference = receipt["reference"].as_str().unwrap().to_owned();
    (reference, app.mailbox().remove(0))
}

#[tokio::test]
async fn a_quote_email_lists_the_most_important_facts_first() {
    let (reference, mail) = reference_and_email(json!({"location": "Houston TX"})).await;
    assert_eq!(
        mail.subject,
        "Call now, quote request: Fire Watch, Houston TX, starts Tuesday, December 1, 2099"
    );
    assert_eq!(mail.from, "Guardpost Security <office@guardpost.example>");
    assert_eq!(mail.to, ["Guardpost Security <office@guardpost.example>"]);
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("María O’Brien <maria@property.example>")
    );
    let expected = format!(
        "Quote request: Fire Watch

María O’Brien wants a call right away.

Call      (713) 555-0188
Name      María O’Brien
Company   Bayou Property & Sons
Service   Fire Watch
Where     Houston TX
Starts    Tuesday, December 1, 2099
For       1 week
Email     maria@property.example
Received  Saturday, November 21, 2026 at 6:00 AM CST
Reference {reference}

In their words:
> Panel is down on floors 3 to 9

Open this quote:
"
    );
    assert!(mail.text.starts_with(&expected), "{}", mail.text);
}

#[tokio::test]
async fn a_quote_email_links_to_the_quote_and_to_the_visitors_phone() {
    let app = TestApp::start().await;
    let answer = app.ask("198.51.100.1", None, &quote(json!({}))).await;
    let receipt: serde_json::Value = answer.json().await.unwrap();
    app.run_outbox().await;
    let mail = app.mailbox().remove(0);
    let link = format!(
        "http://127.0.0.1:8080/admin?quote={}",
        receipt["id"].as_str().unwrap()
    );
    assert_eq!(mail.link(), Some(link.clone()));
    assert!(mail.html.contains(&format!("href=\"{link}\"")));
    assert!(mail.html.contains("href=\"tel:+17135550188\""));
    let (preview, body) = mail.html.split_once("<h1").unwrap();
    assert!(
        preview.contains("María O’Brien, (713) 555-0188: Panel is down"),
        "the preview says whom to call and why: {preview}"
    );
    assert_eq!(body.matches("tel:+17135550188").count(), 1);
    assert!(mail.html.contains("Bayou Property &amp; Sons"), "escaped");
}

#[tokio::test]
async fn a_very_long_word_does_not_break_the_layout_on_a_phone() {
    let long = "https://maps.example/".to_owned() + &"w".repeat(900);
    let mail = quote_email(json!({"description": long})).await;
    let (before, _) = mail.html.split_once(&long).unwrap();
    assert!(before.contains("line-height:24px;word-break:break-word"));
}

#[tokio::test]
async fn a_quote_email_omits_empty_fields() {
    let mail =
        quote_email(json!({"emergency_contact": false, "description": null, "company": null}))
            .await;
    assert_eq!(
        mail.subject,
        "Quote request: Fire Watch, Houston, TX, starts Tuesday, December 1, 2099"
    );
    for absent in ["right away", "In their words", "Company"] {
        assert!(!mail.text.contains(absent), "{absent}: {}", mail.text);
        assert!(!mail.html.contains(absent), "{absent}");
    }
}

#[tokio::test]
async fn a_contact_email_has_the_message_and_replies_go_to_the_visitor() {
    let app = TestApp::with(|config| config.company.time_zone = "America/New_York".into()).await;
    let message = json!({
        "first_name": "Ana", "last_name": "Silva", "email": "ana@dock.example",
        "phone": "713-555-0177", "company": "",
        "service": "emergency", "details": "Guard did not turn up tonight.\nGate 4, please call."
    });
    let answer = app
        .http
        .post(app.url("/api/contact"))
        .json(&message)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201);
    let receipt: serde_json::Value = answer.json().await.unwrap();
    let reference = receipt["reference"].as_str().unwrap();
    app.run_outbox().await;
    let mail = app.mailbox().remove(0);
    for fact in [
        format!("Reference {reference}\n"),
        "Received  Saturday, November 21, 2026 at 7:00 AM EST\n".to_owned(),
    ] {
        assert!(mail.text.contains(&fact), "{fact}: {}", mail.text);
    }
    let link = format!("http://127.0.0.1:8080/admin?view=messages&request={reference}");
    assert_eq!(mail.link(), Some(link));
    assert_eq!(
        mail.subject,
        "Contact message: Emergency Response, from Ana Silva"
    );
    assert_eq!(
        mail.reply_to.as_deref(),
        Some("Ana Silva <ana@dock.example>")
    );
    assert!(
        mail.text
            .contains("> Guard did not turn up tonight.\n> Gate 4, please call.\n")
    );
    assert!(
        mail.html
            .contains("Guard did not turn up tonight.<br>Gate 4")
    );
}

#[tokio::test]
async fn sender_and_recipients_are_settings() {
    let app = TestApp::with(|config| {
        config.mail.from = "Night Desk <desk@guardpost.example>".into();
        config.mail.to = vec![
            "one@guardpost.example".into(),
            "Two <two@guardpost.example>".into(),
            "One@Guardpost.example".into(),
        ];
        config.server.base_url = "https://www.guardpost.example".into();
    })
    .await;
    app.ask("198.51.100.1", None, &quote(json!({}))).await;
    app.run_outbox().await;
    let mails = app.mailbox();
    let to: Vec<_> = mails.iter().map(|mail| mail.to.concat()).collect();
    assert_eq!(
        to,
        ["one@guardpost.example", "Two <two@guardpost.example>"],
        "one email each; a duplicate gets one"
    );
    for mail in mails {
        assert_eq!(mail.from, "Night Desk <desk@guardpost.example>");
        assert!(
            mail.link()
                .unwrap()
                .starts_with("https://www.guardpost.example/admin?quote=")
        );
    }
}

#[tokio::test]
async fn stored_text_cannot_inject_a_header() {
    let attack = "x\r\nBcc: victim@evil.example\r\n\r\n<b>body</b>";
    for column in [
        "first_name",
        "last_name",
        "email",
        "phone",
        "company",
        "service",
        "duration",
        "start_date",
        "location",
        "description",
    ] {
        let app = TestApp::start().await;
        app.ask("198.51.100.1", None, &quote(json!({}))).await;
        // Validation prevents this; the email must be safe even so.
        let update = move |conn: &rusqlite::Connection| {
            Ok(conn.execute(&format!("UPDATE requests SET {column} = ?1"), [attack])?)
        };
        app.store.write(update).await.unwrap();
        app.run_outbox().await;
        let mail = app.mailbox().remove(0);
        let (head, _) = mail.raw.split_once("\r\n\r\n").unwrap();
        assert!(
            !head
                .to_lowercase()
                .lines()
                .any(|line| line.starts_with("bcc")),
            "{column}: {head}"
        );
        assert_eq!(mail.to.len(), 1, "{column}");
        assert!(
            mail.text.contains("Open this quote:"),
            "{column}: {}",
            mail.text
        );
        assert!(!mail.html.contains("<b>body"), "{column}");
    }
}

//! Addresses of ours that the mail library cannot write into headers, and a changed office address.

use domain::email::email_address::EmailAddress;
use serde_json::json;

use crate::content::Editor;
use crate::support::app::TestApp;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// Valid by their grammar, but no email can be sent with them.
const UNUSABLE: [&str; 2] = ["office@[10.0.0.1]", "\"the office\"@guard.example"];

/// Valid, but refused for good by mail servers without SMTPUTF8.
const INTERNATIONAL: [&str; 2] = ["\u{f6}ffice@guard.example", "office@g\u{fc}ard.example"];

#[test]
fn the_settings_take_no_address_that_email_cannot_be_sent_to() {
    for address in UNUSABLE.into_iter().chain(INTERNATIONAL) {
        for setting in [
            format!("[company]\nemail = '{address}'\n"),
            format!("[company]\nmedia_email = '{address}'\n"),
            format!("[mail]\nfrom = 'Office <{address}>'\n"),
            format!("[mail]\nto = ['{address}']\n"),
        ] {
            let error = crate::settings::config::load(&setting, &[]).unwrap_err();
            assert!(error.contains("email can be sent"), "{setting}: {error}");
        }
    }
    for address in UNUSABLE {
        assert!(address.parse::<EmailAddress>().is_err());
    }
}

#[tokio::test]
async fn the_editor_takes_no_address_that_email_cannot_be_sent_to() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section("facts").await;
    for address in UNUSABLE.into_iter().chain(INTERNATIONAL) {
        facts["email"] = json!(address);
        let refused = editor.save("facts", 0, &facts).await;
        assert_eq!(refused.status(), 422, "{address}");
        let text = refused.text().await.unwrap();
        assert!(text.contains("must be an email address"), "{text}");
    }
}

#[tokio::test]
async fn a_fault_of_our_own_address_delays_emails_until_it_is_corrected() {
    let mut app = TestApp::with(|config| config.company.email = UNUSABLE[0].into()).await;
    let admin = app.admin().await;
    app.stored(json!({})).await;
    for _ in 0..20 {
        app.run_outbox().await;
        app.clock.advance(DAY);
    }
    assert_eq!(app.mailbox().len(), 0);
    let counts = app.store.outbox_counts(app.clock.now()).await.unwrap();
    assert_eq!((counts.unaddressed, counts.failed), (1, 0));
    let admin = app.sign_in(&admin.email).await;
    let system = app.http.get(app.url("/api/admin/system"));
    let system = system
        .bearer_auth(&admin.access_token)
        .send()
        .await
        .unwrap();
    let system: serde_json::Value = crate::support::visitors::json(system).await;
    let problems = system["problems"].to_string();
    assert!(
        problems.contains("our own email address is invalid"),
        "{problems}"
    );
    let found =
        store::installation::inspection::inspect(&app.folder.path().join("guardpost.db"), || false);
    assert_eq!(found.emails.unaddressed, 1);

    app.config.company.email = "office@guard.example".into();
    app.restart().await;
    app.clock.advance(DAY);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert!(
        app.mailbox()[0]
            .to
            .concat()
            .contains("<office@guard.example>")
    );
}

#[tokio::test]
async fn a_visitor_with_an_address_that_headers_cannot_name_still_reaches_the_office() {
    let app = TestApp::with(|config| config.mail.acknowledge = true).await;
    app.stored(json!({})).await;
    app.sql("UPDATE requests SET email = 'ann@[10.0.0.1]'")
        .await;
    app.run_outbox().await;
    let mails = app.mailbox();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].reply_to, None);
    let counts = app.store.outbox_counts(app.clock.now()).await.unwrap();
    assert_eq!((counts.due, counts.failed), (0, 1), "the acknowledgement");
}

#[tokio::test]
async fn a_changed_office_address_is_announced_to_the_former_one() {
    let app = TestApp::start().await;
    let editor = Editor::of(&app).await;
    let mut facts = editor.section("facts").await;
    facts["email"] = json!("thief@evil.example");
    editor.show(0, "facts", &facts).await;
    app.run_outbox().await;
    let mails = app.mailbox();
    assert_eq!(mails.len(), 1);
    assert_eq!(mails[0].to, ["office@guardpost.example"]);
    for part in [&mails[0].text, &mails[0].html] {
        assert!(part.contains("thief@evil.example"), "{part}");
    }
    facts["hours"] = json!("Open at night");
    editor.show(1, "facts", &facts).await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1, "nothing else is announced");
}

//! The contents of emails to users about their accounts, and what becomes of their secrets.

use serde_json::json;

use crate::support::app::TestApp;

/// Stores a notice of the authentication service.
async fn store_account_notice(app: &TestApp, notice: serde_json::Value) {
    let insert = move |conn: &rusqlite::Connection| {
        Ok(conn.execute(
            "INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at)
             VALUES (1, ?1, 'account', 'admin@guardpost.example', ?2, '1970-01-01T00:00:00.000Z')",
            [crate::support::app::START, &notice.to_string()],
        )?)
    };
    app.store.write(insert).await.unwrap();
}

fn notice(app: &TestApp, kind: &str, link: Option<&str>) -> serde_json::Value {
    let to = "admin@guardpost.example";
    let secret = json!({ "code": "048213", "link": link }).to_string();
    json!({
        "notice": "account", "kind": kind, "to": to,
        "sealed": app.auth.email_key().seal(&secret, to).unwrap(),
        "new_email": "new@guardpost.example", "minutes": 60
    })
}

#[tokio::test]
async fn an_account_email_has_its_code_before_any_other_number_and_one_link() {
    let link = "https://www.guardpost.example/auth/v1/verify?token=0123456789abcdef&type=recovery\
                &redirect_to=https%3A%2F%2Fwww.guardpost.example%2Fadmin";
    for kind in [
        "signup",
        "invite",
        "recovery",
        "magiclink",
        "email_change_current",
        "email_change_new",
        "reauthentication",
    ] {
        let app = TestApp::start().await;
        let link = (kind != "reauthentication").then_some(link);
        store_account_notice(&app, notice(&app, kind, link)).await;
        app.run_outbox().await;
        let mail = app.mailbox().remove(0);
        assert_eq!(mail.to, ["admin@guardpost.example"], "{kind}");
        assert_eq!(mail.reply_to, None, "{kind}");
        assert_eq!(mail.code(), "048213", "{kind}");
        let (before, _) = mail.text.split_once("048213").unwrap();
        assert!(
            !before.bytes().any(|b| b.is_ascii_digit()),
            "{kind}: {before}"
        );
        assert_eq!(mail.link().as_deref(), link, "{kind}");
        assert_eq!(
            mail.text.matches("://").count(),
            link.map_or(0, |link| link.matches("://").count()),
            "{kind}"
        );
        assert_eq!(
            mail.html.matches("token=0123456789abcdef&amp;type").count(),
            usize::from(link.is_some()),
            "{kind}"
        );
        assert!(mail.text.contains("1 hour"), "{kind}");
    }
}

#[tokio::test]
async fn the_secret_of_a_sent_account_email_is_deleted() {
    let app = TestApp::start().await;
    store_account_notice(
        &app,
        notice(
            &app,
            "recovery",
            Some("https://a.example/auth/v1/verify?token=secret"),
        ),
    )
    .await;
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
    assert_eq!(
        app.rows("outbox WHERE state = 'sent' AND notice = ''")
            .await,
        1
    );
}

#[tokio::test]
async fn an_account_email_whose_code_has_expired_is_not_sent() {
    let app = TestApp::start().await;
    store_account_notice(&app, notice(&app, "recovery", None)).await;
    app.clock.advance(60 * 60 * 1000 + 1);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 0);
    assert_eq!(
        app.rows("outbox WHERE state = 'failed' AND notice = ''")
            .await,
        1
    );
    assert_eq!(
        app.store.retry_all_emails(app.clock.now()).await.unwrap(),
        0
    );
}

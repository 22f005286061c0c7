//! Links that an admin or an operator has sent: no stranger invalidates them.

use serde_json::json;

use super::{MINUTE, OWNER, STRANGERS_PASSWORD, admin_call, another, open, type_code};
use crate::auth::emails::token_of;

#[tokio::test]
async fn anonymous_requests_do_not_invalidate_an_invitation() {
    let app = open().await;
    let admin = app.admin().await;
    let body = json!({ "email": OWNER });
    admin_call(&app, &admin, "/admin/invite", body).await.ok();
    let invitation = app.mail_to(OWNER).await;
    for path in ["/resend", "/otp", "/recover", "/signup"] {
        app.clock.advance(MINUTE);
        let body = json!({ "type": "signup", "email": OWNER, "password": STRANGERS_PASSWORD });
        app.auth_post(path, body).await.ok();
    }
    for _ in 0..6 {
        let wrong = another(&invitation.code());
        assert_eq!(type_code(&app, wrong).await.status, 403);
    }
    let guessed = type_code(&app, &invitation.code()).await;
    assert_eq!(guessed.status, 403, "five wrong codes void the code");
    app.clock.advance(23 * 60 * MINUTE);
    let pressed = app.confirm(&invitation.link().unwrap()).await;
    let told = pressed.fragment("access_token");
    assert!(told.is_some(), "{}", pressed.location);
    let again = app.confirm(&invitation.link().unwrap()).await;
    assert_eq!(again.fragment("access_token"), None, "but it works once");
}

#[tokio::test]
async fn anonymous_requests_do_not_invalidate_a_link_that_an_admin_generated() {
    let app = open().await;
    let admin = app.admin().await;
    app.join(OWNER).await;
    for kind in ["recovery", "magiclink"] {
        let body = json!({ "type": kind, "email": OWNER });
        let link = admin_call(&app, &admin, "/admin/generate_link", body).await;
        let hash = link.ok()["hashed_token"].clone();
        app.clock.advance(MINUTE);
        for path in ["/recover", "/otp"] {
            app.auth_post(path, json!({ "email": OWNER })).await.ok();
        }
        let body = json!({ "type": kind, "token_hash": hash });
        app.auth_post("/verify", body).await.ok();
    }
    let change =
        json!({ "type": "email_change_new", "email": OWNER, "new_email": "olive@guard.example" });
    let link = admin_call(&app, &admin, "/admin/generate_link", change).await;
    let hash = link.ok()["hashed_token"].clone();
    let body = json!({ "type": "email_change", "email": OWNER });
    app.auth_post("/resend", body).await.ok();
    let body = json!({ "type": "email_change", "token_hash": hash });
    app.auth_post("/verify", body).await.ok();
}

#[tokio::test]
async fn anonymous_requests_do_not_delay_or_invalidate_an_operators_recovery_email() {
    let app = open().await;
    app.join(OWNER).await;
    let recover = json!({ "email": OWNER });
    app.auth_post("/recover", recover.clone()).await.ok();
    app.clock.advance(1000);
    let sent = app.auth.mail_recovery_link(OWNER.parse().unwrap());
    sent.await.unwrap();
    let mail = app.mail_to(OWNER).await;
    app.clock.advance(MINUTE);
    app.auth_post("/recover", recover).await.ok();
    let pressed = app.confirm(&mail.link().unwrap()).await;
    assert!(pressed.fragment("access_token").is_some());
}

#[tokio::test]
async fn a_second_generated_link_invalidates_the_first() {
    let app = open().await;
    let admin = app.admin().await;
    let mut links = Vec::new();
    for _ in 0..2 {
        let body = json!({ "email": OWNER });
        admin_call(&app, &admin, "/admin/invite", body).await.ok();
        links.push(app.mail_to(OWNER).await.link().unwrap());
        app.clock.advance(1000);
    }
    let pressed = app.confirm(&links[0]).await;
    assert_eq!(pressed.fragment("access_token"), None);
    let body = json!({ "type": "invite", "token_hash": token_of(&links[1]) });
    app.auth_post("/verify", body).await.ok();
}

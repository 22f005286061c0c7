//! A changed clock and signing in: attempts, emailed links and codes, challenges, wallets, bans.

use serde_json::json;

use super::{DAY, HOUR, Jump, MAX, SECOND};
use crate::auth::factors::{challenge, post, totp_code, verify_factor, with_factor};
use crate::auth::pkce::{VERIFIER, code, exchange};
use crate::auth::refresh::refresh;
use crate::auth::sign_in::try_password;
use crate::auth::wallets::{sign_in, signed_message};
use crate::support::people::PASSWORD;

pub(super) async fn guesses_at_a_password(jump: Jump<'_>) {
    let app = jump.app;
    for _ in 0..5 {
        try_password(app, MAX, "wrong", "198.51.100.1").await;
    }
    app.sign_in(MAX).await;
    jump.apply().await;
    try_password(app, MAX, PASSWORD, "198.51.100.2").await.ok();
}

pub(super) async fn guesses_that_ran_out(jump: Jump<'_>) {
    let app = jump.app;
    for _ in 0..21 {
        try_password(app, MAX, "wrong", "198.51.100.1").await;
    }
    jump.apply().await;
    app.clock.advance(180 * SECOND);
    try_password(app, MAX, PASSWORD, "198.51.100.2").await.ok();
}

pub(super) async fn a_new_place_is_known_after_a_sign_in(jump: Jump<'_>) {
    let app = jump.app;
    for n in 0..10 {
        try_password(app, MAX, PASSWORD, &format!("198.51.100.{n}"))
            .await
            .ok();
    }
    jump.apply().await;
    app.clock.advance(SECOND);
    let place = "203.0.113.7";
    try_password(app, MAX, PASSWORD, place).await.ok();
    for _ in 0..21 {
        try_password(app, MAX, "wrong", "203.0.113.9").await;
    }
    try_password(app, MAX, PASSWORD, place).await.ok();
}

pub(super) async fn the_interval_between_emails(jump: Jump<'_>) {
    let app = jump.app;
    let body = json!({ "email": MAX });
    app.auth_post("/recover", body.clone()).await.ok();
    jump.apply().await;
    app.clock.advance(60 * SECOND);
    app.auth_post("/recover", body).await.ok();
}

pub(super) async fn a_mailed_link(jump: Jump<'_>) {
    let app = jump.app;
    app.auth_post("/recover", json!({ "email": MAX }))
        .await
        .ok();
    let link = app.mail_to(MAX).await.link().unwrap();
    jump.apply().await;
    app.clock.advance(HOUR);
    let late = app.confirm(&link).await;
    assert_eq!(late.fragment("error_code").as_deref(), Some("otp_expired"));
}

pub(super) async fn an_invitation(jump: Jump<'_>) {
    let app = jump.app;
    let admin = app.admin().await;
    let body = json!({ "type": "invite", "email": "new@guard.example" });
    let made = post(app, &admin, "/admin/generate_link", body).await.ok();
    jump.apply().await;
    if jump.is_back() {
        app.clock.advance(24 * HOUR - SECOND);
        app.auth.clean_up().await.unwrap();
        app.clock.advance(SECOND);
    } else {
        app.clock.advance(24 * HOUR);
    }
    let late = app.confirm(made["action_link"].as_str().unwrap()).await;
    assert_eq!(late.fragment("error_code").as_deref(), Some("otp_expired"));
}

pub(super) async fn a_code_for_a_browser(jump: Jump<'_>) {
    let app = jump.app;
    let code = code(app).await;
    jump.apply().await;
    app.clock.advance(300 * SECOND);
    let late = exchange(app, &code, VERIFIER).await;
    assert!(matches!(late.status, 404 | 422), "{late:?}");
}

pub(super) async fn a_challenge(jump: Jump<'_>) {
    let app = jump.app;
    let secured = with_factor(app, app.sign_in(MAX).await).await;
    let waiting = challenge(app, &secured.person, &secured.factor).await;
    jump.apply().await;
    let fresh = refresh(app, &secured.person.refresh_token).await.ok();
    let person = crate::support::people::Person::of(&fresh);
    app.clock.advance(300 * SECOND);
    let code = totp_code(app, &secured.secret, 0);
    let body = json!({ "challenge_id": waiting, "code": code });
    let path = format!("/factors/{}/verify", secured.factor);
    let late = post(app, &person, &path, body).await;
    assert!(
        matches!(
            late.code(),
            "mfa_challenge_expired" | "mfa_factor_not_found"
        ),
        "{late:?}"
    );
}

pub(super) async fn a_code_of_a_second_factor(jump: Jump<'_>) {
    let app = jump.app;
    let secured = with_factor(app, app.sign_in(MAX).await).await;
    jump.apply().await;
    app.clock.advance(30 * SECOND);
    let person = app.sign_in(MAX).await;
    let code = totp_code(app, &secured.secret, 0);
    verify_factor(app, &person, &secured.factor, &code)
        .await
        .ok();
    let again = app.sign_in(MAX).await;
    let replayed = verify_factor(app, &again, &secured.factor, &code).await;
    assert_eq!(replayed.error(), (422, "mfa_verification_failed"));
}

pub(super) async fn a_used_message_of_a_wallet(jump: Jump<'_>) {
    let app = jump.app;
    let message = signed_message(app, &app.config.server.origin());
    sign_in(app, message.clone()).await.ok();
    jump.apply().await;
    let again = sign_in(app, message).await;
    assert_eq!(again.error(), (400, "invalid_credentials"));
}

pub(super) async fn a_ban_for_years(jump: Jump<'_>) {
    let app = jump.app;
    let (admin, banned) = (app.admin().await, app.sign_in(MAX).await);
    let path = format!("/admin/users/{}", banned.id);
    let body = json!({ "ban_duration": "87600h" });
    let method = reqwest::Method::PUT;
    app.auth_call(method, &path, Some(&admin.access_token), Some(body))
        .await
        .ok();
    jump.apply().await;
    app.clock.advance(365 * DAY);
    app.auth.clean_up().await.unwrap();
    let refused = try_password(app, MAX, PASSWORD, "198.51.100.1").await;
    assert_eq!(refused.error(), (400, "user_banned"));
}

//! The clock is set back, or runs ahead and is corrected: nothing stored stays valid longer than
//! its rule says, and nothing is delayed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use guardpost::store::ClaimLimits;
use serde_json::{Value, json};

use super::factors::{challenge, post, totp_code, verify_factor, with_factor};
use super::pkce::{VERIFIER, code, exchange};
use super::refresh::{refresh, token};
use super::sign_in::try_password;
use super::wallets::{sign_in, signed_message};
use crate::app::TestApp;
use crate::delivery::deliver_all;
use crate::people::PASSWORD;
use crate::visitors::quote;

const MAX: &str = "max@guard.example";
const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;
const DAY: i64 = 24 * HOUR;

/// A sequence of clock changes.
const JUMPS: [(&str, &[i64]); 3] = [
    ("a day back", &[-DAY]),
    ("an hour back", &[-HOUR]),
    ("a day ahead and right again", &[DAY, -DAY]),
];

/// Applies a clock change; the server cleans up after each step, as it does every ten minutes.
struct Jump<'a> {
    app: &'a TestApp,
    steps: &'static [i64],
}

impl Jump<'_> {
    async fn apply(&self) {
        for step in self.steps {
            self.app.clock.advance(*step);
            self.app.auth.clean_up().await.unwrap();
        }
    }

    fn is_back(&self) -> bool {
        self.steps[0] < 0
    }
}

/// A stored value with a time, created before and checked after a clock change.
type Rule = for<'a> fn(Jump<'a>) -> LocalBoxFuture<'a, ()>;

/// One case of the table.
macro_rules! rule {
    ($name:ident) => {
        (stringify!($name), |jump| $name(jump).boxed_local())
    };
}

#[tokio::test]
async fn a_changed_clock_extends_no_stored_lifetime() {
    let rules: &[(&str, Rule)] = &[
        rule!(guesses_at_a_password),
        rule!(guesses_that_ran_out),
        rule!(a_new_place_is_known_after_a_sign_in),
        rule!(the_interval_between_emails),
        rule!(an_email_on_hold),
        rule!(an_email_in_the_hands_of_a_dead_process),
        rule!(a_mailed_link),
        rule!(an_invitation),
        rule!(a_code_for_a_browser),
        rule!(tokens_of_a_session),
        rule!(an_idle_session),
        rule!(the_longest_session),
        rule!(a_refresh_token_that_was_used),
        rule!(a_challenge),
        rule!(a_code_of_a_second_factor),
        rule!(a_new_signing_key),
        rule!(a_used_message_of_a_wallet),
        rule!(a_ban_for_years),
        rule!(the_window_of_submissions),
        rule!(the_same_form_without_a_key),
        rule!(what_is_kept_on_record),
    ];
    let mut broken = Vec::new();
    for (jump, steps) in JUMPS {
        for (name, rule) in rules {
            let app = TestApp::with(|config| {
                config.auth.signup = true;
                config.auth.web3.solana = true;
                config.mail.retry_seconds = 15;
            })
            .await;
            app.join(MAX).await;
            let walk = rule(Jump { app: &app, steps });
            let walked = std::panic::AssertUnwindSafe(walk).catch_unwind().await;
            if walked.is_err() {
                broken.push(format!("{name}, with the clock {jump}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

async fn guesses_at_a_password(jump: Jump<'_>) {
    let app = jump.app;
    for _ in 0..5 {
        try_password(app, MAX, "wrong", "198.51.100.1").await;
    }
    app.sign_in(MAX).await;
    jump.apply().await;
    try_password(app, MAX, PASSWORD, "198.51.100.2").await.ok();
}

async fn guesses_that_ran_out(jump: Jump<'_>) {
    let app = jump.app;
    for _ in 0..21 {
        try_password(app, MAX, "wrong", "198.51.100.1").await;
    }
    jump.apply().await;
    app.clock.advance(180 * SECOND);
    try_password(app, MAX, PASSWORD, "198.51.100.2").await.ok();
}

async fn a_new_place_is_known_after_a_sign_in(jump: Jump<'_>) {
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

async fn the_interval_between_emails(jump: Jump<'_>) {
    let app = jump.app;
    let body = json!({ "email": MAX });
    app.auth_post("/recover", body.clone()).await.ok();
    jump.apply().await;
    app.clock.advance(60 * SECOND);
    app.auth_post("/recover", body).await.ok();
}

async fn an_email_on_hold(jump: Jump<'_>) {
    let app = jump.app;
    app.stored(json!({})).await;
    let folder = app.folder.path().join("mail");
    let folder_mailer = guardpost::outbox::mailer::Folder::open(&folder).unwrap();
    std::fs::remove_dir(&folder).unwrap();
    let worker = app.delivery_worker(std::sync::Arc::new(folder_mailer));
    deliver_all(&worker).await;
    std::fs::create_dir(&folder).unwrap();
    jump.apply().await;
    app.clock.advance(19 * SECOND);
    deliver_all(&worker).await;
    assert_eq!(app.outbox_column("state").await, "sent");
}

async fn an_email_in_the_hands_of_a_dead_process(jump: Jump<'_>) {
    let app = jump.app;
    app.stored(json!({})).await;
    let lease = 90 * SECOND;
    let claimed = app
        .store
        .claim_due(ClaimLimits::any(1), lease, app.clock.now())
        .await
        .unwrap();
    assert_eq!(claimed.len(), 1);
    jump.apply().await;
    app.run_outbox().await;
    app.clock.advance(lease);
    app.run_outbox().await;
    assert_eq!(app.mailbox().len(), 1);
}

async fn a_mailed_link(jump: Jump<'_>) {
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

async fn an_invitation(jump: Jump<'_>) {
    let app = jump.app;
    let admin = app.admin().await;
    let body = json!({ "type": "invite", "email": "new@guard.example" });
    let made = post(app, &admin, "/admin/generate_link", body).await.ok();
    jump.apply().await;
    if jump.is_back() {
        app.clock.advance(HOUR - SECOND);
        app.auth.clean_up().await.unwrap();
        app.clock.advance(SECOND);
    } else {
        app.clock.advance(HOUR);
    }
    let late = app.confirm(made["action_link"].as_str().unwrap()).await;
    assert_eq!(late.fragment("error_code").as_deref(), Some("otp_expired"));
}

async fn a_code_for_a_browser(jump: Jump<'_>) {
    let app = jump.app;
    let code = code(app).await;
    jump.apply().await;
    app.clock.advance(300 * SECOND);
    let late = exchange(app, &code, VERIFIER).await;
    assert!(matches!(late.status, 404 | 422), "{late:?}");
}

async fn tokens_of_a_session(jump: Jump<'_>) {
    let app = jump.app;
    let person = app.sign_in(MAX).await;
    jump.apply().await;
    let session = refresh(app, &person.refresh_token).await.ok();
    let fresh = session["access_token"].as_str().unwrap();
    app.auth_get("/user", fresh).await.ok();
}

async fn an_idle_session(jump: Jump<'_>) {
    let app = jump.app;
    let person = app.sign_in(MAX).await;
    jump.apply().await;
    app.clock.advance(7 * DAY);
    assert_eq!(refresh(app, &person.refresh_token).await.status, 400);
}

async fn the_longest_session(jump: Jump<'_>) {
    let app = jump.app;
    let mut last = app.sign_in(MAX).await.refresh_token;
    jump.apply().await;
    for _ in 0..5 {
        last = token(&refresh(app, &last).await.ok());
        app.clock.advance(6 * DAY);
    }
    assert_eq!(refresh(app, &last).await.status, 400);
}

async fn a_refresh_token_that_was_used(jump: Jump<'_>) {
    let app = jump.app;
    let stolen = app.sign_in(MAX).await.refresh_token;
    let second = token(&refresh(app, &stolen).await.ok());
    let third = token(&refresh(app, &second).await.ok());
    jump.apply().await;
    app.clock.advance(10 * SECOND);
    let theft = refresh(app, &stolen).await;
    assert_eq!(theft.error(), (400, "refresh_token_already_used"));
    assert_eq!(refresh(app, &third).await.status, 400, "the session ended");
}

async fn a_challenge(jump: Jump<'_>) {
    let app = jump.app;
    let secured = with_factor(app, app.sign_in(MAX).await).await;
    let waiting = challenge(app, &secured.person, &secured.factor).await;
    jump.apply().await;
    let fresh = refresh(app, &secured.person.refresh_token).await.ok();
    let person = crate::people::Person::of(&fresh);
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

async fn a_code_of_a_second_factor(jump: Jump<'_>) {
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

async fn a_new_signing_key(jump: Jump<'_>) {
    let app = jump.app;
    let kid = app.auth.rotate_keys(app.folder.path()).await.unwrap();
    app.clock.advance(6 * SECOND);
    app.sign_in(MAX).await;
    jump.apply().await;
    app.sign_in(MAX).await;
    app.clock.advance(600 * SECOND);
    let person = app.sign_in(MAX).await;
    let footer = person.access_token.rsplit('.').next().unwrap();
    let footer = URL_SAFE_NO_PAD.decode(footer).unwrap();
    let footer: Value = serde_json::from_slice(&footer).unwrap();
    assert_eq!(footer["kid"], json!(kid), "the new key signs");
    app.clock.advance(2 * 900 * SECOND);
    let set = app.http.get(app.url("/auth/v1/.well-known/jwks.json"));
    let set: Value = set.send().await.unwrap().json().await.unwrap();
    assert_eq!(
        set["keys"].as_array().unwrap().len(),
        1,
        "the old one ended"
    );
}

async fn a_used_message_of_a_wallet(jump: Jump<'_>) {
    let app = jump.app;
    let message = signed_message(app, &app.config.server.origin());
    sign_in(app, message.clone()).await.ok();
    jump.apply().await;
    let again = sign_in(app, message).await;
    assert_eq!(again.error(), (400, "invalid_credentials"));
}

async fn a_ban_for_years(jump: Jump<'_>) {
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

async fn the_window_of_submissions(jump: Jump<'_>) {
    let app = jump.app;
    for n in 0..3 {
        app.met("198.51.100.1", &format!("lot {n}")).await;
    }
    jump.apply().await;
    app.clock.advance(300 * SECOND);
    assert_eq!(app.met("198.51.100.1", "lot 4").await, 201);
}

async fn the_same_form_without_a_key(jump: Jump<'_>) {
    let app = jump.app;
    let form = async || {
        let fields = quote(json!({ "startDate": "2099-12-01" }));
        let named = [
            ("firstName", "first_name"),
            ("lastName", "last_name"),
            ("email", "email"),
            ("phone", "phone"),
            ("serviceType", "service_type"),
            ("location", "location"),
            ("startDate", "start_date"),
            ("duration", "duration"),
        ];
        let fields = named.map(|(name, key)| (name, fields[key].as_str().unwrap().to_owned()));
        let posted = app
            .http
            .post(app.url("/quote"))
            .header("sec-fetch-site", "same-origin")
            .form(&fields)
            .send()
            .await
            .unwrap();
        assert_eq!(posted.status(), 303);
    };
    app.clock.advance(if jump.is_back() { 0 } else { DAY });
    form().await;
    form().await;
    assert_eq!(app.rows("quotes").await, 1, "the second click");
    app.clock
        .advance(if jump.is_back() { jump.steps[0] } else { -DAY });
    app.clock.advance(600 * SECOND);
    form().await;
    assert_eq!(app.rows("quotes").await, 2);
}

async fn what_is_kept_on_record(jump: Jump<'_>) {
    let app = jump.app;
    app.sign_in(MAX).await;
    app.stored(json!({})).await;
    app.run_outbox().await;
    let before = app.rows("audit").await;
    jump.apply().await;
    app.mailbox_worker().run_housekeeping().await;
    assert_eq!(app.rows("audit").await, before);
    assert_eq!(app.rows("outbox WHERE state = 'sent'").await, 1);
    assert_eq!(app.rows("sessions").await, 1);
}

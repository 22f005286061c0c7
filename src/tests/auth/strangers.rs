//! Sign-ups by attackers: signing up with another person's address gives no access to the later
//! account, and client requests do not replace what an admin has sent.

use reqwest::Method;
use serde_json::{Value, json};

use super::Answer;
use super::emails::token_of;
use crate::app::TestApp;
use crate::people::{PASSWORD, Person};

const OWNER: &str = "owner@guard.example";
/// The password of an attacker who signs up with the owner's address.
const STRANGE: &str = "a crowbar behind the shed";
const MINUTE: i64 = 60_000;

async fn open() -> TestApp {
    TestApp::with(|config| {
        config.auth.signup = true;
        config.auth.invite_seconds = 86_400;
    })
    .await
}

async fn sign_up(app: &TestApp, password: &str, name: &str) -> Value {
    let body = json!({ "email": OWNER, "password": password, "data": { "name": name } });
    app.auth_post("/signup", body).await.ok()
}

async fn sign_in(app: &TestApp, password: &str) -> Answer {
    let body = json!({ "email": OWNER, "password": password });
    app.auth_post("/token?grant_type=password", body).await
}

async fn type_code(app: &TestApp, code: &str) -> Answer {
    let body = json!({ "type": "email", "email": OWNER, "token": code });
    app.auth_post("/verify", body).await
}

async fn admin_call(app: &TestApp, admin: &Person, path: &str, body: Value) -> Answer {
    let bearer = Some(admin.access_token.as_str());
    app.auth_call(Method::POST, path, bearer, Some(body)).await
}

async fn admin_put(app: &TestApp, admin: &Person, id: &Value, body: Value) -> Answer {
    let (bearer, path) = (
        Some(admin.access_token.as_str()),
        format!("/admin/users/{}", id.as_str().unwrap()),
    );
    app.auth_call(Method::PUT, &path, bearer, Some(body)).await
}

/// A wrong code.
fn another(code: &str) -> &'static str {
    if code == "123456" { "654321" } else { "123456" }
}

/// The attacker's password does not work, and neither do the link and code of the attacker's
/// sign-up.
async fn assert_nothing_left(app: &TestApp, mail: &crate::mail::Mail, how: &str) {
    let refused = sign_in(app, STRANGE).await;
    assert_eq!(refused.refusal(), (400, "invalid_credentials"), "{how}");
    let pressed = app.press(&mail.link().unwrap()).await;
    assert_eq!(pressed.told("access_token"), None, "{how}");
    assert_eq!(type_code(app, &mail.code()).await.status, 403, "{how}");
}

#[tokio::test]
async fn a_pending_account_that_an_admin_confirms_or_promotes_keeps_nothing_of_the_stranger() {
    for (how, body) in [
        ("confirmed", json!({ "email_confirm": true })),
        ("promoted", json!({ "role": "admin" })),
        ("both", json!({ "role": "admin", "email_confirm": true })),
        ("described", json!({ "app_metadata": { "site": "north" } })),
    ] {
        let app = open().await;
        let admin = app.admin().await;
        let pending = sign_up(&app, STRANGE, "Eve").await;
        let mail = app.mail_to(OWNER).await;
        let user = admin_put(&app, &admin, &pending["id"], body).await.ok();
        assert_eq!(user["user_metadata"], json!({}), "{how}");
        assert_nothing_left(&app, &mail, how).await;
    }
}

#[tokio::test]
async fn a_password_given_together_with_the_role_is_the_one_in_force() {
    let app = open().await;
    let admin = app.admin().await;
    let pending = sign_up(&app, STRANGE, "Eve").await;
    let body = json!({ "role": "admin", "email_confirm": true, "password": PASSWORD });
    admin_put(&app, &admin, &pending["id"], body).await.ok();
    assert_eq!(sign_in(&app, STRANGE).await.status, 400);
    let owner = Person::of(&sign_in(&app, PASSWORD).await.ok());
    app.auth_get("/admin/users", &owner.access_token).await.ok();
}

#[tokio::test]
async fn the_command_for_admins_gives_a_pending_account_the_password_typed_there() {
    let app = open().await;
    sign_up(&app, STRANGE, "Eve").await;
    let mail = app.mail_to(OWNER).await;
    let made = app.auth.create_admin(OWNER.parse().unwrap(), PASSWORD);
    made.await.unwrap();
    assert_nothing_left(&app, &mail, "create-admin").await;
    let owner = Person::of(&sign_in(&app, PASSWORD).await.ok());
    app.auth_get("/admin/users", &owner.access_token).await.ok();
}

#[tokio::test]
async fn an_invitation_takes_the_account_from_whoever_signed_up_before() {
    let app = open().await;
    let admin = app.admin().await;
    sign_up(&app, STRANGE, "Eve").await;
    let strange = app.mail_to(OWNER).await;
    app.clock.advance(MINUTE);
    let body = json!({ "email": OWNER, "role": "admin" });
    admin_call(&app, &admin, "/admin/invite", body).await.ok();
    assert_nothing_left(&app, &strange, "invited").await;
    // The attacker requests the confirmation again and signs up again: the owner gets invitations.
    for path in ["/resend", "/signup", "/otp"] {
        app.clock.advance(2 * MINUTE);
        let body = json!({ "type": "signup", "email": OWNER, "password": STRANGE, "data": { "name": "Eve" } });
        let answer = app.auth_post(path, body).await.ok();
        assert_eq!(answer.get("invited_at"), None, "{path} tells nobody of it");
        let mail = app.mail_to(OWNER).await;
        let link = mail.link().unwrap();
        assert!(link.contains("type=invite"), "{path}: {link}");
    }
    let link = app.mail_to(OWNER).await.link().unwrap();
    let pressed = app.press(&link).await;
    let token = pressed.told("access_token").unwrap();
    let owner = app.auth_get("/user", &token).await.ok();
    assert_eq!(owner["user_metadata"], json!({}));
    assert_eq!(sign_in(&app, STRANGE).await.status, 400);
    app.auth_get("/admin/users", &token).await.ok();
}

#[tokio::test]
async fn an_account_that_an_admin_made_takes_no_password_of_a_stranger() {
    let app = open().await;
    let admin = app.admin().await;
    let made = json!({ "email": OWNER, "role": "admin" });
    admin_call(&app, &admin, "/admin/users", made).await.ok();
    let shown = sign_up(&app, STRANGE, "Eve").await;
    assert_eq!(shown["user_metadata"], json!({ "name": "Eve" }));
    let code = app.mail_to(OWNER).await.code();
    let session = type_code(&app, &code).await.ok();
    assert_eq!(session["user"]["user_metadata"], json!({}));
    assert_eq!(sign_in(&app, STRANGE).await.status, 400);
}

#[tokio::test]
async fn a_link_for_a_sign_up_carries_the_password_that_the_admin_gave() {
    let app = open().await;
    let admin = app.admin().await;
    sign_up(&app, STRANGE, "Eve").await;
    let strange = app.mail_to(OWNER).await;
    let body = json!({ "type": "signup", "email": OWNER, "password": PASSWORD });
    let link = admin_call(&app, &admin, "/admin/generate_link", body).await;
    let hash = link.ok()["hashed_token"].clone();
    assert_nothing_left(&app, &strange, "link made").await;
    let early = sign_in(&app, PASSWORD).await;
    assert_eq!(early.refusal(), (400, "email_not_confirmed"));
    let body = json!({ "type": "signup", "token_hash": hash });
    app.auth_post("/verify", body).await.ok();
    sign_in(&app, PASSWORD).await.ok();
}

#[tokio::test]
async fn the_link_that_is_used_decides_whose_password_and_name_hold() {
    for first_wins in [true, false] {
        let app = open().await;
        sign_up(&app, PASSWORD, "Olive").await;
        let own = app.mail_to(OWNER).await;
        app.clock.advance(MINUTE);
        let shown = sign_up(&app, STRANGE, "Eve").await;
        assert_eq!(shown["user_metadata"], json!({ "name": "Eve" }));
        let strange = app.mail_to(OWNER).await;
        let (used, unused) = if first_wins {
            (&own, &strange)
        } else {
            (&strange, &own)
        };
        let pressed = app.press(&used.link().unwrap()).await;
        let token = pressed.told("access_token").unwrap();
        let user = app.auth_get("/user", &token).await.ok();
        let (name, right, wrong) = if first_wins {
            ("Olive", PASSWORD, STRANGE)
        } else {
            ("Eve", STRANGE, PASSWORD)
        };
        assert_eq!(user["user_metadata"], json!({ "name": name }));
        let late = app.press(&unused.link().unwrap()).await;
        assert_eq!(late.told("access_token"), None, "the others are void");
        sign_in(&app, right).await.ok();
        assert_eq!(sign_in(&app, wrong).await.status, 400);
    }
}

#[tokio::test]
async fn of_several_sign_ups_the_newest_code_alone_counts() {
    let app = open().await;
    sign_up(&app, STRANGE, "Eve").await;
    let old = app.mail_to(OWNER).await.code();
    app.clock.advance(MINUTE);
    sign_up(&app, PASSWORD, "Olive").await;
    let new = app.mail_to(OWNER).await.code();
    if old != new {
        assert_eq!(type_code(&app, &old).await.status, 403);
    }
    let early = sign_in(&app, PASSWORD).await;
    assert_eq!(early.refusal(), (400, "email_not_confirmed"));
    type_code(&app, &new).await.ok();
    sign_in(&app, PASSWORD).await.ok();
}

#[tokio::test]
async fn a_mail_sent_again_brings_the_one_password_that_waits_and_none_where_there_are_two() {
    for contested in [false, true] {
        let app = open().await;
        if contested {
            sign_up(&app, STRANGE, "Eve").await;
            app.clock.advance(MINUTE);
        }
        sign_up(&app, PASSWORD, "Olive").await;
        // Its own hour has passed.
        app.clock.advance(61 * MINUTE);
        let again = json!({ "type": "signup", "email": OWNER });
        app.auth_post("/resend", again).await.ok();
        let code = app.mail_to(OWNER).await.code();
        let session = type_code(&app, &code).await.ok();
        let name = &session["user"]["user_metadata"]["name"];
        let own = sign_in(&app, PASSWORD).await.status;
        if contested {
            assert_eq!((name, own), (&Value::Null, 400));
        } else {
            assert_eq!((name, own), (&json!("Olive"), 200));
        }
        assert_eq!(sign_in(&app, STRANGE).await.status, 400);
    }
}

#[tokio::test]
async fn no_request_of_a_stranger_ends_an_invitation() {
    let app = open().await;
    let admin = app.admin().await;
    let body = json!({ "email": OWNER });
    admin_call(&app, &admin, "/admin/invite", body).await.ok();
    let invitation = app.mail_to(OWNER).await;
    for path in ["/resend", "/otp", "/recover", "/signup"] {
        app.clock.advance(MINUTE);
        let body = json!({ "type": "signup", "email": OWNER, "password": STRANGE });
        app.auth_post(path, body).await.ok();
    }
    for _ in 0..6 {
        let wrong = another(&invitation.code());
        assert_eq!(type_code(&app, wrong).await.status, 403);
    }
    let guessed = type_code(&app, &invitation.code()).await;
    assert_eq!(guessed.status, 403, "five wrong codes void the code");
    app.clock.advance(23 * 60 * MINUTE);
    let pressed = app.press(&invitation.link().unwrap()).await;
    let told = pressed.told("access_token");
    assert!(told.is_some(), "{}", pressed.location);
    let again = app.press(&invitation.link().unwrap()).await;
    assert_eq!(again.told("access_token"), None, "but it works once");
}

#[tokio::test]
async fn no_request_of_a_stranger_ends_a_link_that_an_admin_handed_on() {
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
async fn no_request_of_a_stranger_delays_or_ends_an_operators_recovery_mail() {
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
    let pressed = app.press(&mail.link().unwrap()).await;
    assert!(pressed.told("access_token").is_some());
}

#[tokio::test]
async fn a_second_link_of_an_admin_outdates_the_first() {
    let app = open().await;
    let admin = app.admin().await;
    let mut links = Vec::new();
    for _ in 0..2 {
        let body = json!({ "email": OWNER });
        admin_call(&app, &admin, "/admin/invite", body).await.ok();
        links.push(app.mail_to(OWNER).await.link().unwrap());
        app.clock.advance(1000);
    }
    let pressed = app.press(&links[0]).await;
    assert_eq!(pressed.told("access_token"), None);
    let body = json!({ "type": "invite", "token_hash": token_of(&links[1]) });
    app.auth_post("/verify", body).await.ok();
}

#[tokio::test]
async fn many_mails_do_not_make_more_codes_to_guess() {
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        config.limits.mail_interval_seconds = 0;
    })
    .await;
    for n in 0..10 {
        sign_up(&app, STRANGE, &format!("Eve {n}")).await;
        app.clock.advance(1000);
    }
    let mails = app.mails_to(OWNER).await;
    let newest = mails.last().unwrap().code();
    for mail in &mails[..5] {
        if mail.code() != newest {
            assert_eq!(type_code(&app, &mail.code()).await.status, 403);
        }
    }
    assert_eq!(
        type_code(&app, &newest).await.status,
        403,
        "five were wrong"
    );
}

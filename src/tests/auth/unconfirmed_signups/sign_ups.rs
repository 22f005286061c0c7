//! Several sign-ups with one address: which password, name and code count.

use serde_json::{Value, json};

use super::{MINUTE, OWNER, STRANGERS_PASSWORD, open, sign_in, sign_up, type_code};
use crate::support::app::TestApp;
use crate::support::people::PASSWORD;

#[tokio::test]
async fn the_confirmed_link_decides_which_password_and_name_are_stored() {
    for first_wins in [true, false] {
        let app = open().await;
        sign_up(&app, PASSWORD, "Olive").await;
        let own = app.mail_to(OWNER).await;
        app.clock.advance(MINUTE);
        let shown = sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
        assert_eq!(shown["user_metadata"], json!({ "name": "Eve" }));
        let strange = app.mail_to(OWNER).await;
        let (used, unused) = if first_wins {
            (&own, &strange)
        } else {
            (&strange, &own)
        };
        let pressed = app.confirm(&used.link().unwrap()).await;
        let token = pressed.fragment("access_token").unwrap();
        let user = app.auth_get("/user", &token).await.ok();
        let (name, right, wrong) = if first_wins {
            ("Olive", PASSWORD, STRANGERS_PASSWORD)
        } else {
            ("Eve", STRANGERS_PASSWORD, PASSWORD)
        };
        assert_eq!(user["user_metadata"], json!({ "name": name }));
        let late = app.confirm(&unused.link().unwrap()).await;
        assert_eq!(late.fragment("access_token"), None, "the others are void");
        sign_in(&app, right).await.ok();
        assert_eq!(sign_in(&app, wrong).await.status, 400);
    }
}

#[tokio::test]
async fn a_resent_link_confirms_the_pending_password_only_if_there_is_one() {
    for contested in [false, true] {
        let app = open().await;
        if contested {
            sign_up(&app, STRANGERS_PASSWORD, "Eve").await;
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
        assert_eq!(sign_in(&app, STRANGERS_PASSWORD).await.status, 400);
    }
}

#[tokio::test]
async fn more_emails_do_not_allow_more_code_attempts() {
    let app = TestApp::with(|config| {
        config.auth.signup = true;
        config.limits.mail_interval_seconds = 0;
    })
    .await;
    for n in 0..10 {
        sign_up(&app, STRANGERS_PASSWORD, &format!("Eve {n}")).await;
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

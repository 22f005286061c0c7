//! An email request costs the same whether the address has an account or not, so that timing
//! reveals nothing. Written rows and password hashes are counted, because times vary.

use serde_json::{Value, json};

use crate::support::app::TestApp;

const KNOWN: &str = "max@guard.example";
const CHANGING: &str = "mona@guard.example";
const UNKNOWN: &str = "nobody@guard.example";

/// Rows that the writer has changed since the start.
async fn rows_written(app: &TestApp) -> i64 {
    let total = app
        .store
        .write(|conn| Ok(conn.query_row("SELECT total_changes()", [], |row| row.get(0))?));
    total.await.unwrap()
}

/// The cost of a request.
async fn cost(app: &TestApp, path: &str, body: Value) -> (i64, u64) {
    let (rows, hashes) = (rows_written(app).await, app.auth.hasher.operations());
    let answer = app.auth_post(path, body.clone()).await;
    assert_eq!(answer.status, 200, "{path} {body} {}", answer.body);
    (
        rows_written(app).await - rows,
        app.auth.hasher.operations() - hashes,
    )
}

#[tokio::test]
async fn an_email_to_an_unknown_address_costs_the_same_writes() {
    let pkce = json!({
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        "code_challenge_method": "s256",
    });
    for (path, extra) in [
        ("/recover", json!({})),
        ("/recover", pkce),
        ("/otp", json!({ "create_user": false })),
        ("/otp", json!({ "create_user": true })),
    ] {
        let app = TestApp::start().await;
        app.join(KNOWN).await;
        // The second email replaces the first.
        for turn in 0..2 {
            let mut costs = Vec::new();
            for email in [KNOWN, UNKNOWN] {
                let mut body = extra.clone();
                body["email"] = json!(email);
                costs.push(cost(&app, path, body).await);
            }
            assert_eq!(costs[0], costs[1], "{path} {extra} {turn}");
            app.clock.advance(60_000);
        }
    }
}

#[tokio::test]
async fn a_resend_costs_the_same_writes_if_nothing_is_pending() {
    let app = TestApp::with(|config| config.auth.signup = true).await;
    app.join(KNOWN).await;
    let waiting = json!({ "email": CHANGING, "password": crate::support::people::PASSWORD });
    app.auth_post("/signup", waiting).await.ok();
    app.join("eve@guard.example").await;
    let eve = app.sign_in("eve@guard.example").await;
    let change = json!({ "email": "new@guard.example" });
    let bearer = Some(eve.access_token.as_str());
    app.auth_call(reqwest::Method::PUT, "/user", bearer, Some(change))
        .await
        .ok();
    app.clock.advance(60_000);
    for (kind, waits) in [("signup", CHANGING), ("email_change", "eve@guard.example")] {
        for turn in 0..2 {
            let mut costs = Vec::new();
            for email in [waits, KNOWN, UNKNOWN] {
                let body = json!({ "type": kind, "email": email });
                costs.push(cost(&app, "/resend", body).await);
            }
            app.clock.advance(60_000);
            // The first emails of the change were sent when it began: the first repeat replaces
            // their tokens.
            if turn > 0 || kind == "signup" {
                assert_eq!((costs[1], costs[2]), (costs[0], costs[0]), "{kind} {turn}");
            }
        }
    }
}

#[tokio::test]
async fn a_sign_up_costs_the_same_writes_for_known_and_unknown_addresses() {
    let app = TestApp::with(|config| config.auth.signup = true).await;
    app.join(KNOWN).await;
    for path in ["/signup", "/otp"] {
        let mut costs = Vec::new();
        for email in [KNOWN, UNKNOWN, UNKNOWN] {
            app.clock.advance(60_000);
            let body = json!({ "email": email, "password": crate::support::people::PASSWORD });
            costs.push(cost(&app, path, body).await);
        }
        assert_eq!((costs[1], costs[2]), (costs[0], costs[0]), "{path}");
        let id = app.auth.list_users(1).await.unwrap().remove(0).user.id;
        app.store
            .write(move |conn| {
                conn.execute("DELETE FROM one_time_tokens WHERE user_id = ?1", [&id])?;
                Ok(conn.execute("DELETE FROM users WHERE id = ?1", [&id])?)
            })
            .await
            .unwrap();
    }
}

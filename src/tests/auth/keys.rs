//! The signing keys: only public keys are published, and a rotation keeps sessions signed in.

use serde_json::json;

use super::factors::with_factor;
use crate::support::app::TestApp;
use crate::support::cli_process::Cli;

#[tokio::test]
async fn a_rotation_keeps_sessions_and_retires_the_old_key() {
    let app = TestApp::start().await;
    let member = app.member().await;
    let kid = app.auth.rotate_keys(app.folder.path()).await.unwrap();
    app.clock.advance(6_000);
    app.auth_get("/user", &member.access_token).await.ok();
    let set = async || {
        let answer = app
            .http
            .get(app.url("/auth/v1/.well-known/jwks.json"))
            .send()
            .await
            .unwrap();
        let set: serde_json::Value = answer.json().await.unwrap();
        set["keys"].as_array().unwrap().len()
    };
    assert_eq!(set().await, 2);
    app.clock.advance(600_000);
    app.auth_get("/user", &member.access_token).await.ok();
    let fresh = app.sign_in(&member.email).await;
    let footer = fresh.access_token.rsplit('.').next().unwrap().to_owned();
    use base64::Engine;
    let footer = base64::engine::general_purpose::URL_SAFE_NO_PAD
        .decode(footer)
        .unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&footer).unwrap(),
        json!({ "kid": kid })
    );
    let refresh = json!({ "refresh_token": member.refresh_token });
    app.auth_post("/token?grant_type=refresh_token", refresh)
        .await
        .ok();
    app.clock.advance(2 * 900_000);
    assert_eq!(set().await, 1);
}

#[tokio::test]
async fn expired_rows_are_deleted() {
    let app = TestApp::start().await;
    let member = app.member().await;
    app.auth_post("/recover", json!({ "email": member.email }))
        .await
        .ok();
    app.auth.clean_up().await.unwrap();
    app.auth_get("/user", &member.access_token).await.ok();
    app.clock.advance(400 * 86_400_000);
    assert!(app.auth.clean_up().await.unwrap() >= 4);
    for table in ["sessions", "one_time_tokens", "buckets", "audit"] {
        let count: i64 = app
            .store
            .read(move |conn| {
                Ok(
                    conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                        row.get(0)
                    })?,
                )
            })
            .await
            .unwrap();
        assert_eq!(count, 0, "{table}");
    }
}

#[tokio::test]
async fn replace_keys_replaces_lost_keys_and_names_the_consequences() {
    let app = TestApp::start().await;
    let admin = with_factor(&app, app.admin().await).await.person;
    app.sql(
        "INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at)
         VALUES (1, '2026-11-21T12:00:00.000Z', 'account', 'a', '{}',
           '1970-01-01T00:00:00.000Z')",
    )
    .await;
    let cli = Cli::on_data_of(&app);
    let file = app.folder.path().join("auth-keys.json");
    std::fs::write(&file, "not keys").unwrap();
    let said = cli.run_ok(&["replace-keys", "--lost"]);
    assert!(
        said.contains("1 session ended, 1 unsent email given up.")
            && said.contains("until a new one is set up: 1."),
        "{said}"
    );
    let aside = std::fs::read_dir(app.folder.path())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .find(|name| name.starts_with("auth-keys.json.replaced-"))
        .unwrap();
    let aside = std::fs::read_to_string(app.folder.path().join(aside));
    assert_eq!(aside.unwrap(), "not keys");
    assert_eq!(app.rows("audit WHERE action = 'keys_replaced'").await, 1);
    assert_eq!(app.rows("factors").await, 0);

    // With the new keys everything works again after a password sign-in.
    let again = app.beside().await;
    let session = again.sign_in(&admin.email).await;
    with_factor(&again, session).await;
    let old = again.auth_get("/user", &admin.access_token).await;
    assert_eq!(old.status, 403);
}

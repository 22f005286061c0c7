//! Status changes of quotes, and their record in the audit.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{get, patch};
use crate::support::app::TestApp;

#[tokio::test]
async fn quotes_are_accepted_rejected_and_completed_and_nothing_else() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    for (moves, last, refused) in [
        (
            &["in_progress", "completed"][..],
            "completed",
            &["pending", "in_progress", "completed", "cancelled"][..],
        ),
        (
            &["cancelled"][..],
            "cancelled",
            &["pending", "in_progress", "completed", "cancelled"][..],
        ),
        (&[][..], "pending", &["completed", "pending"][..]),
        (
            &["in_progress"][..],
            "in_progress",
            &["cancelled", "pending", "in_progress"][..],
        ),
    ] {
        let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
        app.clock.advance(1_000);
        for status in moves {
            let answer = patch(&app, &admin, &path, status).await;
            assert_eq!(answer.json::<Value>().await.unwrap()["status"], *status);
        }
        for status in refused {
            let answer = patch(&app, &admin, &path, status).await;
            assert_eq!(answer.status(), StatusCode::CONFLICT, "{last} to {status}");
            assert_eq!(
                answer.json::<Value>().await.unwrap()["current_status"],
                last
            );
        }
    }
}

#[tokio::test]
async fn of_two_concurrent_moves_one_gets_409_with_the_current_status() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
    let press = |status: &'static str| patch(&app, &admin, &path, status);
    let (accept, reject) = tokio::join!(press("in_progress"), press("cancelled"));
    let mut statuses = [accept.status().as_u16(), reject.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn a_move_is_recorded_with_its_admin_and_client() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let id = app.stored(json!({})).await;
    for (address, status) in [
        ("198.51.100.1", "in_progress"),
        ("198.51.100.1", "cancelled"),
        ("198.51.100.2", "completed"),
    ] {
        app.clock.advance(1);
        let path = app.url(&format!("/api/admin/quotes/{id}"));
        let request = app.http.patch(path).bearer_auth(&admin.access_token);
        let request = request.header("x-forwarded-for", address);
        let body = json!({"status": status});
        request.json(&body).send().await.unwrap();
    }
    let rows = app.audit_trail(2).await;
    let moves: Vec<_> = rows.iter().map(|row| json!(row.detail)).collect();
    assert_eq!(
        moves,
        [
            json!({"from": "in_progress", "to": "completed"}),
            json!({"from": "pending", "to": "in_progress"}),
        ],
        "a refused move is none"
    );
    for row in &rows {
        assert_eq!(row.action, "quote_moved");
        assert_eq!(row.actor, admin.id);
        assert_eq!(row.subject_id.as_deref(), Some(id.as_str()));
    }
    assert!(rows.iter().all(|row| row.client.is_some()));
    assert_ne!(rows[0].client, rows[1].client);
    assert!(!format!("{rows:?}").contains("198.51"));
}

#[tokio::test]
async fn a_move_that_cannot_be_recorded_is_not_made() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
    let drop_audit =
        |conn: &rusqlite::Connection| Ok(conn.execute_batch("ALTER TABLE audit RENAME TO lost")?);
    app.store.write(drop_audit).await.unwrap();
    let refused = patch(&app, &admin, &path, "in_progress").await;
    assert!(refused.status().is_server_error());
    assert_eq!(get(&app, &admin, &path).await["status"], "pending");
}

//! The dashboard's API: quotes, their status changes, and call clicks.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::app::TestApp;

/// A call with a token, if there is one.
async fn call(
    app: &TestApp,
    token: Option<&str>,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Response {
    let mut request = app.http.request(method, app.url(path));
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    if let Some(body) = body {
        request = request.json(&body);
    }
    request.send().await.unwrap()
}

/// Requests a status change.
async fn patch(app: &TestApp, token: &str, path: &str, status: &str) -> Response {
    let body = json!({"status": status});
    call(app, Some(token), Method::PATCH, path, Some(body)).await
}

async fn get(app: &TestApp, token: &str, path: &str) -> Value {
    call(app, Some(token), Method::GET, path, None)
        .await
        .json()
        .await
        .unwrap()
}

#[tokio::test]
async fn only_an_admin_can_list_quotes() {
    let app = TestApp::start().await;
    let id = app.stored(json!({})).await;
    let (admin, member) = (
        app.admin().await.access_token,
        app.member().await.access_token,
    );
    let calls = [
        (Method::GET, "/api/admin/quotes".to_owned(), None),
        (Method::GET, format!("/api/admin/quotes/{id}"), None),
        (
            Method::PATCH,
            format!("/api/admin/quotes/{id}"),
            Some(json!({"status": "in_progress"})),
        ),
        (Method::GET, "/api/admin/taps".to_owned(), None),
    ];
    for (method, path, body) in calls {
        for (token, status) in [
            (None, 401),
            (Some("nonsense"), 401),
            (Some(member.as_str()), 403),
        ] {
            let answer = call(&app, token, method.clone(), &path, body.clone()).await;
            assert_eq!(answer.status(), status, "{method} {path}");
            assert_eq!(answer.headers()["content-type"], "application/problem+json");
        }
        assert_eq!(
            call(&app, Some(&admin), method.clone(), &path, body)
                .await
                .status(),
            200,
            "{method} {path}"
        );
    }
}

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
    let rows = app.auth.audit_trail(2).await.unwrap();
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

#[tokio::test]
async fn the_quote_list_has_pages_counts_filters_and_search() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    let mut ids = Vec::new();
    for n in 0..7 {
        ids.push(
            app.stored(json!({"location": format!("Houston {n}"),
            "last_name": if n == 3 { "Núñez" } else { "Smith" }}))
                .await,
        );
        app.clock.advance(60_000);
    }
    ids.reverse();
    let ids_of = |page: &Value| -> Vec<String> {
        page["quotes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|q| q["id"].as_str().unwrap().to_owned())
            .collect()
    };
    for words in ["", "q=smith&", "q=hous&"] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = get(
                &app,
                &admin,
                &format!("/api/admin/quotes?{words}limit=3{cursor}"),
            )
            .await;
            seen.extend(ids_of(&page));
            let Some(next) = page["next_cursor"].as_str() else {
                break;
            };
            cursor = format!("&cursor={next}");
        }
        let expected: Vec<_> = ids
            .iter()
            .filter(|id| words != "q=smith&" || **id != ids[3])
            .cloned()
            .collect();
        assert_eq!(seen, expected, "`{words}`");
    }
    let path = format!("/api/admin/quotes/{}", ids[0]);
    patch(&app, &admin, &path, "in_progress").await;
    let page = get(&app, &admin, "/api/admin/quotes?status=in_progress").await;
    assert_eq!(ids_of(&page), ids[..1]);
    assert_eq!(
        page["counts"],
        json!({"pending": 6, "in_progress": 1, "completed": 0, "cancelled": 0})
    );
    assert_eq!(
        ids_of(
            &get(
                &app,
                &admin,
                "/api/admin/quotes?q=houston&status=in_progress"
            )
            .await
        ),
        ids[..1]
    );
    assert_eq!(
        ids_of(&get(&app, &admin, "/api/admin/quotes?q=nunez").await),
        ids[3..4],
        "marks do not matter"
    );
    assert_eq!(
        ids_of(&get(&app, &admin, "/api/admin/quotes?q=7135550188&limit=1").await).len(),
        1,
        "a number as digits"
    );
}

#[tokio::test]
async fn call_clicks_are_listed_for_pages_of_the_site_only() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    // Stored by a version that took every path.
    for page in ["//2130706433/admin", "/made-up", "/states/texas"] {
        let counted = app
            .store
            .count_call_click(page.to_owned(), app.clock.now())
            .await;
        counted.unwrap();
    }
    let taps = get(&app, &admin, "/api/admin/taps").await;
    assert_eq!(
        taps,
        json!({"pages": [{"page": "/states/texas", "taps": 1}]})
    );
}

#[tokio::test]
async fn stored_invisible_characters_are_not_shown() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    let id = app.stored(json!({})).await;
    // Stored by a version that kept such characters.
    let plant = |conn: &rusqlite::Connection| {
        Ok(conn.execute(
            "UPDATE quotes SET location = ?1, description = ?1, company = ?1, attribution = ?2",
            [
                "Katy\u{202e} TX\u{9b}31m\u{2066}",
                "{\"utm_source\":\"a\u{202e}b\"}",
            ],
        )?)
    };
    app.store.write(plant).await.unwrap();
    for path in [
        format!("/api/admin/quotes/{id}"),
        "/api/admin/quotes".to_owned(),
    ] {
        let mut seen = get(&app, &admin, &path).await;
        if seen["quotes"].is_array() {
            seen = seen["quotes"][0].clone();
        }
        for field in ["location", "description", "company"] {
            assert_eq!(seen[field], "Katy TX31m", "{path} {field}");
        }
        assert_eq!(seen["attribution"]["utm_source"], "ab", "{path}");
    }
    app.run_outbox().await;
    let mail = app.mailbox().remove(0);
    for text in [&mail.subject, &mail.text, &mail.html] {
        assert!(text.contains("Katy TX31m"), "{text}");
        assert!(!text.contains(['\u{202e}', '\u{9b}', '\u{2066}']), "{text}");
    }
}

#[tokio::test]
async fn bad_parameters_and_ids_get_a_clear_error() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    for (path, status) in [
        ("/api/admin/quotes?status=lost", 400),
        ("/api/admin/quotes?limit=0", 400),
        ("/api/admin/quotes?limit=many", 400),
        ("/api/admin/quotes?cursor=nonsense", 400),
        ("/api/admin/quotes?q=x&cursor=2026", 400),
        ("/api/admin/quotes?q=%22%20OR%20NEAR(%2A", 200),
        ("/api/admin/quotes?q=e%CC%81%F0%9F%94%A5", 200),
        ("/api/admin/quotes/7", 400),
        (
            "/api/admin/quotes/0192f1de-7b5a-7000-8000-000000000001",
            404,
        ),
        ("/api/admin/nothing", 404),
    ] {
        let answer = call(&app, Some(&admin), Method::GET, path, None).await;
        assert_eq!(answer.status(), status, "{path}");
    }
    let path = format!("/api/admin/quotes/{}", app.stored(json!({})).await);
    for body in [
        json!({}),
        json!({"status": "lost"}),
        json!({"status": 5}),
        json!([]),
    ] {
        let answer = call(&app, Some(&admin), Method::PATCH, &path, Some(body.clone())).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{body}");
        let problem: Value = answer.json().await.unwrap();
        let named = body.is_object().then_some("status");
        assert_eq!(problem["fields"][0]["field"].as_str(), named, "{body}");
    }
}

#[tokio::test]
async fn a_405_lists_the_allowed_methods() {
    let app = TestApp::start().await;
    for (path, allowed) in [
        (
            "/api/admin/quotes/0192f1de-7b5a-7000-8000-000000000001",
            "GET, HEAD, PATCH",
        ),
        ("/api/admin/quotes", "GET, HEAD"),
        ("/api/quotes", "POST"),
        ("/auth/v1/token", "POST"),
        ("/readyz", "GET, HEAD"),
    ] {
        let answer = call(&app, None, Method::DELETE, path, None).await;
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(answer.headers()["allow"], allowed, "{path}");
    }
}

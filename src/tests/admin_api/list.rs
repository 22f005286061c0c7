//! The list of quotes: pages, counts, filters, search, and texts without invisible characters.

use serde_json::{Value, json};

use super::{get, patch};
use crate::support::app::TestApp;

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
async fn stored_invisible_characters_are_not_shown() {
    let app = TestApp::start().await;
    let admin = app.admin().await.access_token;
    let id = app.stored(json!({})).await;
    // Stored by a version that kept such characters.
    let plant = |conn: &rusqlite::Connection| {
        Ok(conn.execute(
            "UPDATE requests SET location = ?1, description = ?1, company = ?1, attribution = ?2",
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

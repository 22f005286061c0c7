//! Views of pages: counted by page and source, for people, robots and the office.

use serde_json::json;

use super::{Owner, number, total};
use crate::support::app::TestApp;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Opens a page as a browser at `address` with further headers; returns the status.
async fn open(app: &TestApp, address: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
    let mut request = app.http.get(app.url(path));
    for (name, value) in [
        ("x-forwarded-for", address),
        ("user-agent", FIREFOX),
        ("accept-language", "en-US"),
        ("sec-fetch-dest", "document"),
    ] {
        if !headers.iter().any(|(other, _)| *other == name) {
            request = request.header(name, value);
        }
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn views_are_counted_by_page_and_source_without_a_row_for_each() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let visitor = "203.0.113.4";
    let google = ("referer", "https://www.google.com/");
    let own = format!("http://{}/", app.address);
    for (path, headers) in [
        ("/", vec![]),
        ("/", vec![google]),
        ("/", vec![google]),
        ("/quote", vec![("referer", &*own)]),
        (
            "/fire-watch?utm_source=ads&utm_medium=cpc&utm_campaign=Houston",
            vec![],
        ),
    ] {
        assert_eq!(open(app, visitor, path, &headers).await, 200, "{path}");
    }
    // Not a person, not a page, or not shown.
    open(app, visitor, "/", &[("user-agent", "curl/8.5.0")]).await;
    open(app, visitor, "/", &[("sec-purpose", "prefetch")]).await;
    open(app, visitor, "/favicon.ico", &[]).await;
    open(app, visitor, "/admin", &[]).await;
    open(app, visitor, "/nowhere", &[]).await;
    app.flush_views().await;
    open(app, visitor, "/", &[]).await;
    app.flush_views().await;

    let figures = owner.figures().await;
    assert_eq!(
        (total(&figures, "views"), total(&figures, "robot_views")),
        (6, 1)
    );
    for (page, source, views) in [
        ("/", "views", 4),
        ("/", "direct", 2),
        ("/", "search", 2),
        ("/", "robot", 1),
        ("/quote", "own", 1),
        ("/fire-watch", "ad", 1),
    ] {
        assert_eq!(
            number(&figures, "pages", page, source),
            views,
            "{page} {source}"
        );
    }
    assert_eq!(number(&figures, "views", "search", "views"), 2);
    assert_eq!(number(&figures, "days", "2026-11-21", "views"), 6);
    assert_eq!(app.rows("page_views").await, 5);
    assert_eq!(
        app.rows("campaign_views WHERE campaign = 'houston'").await,
        1
    );
}

#[tokio::test]
async fn views_of_people_who_work_at_the_desk_are_counted_apart() {
    let owner = Owner::open().await;
    // A call of the desk comes from the address of the test itself.
    owner.figures().await;
    open(&owner.app, "127.0.0.1", "/", &[]).await;
    open(&owner.app, "203.0.113.4", "/", &[]).await;
    owner.app.flush_views().await;
    let figures = owner.figures().await;
    assert_eq!(
        (total(&figures, "views"), total(&figures, "office_views")),
        (1, 1)
    );
}

#[tokio::test]
async fn a_begun_form_is_counted_by_its_page() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let begin = |page: &'static str| {
        let request = app.http.post(app.url("/api/begun"));
        let request = request.header("x-forwarded-for", "203.0.113.4");
        async move {
            request
                .json(&json!({ "page": page }))
                .send()
                .await
                .unwrap()
                .status()
        }
    };
    assert_eq!(begin("/quote").await, 204);
    assert_eq!(begin("/about").await, 422);
    app.flush_views().await;
    let figures = owner.figures().await;
    assert_eq!(total(&figures, "forms_begun"), 1);
    assert_eq!(number(&figures, "pages", "/quote", "begun"), 1);
}

#[tokio::test]
async fn a_view_counts_on_its_own_day_also_if_it_is_stored_after_midnight() {
    let owner = Owner::open().await;
    let app = &owner.app;
    let visitor = "203.0.113.4";
    open(app, visitor, "/", &[]).await;
    app.clock.advance(24 * 60 * 60 * 1000);
    open(app, visitor, "/", &[]).await;
    app.flush_views().await;
    for day in ["2026-11-21", "2026-11-22"] {
        assert_eq!(
            app.rows(&format!("page_views WHERE day = '{day}' AND views = 1"))
                .await,
            1
        );
    }
}

//! The preview of a draft in the editor: the page and the PDF that the customer would get.

use serde_json::{Value, json};

use super::{Desk, HOUR, link};

/// What is between two parts of a page.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("{from}: {page}"));
    let length = page[start..].find(to);
    &page[start..start + length.unwrap_or_else(|| panic!("{to}: {page}"))]
}

async fn made(desk: &Desk, offer: &Value) -> String {
    let made = desk.on_offer(offer, "preview", json!({})).await;
    made["url"].as_str().unwrap().to_owned()
}

async fn pdf(desk: &Desk, path: &str) -> Vec<u8> {
    let url = desk.app.url(&format!("{path}/offer.pdf"));
    let response = desk.app.http.get(url).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/pdf");
    response.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn a_preview_is_the_page_and_the_pdf_that_the_customer_gets() {
    let desk = Desk::open().await;
    let begun = desk.begun().await;
    let draft = desk.confirmed(&begun).await;
    let url = made(&desk, &draft).await;
    let (status, preview) = desk.page(&url).await;
    assert_eq!(status, 200, "{preview}");
    let file = pdf(&desk, &url).await;
    assert!(preview.contains("Preview: nothing can be answered here."));

    let sent = desk.sent(&draft).await;
    let (_, page) = desk.page(&link(&sent)).await;
    assert!(!page.contains("Preview"), "{page}");
    for (from, to) in [
        ("<section class=\"lead\"", "action"),
        ("<article", "</article>"),
    ] {
        assert_eq!(between(&preview, from, to), between(&page, from, to));
    }
    assert_eq!(file, pdf(&desk, &link(&sent)).await);
}

#[tokio::test]
async fn a_preview_stores_nothing_sends_no_forms_and_is_framed_by_the_desk_only() {
    let desk = Desk::open().await;
    let draft = desk.begun().await;
    let events = desk.app.rows("events").await;
    let url = made(&desk, &draft).await;
    let response = desk.app.http.get(desk.app.url(&url)).send().await.unwrap();
    let headers = response.headers().clone();
    let policy = headers["content-security-policy"].to_str().unwrap();
    for part in [
        "default-src 'none'",
        "script-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert_eq!(headers["x-frame-options"], "SAMEORIGIN");
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(headers["x-robots-tag"], "noindex");
    assert!(!response.text().await.unwrap().contains("<script src"));

    let posted = desk.app.http.post(desk.app.url(&url));
    let posted = posted.form(&super::acceptance(&[])).send().await.unwrap();
    assert_eq!(posted.status(), 405);
    assert_eq!(desk.app.rows("offer_versions").await, 0);
    assert_eq!(desk.app.rows("events").await, events);
}

#[tokio::test]
async fn the_address_of_a_preview_stays_while_the_draft_changes_and_each_offer_has_its_own() {
    let desk = Desk::open().await;
    let (first, second) = (desk.begun().await, desk.begun().await);
    let url = made(&desk, &first).await;
    assert_ne!(made(&desk, &second).await, url);
    let changed = desk
        .changed(&first, "/message", json!("Ask for Ada at the gate."))
        .await;
    assert!(!desk.page(&url).await.1.contains("Ask for Ada"));
    assert_eq!(made(&desk, &changed).await, url);
    assert!(desk.page(&url).await.1.contains("Ask for Ada"));
    // One that cannot be priced has no preview.
    let wrong = desk
        .changed(&changed, "/terms/posts/0/officers", json!(0))
        .await;
    let (status, body) = desk.try_offer(&wrong, "preview", json!({})).await;
    assert_eq!(status, 422, "{body}");
    assert_eq!(body["fields"][0]["field"], "posts.0.officers", "{body}");
}

#[tokio::test]
async fn a_preview_ends_after_fifteen_minutes_and_with_the_session() {
    let desk = Desk::open().await;
    let draft = desk.begun().await;
    assert_eq!(desk.page("/api/admin/offers/preview/0123").await.0, 404);
    let url = made(&desk, &draft).await;
    desk.app.clock.advance(HOUR / 4);
    assert_eq!(desk.page(&url).await.0, 404);
    let url = made(&desk, &draft).await;
    assert_eq!(desk.page(&url).await.0, 200);
    let logout = desk
        .app
        .http
        .post(desk.app.url("/auth/v1/logout?scope=local"));
    let logout = logout.bearer_auth(&desk.ada.token).send().await.unwrap();
    assert_eq!(logout.status(), 204);
    assert_eq!(desk.page(&url).await.0, 404);
    assert_eq!(desk.page(&format!("{url}/offer.pdf")).await.0, 404);
}

#[tokio::test]
async fn whoever_previews_many_offers_ends_their_own_oldest_preview_and_nobody_elses() {
    let desk = Desk::open().await;
    let first = desk.begun().await;
    let theirs = made(&desk, &first).await;
    let eve = desk.app.dispatcher().await;
    let mut own = Vec::new();
    for _ in 0..9 {
        let draft = desk.begun().await;
        let path = format!(
            "/api/admin/offers/{}/preview",
            draft["number"].as_str().unwrap()
        );
        let made = desk.app.http.post(desk.app.url(&path)).json(&json!({}));
        let made = made.bearer_auth(&eve.access_token).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        own.push(made["url"].as_str().unwrap().to_owned());
    }
    assert_eq!(desk.page(&theirs).await.0, 200);
    assert_eq!(desk.page(&own[0]).await.0, 404);
    assert_eq!(desk.page(&own[1]).await.0, 200);
}

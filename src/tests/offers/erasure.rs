//! Person export, erasure and retention: an accepted offer is kept, all others go.

use serde_json::{Value, json};

use super::{DAY, Desk, MARIA, acceptance, link};

#[tokio::test]
async fn an_erasure_deletes_offers_keeps_agreements_and_says_so_and_the_link_ends() {
    let desk = Desk::open().await;
    let open = desk.delivered().await;
    let accepted = desk.delivered().await;
    let changed = desk
        .changed(&accepted, "/message", json!("Now cheaper"))
        .await;
    let accepted = desk.sent(&changed).await;
    desk.post_form(&link(&accepted), "10.1.1.1", &acceptance(&[]))
        .await;
    let person = json!({ "email": MARIA });
    let found = desk.post("/person/find", person.clone()).await;
    assert_eq!(found["kept_agreements"], 1);
    let exported = desk.post("/person/export", person.clone()).await;
    let tables = &exported["tables"];
    assert_eq!(tables["offers"].as_array().unwrap().len(), 2);
    assert_eq!(tables["offer_versions"].as_array().unwrap().len(), 3);
    assert_eq!(tables["offer_acceptances"].as_array().unwrap().len(), 1);
    let erased = desk
        .post("/person/erase", json!({ "email": MARIA, "confirm": MARIA }))
        .await;
    assert_eq!(erased["kept_agreements"], 1);
    for (rows, kept) in [
        ("offers", 1),
        ("offer_versions", 1),
        ("offer_states", 1),
        ("offer_acceptances", 1),
        ("requests", 0),
    ] {
        assert_eq!(desk.app.rows(rows).await, kept, "{rows}");
    }
    for link in [link(&open), link(&accepted)] {
        let (status, page) = desk.page(&link).await;
        assert_eq!(status, 410);
        assert!(page.contains("This offer was removed"), "{page}");
        let posted = desk.post_form(&link, "10.1.1.1", &acceptance(&[])).await;
        assert_eq!(posted.status(), 410);
    }
    let kept = desk.get("/offers?view=accepted").await;
    assert_eq!(kept["offers"][0]["request"], Value::Null);
    // What is kept is still found by the address.
    let found = desk.post("/person/find", person.clone()).await;
    assert_eq!(
        (&found["quotes"], &found["kept_agreements"]),
        (&json!(0), &json!(1))
    );
    let exported = desk.post("/person/export", person).await;
    let tables = &exported["tables"];
    assert_eq!(tables["offer_versions"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn retention_deletes_the_offers_of_closed_requests_but_no_agreement() {
    let desk = Desk::open().await;
    desk.delivered().await;
    let accepted = desk.delivered().await;
    desk.post_form(&link(&accepted), "10.1.1.1", &acceptance(&[]))
        .await;
    desk.app
        .sql("UPDATE requests SET status = 'completed'")
        .await;
    desk.app.clock.advance(DAY);
    let now = desk.app.clock.now();
    desk.app.store.erase_closed(now, 10).await.unwrap();
    assert_eq!(desk.app.rows("quotes").await, 0);
    assert_eq!(desk.app.rows("offers").await, 1);
    assert_eq!(desk.app.rows("offer_versions").await, 1);
    assert_eq!(desk.app.rows("offer_acceptances").await, 1);
}

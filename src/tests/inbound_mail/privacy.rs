//! What is stored of emails belongs to the person: export, erasure, and the move to another machine.

use super::desk::Desk;

#[tokio::test]
async fn an_erasure_takes_the_emails_of_a_person_with_their_bytes_and_an_export_shows_them() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "my secret words")).await;
    let stray = desk
        .answer(2, "stray words")
        .replace(&desk.facts.signed, "office@x.example");
    desk.receive(stray.replace(&desk.facts.ours, "<unknown@x.example>"))
        .await;
    let store = &desk.app.store;
    let export = store
        .export_person(desk.facts.customer.clone())
        .await
        .unwrap();
    let export = export.to_string();
    assert!(
        export.contains("my secret words") && export.contains("stray words"),
        "{export}"
    );
    assert!(export.contains("message.eml"), "{export}");
    let erase = "/api/admin/person/erase";
    let address = &desk.facts.customer;
    let body = serde_json::json!({"email": address, "confirm": address});
    let erased = desk.call(reqwest::Method::POST, erase, body).await;
    assert_eq!(erased.status(), 200);
    for table in [
        "received_emails",
        "events",
        "objects WHERE bucket_id = 'mail'",
    ] {
        assert_eq!(desk.app.rows(table).await, 0, "{table}");
    }
}

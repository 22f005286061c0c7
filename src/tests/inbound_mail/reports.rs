//! Reports that an email came back.

use super::desk::Desk;

#[tokio::test]
async fn a_report_sets_the_reply_to_failed_with_the_servers_words_and_needs_attention() {
    let desk = Desk::start().await;
    let report = desk.case("report-postfix");
    assert_eq!(desk.attention().await, 0);
    desk.receive(report).await;
    let replied = &desk.events("replied").await[0];
    assert_eq!(replied["answers"], false);
    let replied = &replied["detail"];
    assert_eq!(replied["state"], "failed");
    assert!(
        replied["error"].as_str().unwrap().contains("User unknown"),
        "{replied}"
    );
    assert_eq!(replied["bounced"], 1);
    let bounced = &desk.events("bounced").await[0]["detail"];
    assert_eq!(bounced["to"], desk.facts.customer);
    let request = desk.request().await;
    assert_eq!(request["reply_failed"], true);
    assert_eq!(desk.attention().await, 1);
    assert_eq!(desk.app.rows("outbox WHERE state = 'failed'").await, 1);
    let sent = desk.reply("another try").await;
    assert_eq!(sent.to, ["maria@property.example"]);
    assert_eq!(desk.attention().await, 0);
}

#[tokio::test]
async fn a_forged_report_that_knows_neither_the_recipient_nor_the_signed_address_changes_nothing() {
    let desk = Desk::start().await;
    let report = desk.case("report-postfix");
    let report = String::from_utf8(report).unwrap();
    let forged = report
        .replace(&desk.facts.customer, "guess@property.example")
        .replace(&desk.facts.signed, "office@guardpost.example");
    desk.receive(forged).await;
    assert_eq!(
        desk.events("replied").await[0]["detail"]["state"],
        "delivered"
    );
    assert_eq!(desk.attention().await, 0);
    assert_eq!(
        desk.app
            .rows("received_emails WHERE state = 'unmatched'")
            .await,
        1
    );
}

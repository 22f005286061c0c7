//! The same emails through the receiver into a real database: an email is where the table says, and
//! nothing is lost.

use serde_json::{Value, json};
use store::conversation::received::Way;

use super::{Case, cases};
use crate::inbound_mail::desk::Desk;

/// Where an email has come to.
async fn place(desk: &Desk) -> Value {
    let find = "SELECT json_array(state, class) FROM received_emails
                ORDER BY received_at DESC LIMIT 1";
    desk.app.sql_text(find).await.parse().unwrap()
}

/// What the table says of it.
fn expected(case: &Case) -> Value {
    let is_known = case.by != "nothing";
    match case.class.as_str() {
        "report" => json!(["attached", "report"]),
        class if is_known => json!(["attached", class]),
        class => json!(["unmatched", class]),
    }
}

#[tokio::test]
async fn each_email_of_the_table_comes_to_its_place_and_nothing_is_answered_or_lost() {
    let desk = Desk::start().await;
    let other = desk.app.stored(json!({"emergency_contact": false})).await;
    desk.app.run_outbox().await;
    let emails_before = desk.app.rows("outbox").await;
    let mut faults = Vec::new();
    for (count, case) in (1..).zip(cases()) {
        let recipient = (case.name == "to-only-recipient").then(|| desk.facts.signed.clone());
        let bytes = desk.case(&case.name);
        let inbound = &desk.app.inbound;
        desk.app.clock.advance(1_000);
        inbound.receive(bytes, Way::Pipe, recipient).await.unwrap();
        inbound.take_in_pending().await;
        assert_eq!(
            desk.app.rows("received_emails").await,
            count,
            "{}",
            case.name
        );
        let (is, shall) = (place(&desk).await, expected(&case));
        if is != shall {
            faults.push(format!("{}: is {is}, not {shall}", case.name));
        }
    }
    let faults = faults.join("\n");
    assert!(faults.is_empty(), "{faults}");
    let foreign = "events WHERE verb IN ('wrote', 'auto_replied', 'bounced')
                   AND seq <> (SELECT min(seq) FROM requests)";
    assert_eq!(
        desk.app.rows(foreign).await,
        0,
        "none is in the other request"
    );
    let untouched = desk.get(&format!("/api/admin/inbox/{other}")).await;
    assert_eq!(untouched["unread"], false);
    desk.app.run_outbox().await;
    assert_eq!(
        desk.app.rows("outbox").await,
        emails_before,
        "none is answered"
    );
    let bytes = "objects WHERE bucket_id = 'mail' AND name LIKE '%/message.eml'";
    let stored = i64::try_from(cases().len()).unwrap();
    assert_eq!(desk.app.rows(bytes).await, stored, "each is stored whole");
}

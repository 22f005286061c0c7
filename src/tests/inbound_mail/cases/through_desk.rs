//! The same emails through the receiver into a real database: an email is where the table says, and
//! nothing is lost.

use serde_json::{Value, json};
use store::conversation::received::Way;

use super::{Case, Facts, SERVER, cases, email};
use crate::inbound_mail::desk::Desk;

/// Where an email has come to.
pub(super) async fn place(desk: &Desk) -> Value {
    let find = "SELECT json_array(state, class) FROM received_emails
                ORDER BY received_at DESC LIMIT 1";
    desk.app.sql_text(find).await.parse().unwrap()
}

/// What the table says of it.
pub(super) fn expected(case: &Case) -> Value {
    let is_known = case.by != "nothing";
    match case.class.as_str() {
        "report" => json!(["attached", "report"]),
        class if is_known => json!(["attached", class]),
        class => json!(["unmatched", class]),
    }
}

#[tokio::test]
async fn each_email_of_the_table_comes_to_its_place() {
    let desk = Desk::with(|config| {
        config.mail.inbound.authserv_id = SERVER.to_owned();
    })
    .await;
    let mut faults = Vec::new();
    for (count, case) in (1..).zip(cases()) {
        let facts = Facts {
            signed: &desk.facts.signed,
            ours: &desk.facts.ours,
        };
        let recipient = (case.name == "to-only-recipient").then(|| desk.facts.signed.clone());
        let bytes = email(&case.name, &facts);
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
}

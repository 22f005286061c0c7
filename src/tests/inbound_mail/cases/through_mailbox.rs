//! The same emails through a mailbox of a real server, Dovecot: each comes to the same place as by
//! the pipe, and none stays behind.

use config::Inbound;
use guardpost::app;

use super::through_desk::{expected, place};
use super::{Facts, SERVER, cases, email};
use crate::inbound_mail::desk::Desk;
use crate::mail::dovecot::Dovecot;

#[tokio::test]
async fn each_email_of_the_table_comes_to_its_place_by_the_mailbox() {
    let server = Dovecot::start().await;
    let desk = Desk::with(|config| {
        config.mail.inbound = Inbound {
            address: config.mail.inbound.address.clone(),
            authserv_id: SERVER.to_owned(),
            ..server.settings()
        };
    })
    .await;
    let reader = app::workers::mailbox_reader(&desk.app.config, &desk.app.inbound);
    let reader = reader.unwrap().unwrap();
    assert_eq!(reader.read_once().await.unwrap(), 0);
    let all = cases();
    let mut faults = Vec::new();
    for (count, case) in (1..).zip(&all) {
        let facts = Facts {
            signed: &desk.facts.signed,
            ours: &desk.facts.ours,
        };
        let mut bytes = email(&case.name, &facts);
        if case.name == "to-only-recipient" {
            // What mail servers write of the envelope when they deliver into a mailbox.
            let envelope = format!("Delivered-To: {}\n", desk.facts.signed);
            bytes = [envelope.as_bytes(), &bytes].concat();
        }
        desk.app.clock.advance(1_000);
        server.deliver(&count.to_string(), bytes);
        let read = reader.read_once().await.unwrap();
        let stored = desk.app.rows("received_emails").await;
        assert_eq!((read, stored), (1, count), "{}", case.name);
        let (is, shall) = (place(&desk).await, expected(case));
        if is != shall {
            faults.push(format!("{}: is {is}, not {shall}", case.name));
        }
    }
    let faults = faults.join("\n");
    assert!(faults.is_empty(), "{faults}");
    assert_eq!(server.moved(), all.len(), "each is moved away");
}

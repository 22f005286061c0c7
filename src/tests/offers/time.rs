//! Reminders, and the end of offers.

use store::Connection;

use super::{DAY, Desk, MARIA, OFFICE, acceptance, link};

async fn pass(desk: &Desk, millis: i64) {
    desk.app.clock.advance(millis);
    desk.app.advance_offers().await;
    desk.app.run_outbox().await;
}

fn subjects(desk: &Desk, address: &str) -> Vec<String> {
    let mail = desk.mail_to(address).into_iter();
    mail.map(|mail| mail.subject).collect()
}

#[tokio::test]
async fn two_reminders_come_before_the_end_and_the_end_is_told_to_the_office() {
    let desk = Desk::open().await;
    // Valid through December 5: it ends at midnight in Houston, December 6, 06:00 UTC.
    let offer = desk.delivered().await;
    let mut sent = Vec::new();
    for _ in 0..16 {
        pass(&desk, DAY).await;
        let reminders = subjects(&desk, MARIA).len() - 1;
        sent.push(reminders);
    }
    // From November 21, 12:00: three days before the end is December 3, a day before December 5.
    assert_eq!(sent[10..16], [0, 1, 1, 2, 2, 2], "{sent:?}");
    let reminder = subjects(&desk, MARIA).pop().unwrap();
    assert!(
        reminder.contains("is valid until Saturday, December 5, 2026"),
        "{reminder}"
    );
    let told = subjects(&desk, OFFICE);
    assert!(
        told.last().unwrap().starts_with("Offer expired"),
        "{told:?}"
    );
    assert_eq!(desk.offer(&offer).await["state"], "expired");
    assert_eq!(
        desk.app.rows("events WHERE verb = 'offer_expired'").await,
        1
    );
    let (_, page) = desk.page(&link(&offer)).await;
    assert!(page.contains("It can no longer be accepted"), "{page}");
    let late = desk
        .post_form(&link(&offer), "10.1.1.1", &acceptance(&[]))
        .await;
    assert_eq!(late.status(), 409);
}

#[tokio::test]
async fn an_offer_that_cannot_be_read_is_passed_over_by_reminders_and_ends() {
    let desk = Desk::open().await;
    let (broken, whole) = (desk.delivered().await, desk.delivered().await);
    let number = broken["number"].as_str().unwrap().to_owned();
    let spoil = move |conn: &Connection| {
        let sql = "UPDATE offers SET draft = '{' WHERE number = ?1";
        Ok(conn.execute(sql, [&number])?)
    };
    assert_eq!(desk.app.store.write(spoil).await.unwrap(), 1);
    pass(&desk, 16 * DAY).await;
    assert_eq!(desk.offer(&whole).await["state"], "expired");
    let waiting = "offer_states WHERE state = 'sent'";
    assert_eq!(desk.app.rows(waiting).await, 1, "it is left as it is");
}

#[tokio::test]
async fn an_offer_ends_on_time_even_before_the_scheduled_work_has_run() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    desk.app.clock.advance(16 * DAY);
    let late = desk
        .post_form(&link(&offer), "10.1.1.1", &acceptance(&[]))
        .await;
    assert_eq!(late.status(), 409);
    assert!(late.text().await.unwrap().contains("was valid until"));
    assert_eq!(desk.offer(&offer).await["state"], "expired");
}

#[tokio::test]
async fn nobody_who_has_answered_is_reminded() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let fields = [("answer", "decline".to_owned())].into();
    desk.post_form(&link(&offer), "10.1.1.1", &fields).await;
    for _ in 0..16 {
        pass(&desk, DAY).await;
    }
    assert_eq!(subjects(&desk, MARIA).len(), 1, "the offer only");
    assert_eq!(
        desk.app.rows("events WHERE verb = 'offer_expired'").await,
        0
    );
}

#[tokio::test]
async fn an_offer_that_was_sent_just_before_its_end_is_not_followed_by_reminders_at_once() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let valid = serde_json::json!("2026-11-22");
    let offer = desk.changed(&offer, "/valid_until", valid).await;
    desk.sent(&offer).await;
    pass(&desk, 60_000).await;
    assert_eq!(subjects(&desk, MARIA).len(), 1);
    pass(&desk, DAY / 2).await;
    assert_eq!(subjects(&desk, MARIA).len(), 1);
    pass(&desk, DAY).await;
    assert_eq!(subjects(&desk, MARIA).len(), 2, "once it is a day old");
    pass(&desk, DAY / 2).await;
    assert_eq!(desk.offer(&offer).await["state"], "expired");
}

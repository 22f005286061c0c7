//! A database that stores nothing for a while: emails wait, and are taken in afterwards.

use super::desk::Desk;

#[tokio::test]
async fn an_email_whose_failed_try_could_not_be_recorded_is_taken_in_later() {
    let desk = Desk::start().await;
    let app = &desk.app;
    app.sql(
        "CREATE TRIGGER no_email BEFORE UPDATE ON received_emails
           BEGIN SELECT RAISE(ABORT, 'full'); END;
         CREATE TRIGGER no_work BEFORE UPDATE ON email_tries
           BEGIN SELECT RAISE(ABORT, 'full'); END;",
    )
    .await;
    for _ in 0..2 {
        desk.receive(desk.answer(1, "Are you there?")).await;
        assert!(desk.events("wrote").await.is_empty());
    }
    app.sql("DROP TRIGGER no_email; DROP TRIGGER no_work;")
        .await;
    assert!(app.inbound.take_in_pending().await);
    assert_eq!(desk.events("wrote").await.len(), 1);
    assert_eq!(app.rows("email_tries").await, 0);
}

//! Emails that take a reader's stack, memory or time: they end nothing but the process that reads
//! them, and delay no others.

use serde_json::Value;
use store::conversation::received::Way;

use super::desk::{Desk, verified};

/// The header of an email of the customer to the signed address, without the empty line.
fn head(desk: &Desk, number: u32) -> String {
    format!(
        "{}From: Maria <{}>\nTo: <{}>\nSubject: hostile {number}\n\
         Message-ID: <h{number}@property.example>\n",
        verified("property.example"),
        desk.facts.customer,
        desk.facts.signed
    )
}

/// Parts inside parts, whose drop overflows the stack.
fn nested(desk: &Desk) -> Vec<u8> {
    let part = "Content-type : message/rfc822\r\n\r\n";
    (head(desk, 1) + &part.repeat(400_000)).into_bytes()
}

/// Millions of header fields, which take more memory than the reader has.
fn fields(desk: &Desk) -> Vec<u8> {
    (head(desk, 2) + &"a:\n".repeat(5_000_000) + "\nwords\n").into_bytes()
}

/// Parts of a digest without a header of their own, which take more memory than the reader has.
fn digest(desk: &Desk) -> Vec<u8> {
    let kind = "Content-Type: multipart/digest; boundary=x\n\n";
    (head(desk, 3) + kind + &"--x\n\n".repeat(4_000_000)).into_bytes()
}

/// Escapes that take a debug build longer than the first try may take.
fn escapes(desk: &Desk, number: u32) -> Vec<u8> {
    let kind = "Content-Transfer-Encoding: quoted-printable\n\n";
    let line = "=41".repeat(24) + "=\n";
    (head(desk, number) + kind + &line.repeat(380_000)).into_bytes()
}

async fn marked(desk: &Desk) -> Vec<Value> {
    let wrote = desk.events("wrote").await;
    let marks = |event: &Value| event["detail"]["marks"].to_string().contains("unreadable");
    wrote.into_iter().filter(marks).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_email_ends_only_its_reader_and_is_shown_by_its_header_with_its_bytes_kept() {
    let desk = Desk::start().await;
    let hostile = [nested(&desk), fields(&desk), digest(&desk)];
    for (number, email) in (1..).zip(&hostile) {
        desk.receive(email).await;
        let good = desk.answer(100 + number, &format!("good {number}"));
        desk.receive(good).await;
    }
    // A try that fails for a reason of its own, as on a busy machine, is made again later.
    desk.app.clock.advance(600_000);
    desk.app.inbound.take_in_pending().await;
    let wrote = desk.events("wrote").await;
    assert_eq!(wrote.len(), 6, "three hostile and three good ones");
    let marked = marked(&desk).await;
    assert_eq!(marked.len(), 3, "{wrote:?}");
    for email in &hostile {
        let size = email.len();
        let kept = format!("received_emails WHERE size = {size} AND state = 'attached'");
        assert_eq!(desk.app.rows(&kept).await, 1, "{size}");
    }
    let problems = desk.get("/api/admin/system").await["problems"].to_string();
    let sentence = "3 received emails were set aside, since two tries did not come back";
    assert!(problems.contains(sentence), "{problems}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_email_of_a_person_is_read_whole_within_the_memory_of_its_reader() {
    let desk = Desk::start().await;
    let line = "QUJD".repeat(19) + "\n";
    let part = |name: &str| {
        format!(
            "--x\nContent-Type: application/zip\nContent-Disposition: attachment; \
             filename={name}\nContent-Transfer-Encoding: base64\n\n{}\n",
            line.repeat(133_000)
        )
    };
    let kind = "Content-Type: multipart/mixed; boundary=x\n\n--x\n\nthe plans\n";
    let parts = [part("a.zip"), part("b.zip"), part("c.zip")].concat();
    let email = head(&desk, 1) + kind + &parts + "--x--\n";
    assert!(email.len() > 29 * 1024 * 1024);
    desk.receive(email).await;
    let wrote = desk.events("wrote").await;
    assert_eq!(wrote[0]["detail"]["text"], "the plans");
    assert_eq!(wrote[0]["detail"]["files"].as_array().unwrap().len(), 3);
    assert!(marked(&desk).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_takes_long_is_tried_once_before_the_others_and_then_after_them() {
    let desk = Desk::start().await;
    let inbound = &desk.app.inbound;
    let good = desk.answer(9, "good").into_bytes();
    for email in [escapes(&desk, 1), good] {
        inbound.receive(email, Way::Pipe, None).await.unwrap();
    }
    inbound.take_in_pending().await;
    let wrote = desk.events("wrote").await;
    assert_eq!(wrote.len(), 2);
    assert_eq!(wrote[0]["detail"]["text"], "good");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_during_which_the_server_is_killed_twice_is_read_by_its_header_only() {
    let desk = Desk::start().await;
    let inbound = &desk.app.inbound;
    let received = inbound.receive(escapes(&desk, 1), Way::Pipe, None).await;
    received.unwrap();
    for _ in 0..2 {
        let inbound = inbound.clone();
        let work = async move {
            inbound.take_in_pending().await;
        };
        desk.app
            .kill_during("email_tries WHERE running = 1", work)
            .await;
    }
    inbound.take_in_pending().await;
    let marked = marked(&desk).await;
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["detail"]["subject"], "hostile 1");
    desk.receive(desk.answer(2, "good")).await;
    assert_eq!(desk.events("wrote").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_whose_header_ends_the_server_too_is_kept_unread_in_unmatched() {
    let desk = Desk::start().await;
    let inbound = &desk.app.inbound;
    let received = inbound.receive(escapes(&desk, 1), Way::Pipe, None).await;
    received.unwrap();
    let three = "INSERT INTO email_tries (email, tries, running, began_at)
        SELECT id, 3, 0, received_at FROM received_emails WHERE state = 'new'";
    let run = move |conn: &rusqlite::Connection| Ok(conn.execute_batch(three)?);
    desk.app.store.write(run).await.unwrap();
    inbound.take_in_pending().await;
    let list = desk.get("/api/admin/unmatched").await;
    assert_eq!(list["count"], 1, "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_whose_bytes_cannot_be_read_holds_up_no_other() {
    let desk = Desk::start().await;
    let inbound = &desk.app.inbound;
    let lost = desk.answer(1, "lost").into_bytes();
    inbound.receive(lost, Way::Pipe, None).await.unwrap();
    let files = desk.app.folder.path().join("files");
    std::fs::rename(&files, files.with_extension("away")).unwrap();
    std::fs::create_dir(&files).unwrap();
    inbound.take_in_pending().await;
    for number in 2..4 {
        let good = desk.answer(number, "good").into_bytes();
        let stored = inbound.receive(good, Way::Pipe, None).await;
        stored.unwrap();
        inbound.take_in_pending().await;
    }
    assert_eq!(desk.events("wrote").await.len(), 2, "the others are there");
    // The bytes are found again, for example in the bucket.
    for entry in std::fs::read_dir(files.with_extension("away")).unwrap() {
        let entry = entry.unwrap();
        let _ = std::fs::rename(entry.path(), files.join(entry.file_name()));
    }
    inbound.take_in_pending().await;
    assert_eq!(desk.events("wrote").await.len(), 3);
}

//! The words of all emails about offers, read as their recipients read them.

use serde_json::{Value, json};
use store::conversation::received::Way;

use super::{DAY, Desk, MARIA, OFFICE, SECOND, acceptance, link};
use crate::support::mail::Mail;

const BOSS: &str = "boss@property.example";

/// The words of an email, with the same number, link and code in each run.
fn words(mail: &Mail, number: &str) -> String {
    let code = mail
        .text
        .lines()
        .find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()));
    let text = mail.text.lines().map(|line| match line {
        line if Some(line) == code => "123456",
        line if line.contains("/offer/GP-") => "(the link of the offer)",
        line => line,
    });
    let text = text.collect::<Vec<_>>().join("\n");
    let all = format!(
        "To: {}\nSubject: {}\n\n{text}",
        mail.to.join(", "),
        mail.subject
    );
    let all = all.replace(code.unwrap_or("123456"), "123456");
    let reference = number.rsplit_once('-').unwrap().0;
    all.replace(reference, "GP-2K7Q")
}

/// Lets ten seconds pass; returns the words of the emails that have left since the last call.
async fn left(desk: &Desk, number: &str, read: &mut usize) -> String {
    desk.app.clock.advance(10 * SECOND);
    desk.app.advance_offers().await;
    desk.app.run_outbox().await;
    let mailbox = desk.app.mailbox();
    let new = mailbox[*read..].iter().filter(|mail| {
        let is_known = mail.to == [MARIA] || mail.to == [BOSS] || mail.to == [OFFICE];
        is_known
            && !mail.subject.contains("quote request")
            && !mail.subject.contains("Quote request")
    });
    let text: Vec<String> = new.map(|mail| words(mail, number)).collect();
    *read = mailbox.len();
    text.join("\n=====\n") + "\n=====\n"
}

/// A new offer for another customer's later start, whose email has left.
async fn later(desk: &Desk) -> Value {
    let start = json!({ "start_date": "2027-03-01" });
    let offer = desk.sent(&desk.begun_for(start).await).await;
    desk.app.clock.advance(10 * SECOND);
    desk.app.run_outbox().await;
    offer
}

#[tokio::test]
async fn an_answer_to_an_email_about_an_offer_is_in_the_conversation() {
    let desk = Desk::with(|config| {
        config.mail.inbound.address = "office@guardpost.example".to_owned();
    });
    let desk = desk.await;
    let offer = desk.delivered().await;
    let id = offer["request"]["id"].as_str().unwrap();
    desk.app.clock.advance(12 * DAY);
    desk.app.advance_offers().await;
    desk.app.run_outbox().await;
    let other = acceptance(&[("email", BOSS), ("name", "Bo Boss")]);
    desk.post_form(&link(&offer), "10.1.1.2", &other).await;
    desk.post_form(&link(&offer), "10.1.1.3", &acceptance(&[]))
        .await;
    desk.app.run_outbox().await;
    let to_customer = desk.mail_to(MARIA);
    assert_eq!(to_customer.len(), 3, "the offer, a reminder, the receipt");
    for (count, mail) in (1..).zip(&to_customer) {
        let to = mail.reply_to.as_deref().unwrap();
        assert!(to.contains("office+c."), "{}: {to}", mail.subject);
        let answer = format!(
            "From: {MARIA}\nTo: {to}\nSubject: Re: {}\n\
             Message-ID: <a{count}@property.example>\n\nThanks",
            mail.subject
        );
        let (inbound, answer) = (&desk.app.inbound, answer.into_bytes());
        inbound.receive(answer, Way::Pipe, None).await.unwrap();
        inbound.take_in_pending().await;
        let history = desk.get(&format!("/inbox/{id}")).await["history"].clone();
        let wrote = history.as_array().unwrap().iter();
        let wrote = wrote.filter(|event| event["verb"] == "wrote").count();
        assert_eq!(wrote, count, "{}", mail.subject);
    }
    let code = desk.mail_to(BOSS).pop().unwrap();
    let to = code.reply_to.unwrap();
    assert!(to.ends_with("<office@guardpost.example>"), "{to}");
}

#[tokio::test]
async fn every_email_about_an_offer_says_what_its_recipient_has_to_know() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let number = offer["number"].as_str().unwrap().to_owned();
    let message = json!("Thank you for calling this morning.\nThe officer can start at once.");
    let offer = desk.changed(&offer, "/message", message).await;
    let offer = desk.sent(&offer).await;
    let page = link(&offer);
    let (mut read, mut all) = (0, String::new());
    all += &left(&desk, &number, &mut read).await;
    let question = [
        ("answer", "ask".to_owned()),
        ("question", "Does he have a radio?".to_owned()),
    ];
    desk.post_form(&page, "10.1.1.1", &question.into()).await;
    all += &left(&desk, &number, &mut read).await;
    desk.app.clock.advance(12 * DAY);
    all += &left(&desk, &number, &mut read).await;
    let other = acceptance(&[("email", BOSS), ("name", "Bo Boss")]);
    desk.post_form(&page, "10.1.1.2", &other).await;
    all += &left(&desk, &number, &mut read).await;
    desk.post_form(&page, "10.1.1.3", &acceptance(&[])).await;
    all += &left(&desk, &number, &mut read).await;
    let declined = later(&desk).await;
    let number = declined["number"].as_str().unwrap().to_owned();
    let decline = [
        ("answer", "decline".to_owned()),
        ("reason", "We hired another company.".to_owned()),
    ];
    read = desk.app.mailbox().len();
    desk.post_form(&link(&declined), "10.1.1.4", &decline.into())
        .await;
    all += &left(&desk, &number, &mut read).await;
    let expired = later(&desk).await;
    let number = expired["number"].as_str().unwrap().to_owned();
    read = desk.app.mailbox().len();
    desk.app.clock.advance(40 * DAY);
    all += &left(&desk, &number, &mut read).await;
    assert_eq!(all, include_str!("../golden/offer_emails.txt"));
}

//! The status page of a request, through all that can happen to it: what it says, and that each
//! sentence comes from an event.

use reqwest::Method;
use serde_json::{Value, json};

use super::{DAY, Desk, HOUR, SECOND, acceptance, link};
use crate::support::visitors::{quote, visitor};

/// A request with its page.
struct Case {
    desk: Desk,
    /// The receipt of the request.
    receipt: Value,
}

impl Case {
    async fn of(changes: Value) -> Self {
        let desk = Desk::open().await;
        let mut changes = changes;
        changes["start_date"] = json!("2026-12-08");
        let sent = desk.app.ask(&visitor(0), None, &quote(changes)).await;
        let receipt = sent.json().await.unwrap();
        Self { desk, receipt }
    }

    fn text(&self, key: &str) -> String {
        self.receipt[key].as_str().unwrap().to_owned()
    }

    async fn html(&self) -> String {
        let (status, page) = self.desk.page(&self.text("status_page")).await;
        assert_eq!(status, 200);
        page
    }

    /// The title, the sentences and the steps of the page, each without its time of day.
    async fn says(&self) -> Vec<String> {
        let html = self.html().await;
        let body = html.split_once("<main").unwrap().1;
        let body = body.split_once("case-write").unwrap().0;
        assert!(!body.contains("{{"), "{body}");
        let mut said = Vec::new();
        for (tag, end) in [
            ("<h2>", "</h2>"),
            ("case-sentence\">", "</p>"),
            ("<strong>", "</li>"),
        ] {
            let parts = body.split(tag).skip(1);
            said.extend(parts.map(|part| plain(part.split_once(end).unwrap().0)));
        }
        said
    }

    async fn expect(&self, expected: &[&str]) {
        let said = self.says().await;
        assert_eq!(said, expected, "{said:#?}");
    }

    async fn on_request(&self, path: &str, body: Value) -> Value {
        self.desk
            .post(&format!("/inbox/{}{path}", self.text("id")), body)
            .await
    }

    async fn move_to(&self, status: &str) {
        let path = format!("/inbox/{}", self.text("id"));
        let body = json!({ "status": status });
        let (code, body) = self.desk.send(Method::PATCH, &path, body).await;
        assert_eq!(code, 200, "{body}");
    }

    async fn reply(&self) {
        let body = json!({ "subject": "Your request", "text": "When shall we start?" });
        self.on_request("/replies", body).await;
        self.deliver().await;
    }

    async fn deliver(&self) {
        self.desk.app.clock.advance(10 * SECOND);
        self.desk.app.run_outbox().await;
    }

    /// Posts a form of the page.
    async fn post(&self, field: &str, value: &str) {
        let url = self.desk.app.url(&self.text("status_page"));
        let form = self.desk.app.http.post(url).form(&[(field, value)]);
        assert_eq!(form.send().await.unwrap().status(), 303);
    }

    /// Sends an offer for the request; returns it.
    async fn offer(&self) -> Value {
        let offer = self.on_request("/offers", json!({})).await;
        self.desk.sent(&offer).await
    }
}

/// The text of HTML.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        let (_, after) = part.split_once('>').unwrap_or(("", part));
        text += after;
        text.push(' ');
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The test's clock begins on Saturday, November 21, 2026 at 6:00 AM in Houston.
const DAY_1: &str = "Saturday, November 21, 2026 at 6:00 AM CST";

#[tokio::test]
async fn a_request_is_received_answered_offered_accepted_confirmed_and_completed() {
    let case = Case::of(json!({ "emergency_contact": false })).await;
    let received = format!("Received {DAY_1}");
    let due = "Sunday, November 22, 2026 at 6:00 AM CST";
    case.expect(&[
        "We are on it",
        &format!("Someone from our office will call or email you by {due}."),
        &received,
        &format!("Answer promised by {due}"),
    ])
    .await;

    case.on_request("/calls", json!({ "outcome": "no_answer" }))
        .await;
    let called = format!("We called you and did not reach you {DAY_1}");
    case.expect(&[
        "We are on it",
        &format!("We called you on {DAY_1} and did not reach you."),
        &format!("Someone from our office will call or email you by {due}."),
        &received,
        &called,
        &format!("Answer promised by {due}"),
    ])
    .await;

    case.desk.app.clock.advance(25 * HOUR);
    let said = case.says().await;
    assert_eq!(said[0], "We owe you an answer");
    assert!(said[2].contains("are late. Please call us"), "{said:?}");
    assert_eq!(
        said.last().unwrap(),
        &format!("Answer was promised by {due}")
    );

    case.reply().await;
    let said = case.says().await;
    assert_eq!(said[0], "We have answered");
    assert!(said[1].starts_with("We emailed you on Sunday, November 22, 2026 at 7:00 AM CST."));
    assert_eq!(said.len(), 5, "no promise is left: {said:?}");

    case.desk.app.clock.advance(HOUR);
    case.post("text", "Is the gate open?").await;
    let said = case.says().await;
    let wrote = "Sunday, November 22, 2026 at 8:00 AM CST";
    assert_eq!(said[0], "We have your message");
    assert_eq!(
        said[1],
        format!("You wrote to us on {wrote}. We will answer by email or phone.")
    );
    assert_eq!(said.last().unwrap(), &format!("You wrote to us {wrote}"));

    case.desk.app.clock.advance(HOUR);
    let before = case.says().await;
    let offer = case.offer().await;
    assert_eq!(
        case.says().await,
        before,
        "an email that can be taken back was not sent"
    );
    case.deliver().await;
    let said = case.says().await;
    let number = offer["number"].as_str().unwrap();
    let emailed = "Sunday, November 22, 2026 at 9:00 AM CST";
    assert_eq!(said[0], "Your offer is ready");
    let ready =
        format!("We emailed you offer {number} on {emailed}. You can accept it, decline it");
    assert!(said[1].starts_with(&ready), "{said:?}");
    assert!(said[1].contains("at 11:59 PM CST"), "{said:?}");
    assert!(
        said.last()
            .unwrap()
            .starts_with(&format!("We emailed you offer {number} {emailed}"))
    );
    let review = format!("href=\"{}\">Review the offer</a>", link(&offer));
    assert!(case.html().await.contains(&review));

    case.desk.app.clock.advance(HOUR);
    let answered = case
        .desk
        .post_form(&link(&offer), "10.9.9.9", &acceptance(&[]))
        .await;
    assert_eq!(answered.status(), 303);
    let accepted = "Sunday, November 22, 2026 at 10:00 AM CST";
    let after_acceptance = case.says().await;
    assert_eq!(
        after_acceptance[..5],
        [
            "Your offer is accepted".to_owned(),
            format!("You accepted offer {number} on {accepted}."),
            "We will contact you about the first shift.".to_owned(),
            "First shift: Tuesday, December 8, 2026 at 8:00 AM, Houston, TX.".to_owned(),
            "At the gate, call (713) 555-0142 at any hour and give your reference.".to_owned(),
        ],
        "{after_acceptance:#?}"
    );
    let html = case.html().await;
    assert!(html.contains(&format!(
        "href=\"{}/receipt.pdf\">Receipt (PDF)</a>",
        link(&offer)
    )));
    assert!(
        !html.contains("Close this request"),
        "an accepted service is not closed by one press"
    );
    assert!(!html.contains("Review the offer"), "{html}");

    // Whether the acceptance or the office has moved the request makes no difference.
    let _ = case.desk.app.store.request(case.text("id")).await.unwrap();
    case.desk
        .app
        .sql("UPDATE requests SET status = 'in_progress'")
        .await;
    assert_eq!(case.says().await, after_acceptance);

    case.desk.app.clock.advance(HOUR);
    case.desk.on_offer(&offer, "confirm", json!({})).await;
    let said = case.says().await;
    let confirmed = "Sunday, November 22, 2026 at 11:00 AM CST";
    assert_eq!(
        said[2],
        format!("We confirmed on {confirmed} that your posts are staffed.")
    );
    let step = format!("We confirmed offer {number}: your posts are staffed {confirmed}");
    assert_eq!(said.last(), Some(&step));

    case.desk.app.clock.advance(HOUR);
    case.move_to("completed").await;
    let said = case.says().await;
    assert_eq!(said[0], "This request is completed");
    assert!(said[1].starts_with("We marked it as completed on Sunday, November 22, 2026 at 12"));
    assert!(case.html().await.contains("Receipt (PDF)"));
}

#[tokio::test]
async fn an_offer_that_was_not_accepted_says_how_it_ended() {
    for (answer, title, sentence) in [
        ("decline", "You declined our offer", "You declined it on "),
        ("withdraw", "We withdrew our offer", "We withdrew it on "),
        (
            "expire",
            "Our offer has expired",
            "It could be accepted until ",
        ),
    ] {
        let case = Case::of(json!({ "emergency_contact": false })).await;
        let offer = case.offer().await;
        case.deliver().await;
        case.desk.app.clock.advance(HOUR);
        match answer {
            "decline" => {
                let fields = [("answer", "decline".to_owned())].into();
                case.desk
                    .post_form(&link(&offer), "10.9.9.9", &fields)
                    .await;
            }
            "withdraw" => {
                case.desk.on_offer(&offer, "withdraw", json!({})).await;
            }
            _ => {
                case.desk.app.clock.advance(40 * DAY);
                case.desk.app.advance_offers().await;
            }
        }
        let said = case.says().await;
        assert_eq!(said[0], title);
        assert!(said[1].starts_with(sentence), "{said:?}");
        assert!(!case.html().await.contains("Review the offer"), "{answer}");
        case.desk.app.clock.advance(HOUR);
        case.reply().await;
        assert_eq!(case.says().await[0], "We have answered", "after {answer}");
    }
}

#[tokio::test]
async fn an_acceptance_that_the_office_has_entered_is_not_said_to_be_the_customers() {
    let case = Case::of(json!({ "emergency_contact": false })).await;
    let offer = case.offer().await;
    case.deliver().await;
    let body = json!({
        "answer": "accepted", "version": 1, "name": "María O’Brien", "note": "By phone",
    });
    case.desk.on_offer(&offer, "answer", body).await;
    let said = case.says().await;
    assert!(said[1].starts_with("We recorded on Saturday"), "{said:?}");
    assert!(
        !said.iter().any(|it| it.starts_with("You accepted")),
        "{said:?}"
    );
}

#[tokio::test]
async fn an_offer_that_is_accepted_before_its_email_is_delivered_leaves_no_answer_promised() {
    let case = Case::of(json!({ "emergency_contact": false })).await;
    let offer = case.offer().await;
    let promised = async || {
        let said = case.says().await;
        said.iter().any(|it| it.starts_with("Answer promised"))
    };
    assert!(promised().await);
    let answer = case
        .desk
        .post_form(&link(&offer), "203.0.113.9", &acceptance(&[]))
        .await;
    assert!(answer.status().is_success() || answer.status().is_redirection());
    assert!(!promised().await, "{:?}", case.says().await);
}

#[tokio::test]
async fn nobody_is_said_to_have_called_before_a_call_and_an_owed_call_stays_owed() {
    let case = Case::of(json!({ "emergency_contact": true })).await;
    let due = "Saturday, November 21, 2026 at 6:30 AM CST";
    case.expect(&[
        "We will call you",
        &format!("We will call you by {due}. If you cannot wait, call us now."),
        &format!("Received {DAY_1}"),
        &format!("Call promised by {due}"),
    ])
    .await;
    // An email, and an offer, are no call.
    case.reply().await;
    let said = case.says().await;
    assert_eq!(said[0], "We will call you");
    assert_eq!(said[1], format!("We emailed you on {DAY_1}."));
    case.offer().await;
    case.deliver().await;
    case.desk.app.clock.advance(HOUR);
    let said = case.says().await;
    assert_eq!(said[0], "Your offer is ready");
    assert!(said[2].starts_with("We promised a call by"), "{said:?}");
    assert!(
        !said.iter().any(|it| it.contains("not reached")),
        "{said:?}"
    );

    case.on_request("/calls", json!({ "outcome": "voicemail" }))
        .await;
    let said = case.says().await;
    assert!(
        said[2].contains("and left a message. We will try again."),
        "{said:?}"
    );
    case.on_request("/calls", json!({ "outcome": "reached" }))
        .await;
    let said = case.says().await;
    assert_eq!(said[0], "Your offer is ready");
    assert!(!said.iter().any(|it| it.contains("promised")), "{said:?}");
}

#[tokio::test]
async fn a_customer_who_needs_nothing_more_closes_the_request_until_somebody_writes() {
    let case = Case::of(json!({ "emergency_contact": false })).await;
    case.reply().await;
    case.desk.app.clock.advance(HOUR);
    case.post("settled", "yes").await;
    let said = case.says().await;
    assert_eq!(said[0], "You closed this request");
    assert!(
        !case.html().await.contains("All set?"),
        "it is closed already"
    );
    case.desk.app.clock.advance(HOUR);
    case.reply().await;
    assert_eq!(case.says().await[0], "We have answered");
    assert!(case.html().await.contains("All set?"));
    case.move_to("cancelled").await;
    let said = case.says().await;
    assert_eq!(said[0], "This request is closed");
    assert!(said[1].starts_with("We closed it on Saturday"), "{said:?}");
}

#[tokio::test]
async fn times_are_those_of_the_customers_place_with_the_offices_beside_them() {
    let place = json!({ "emergency_contact": false, "location": "04101" });
    let case = Case::of(place).await;
    let said = case.says().await;
    let received =
        "Received Saturday, November 21, 2026 at 7:00 AM EST (6:00 AM CST at our office)";
    assert_eq!(said[2], received);
}

/// Two answered requests of one customer: the first has an offer, and the customer has written on
/// the page of the second. Returns the first with its offer, and the id of the second.
async fn offered_and_asked() -> (Case, Value, String) {
    let case = Case::of(json!({ "emergency_contact": false })).await;
    case.reply().await;
    let offer = case.offer().await;
    case.deliver().await;
    case.desk.app.clock.advance(HOUR);
    let fields = json!({
        "emergency_contact": false, "start_date": "2026-12-08",
        "description": "The windmill needs guards, too.",
    });
    let sent = case.desk.app.ask(&visitor(1), None, &quote(fields)).await;
    let mut other = Case {
        receipt: sent.json().await.unwrap(),
        ..case
    };
    other.reply().await;
    other.desk.app.clock.advance(HOUR);
    other.post("text", "Is there a booth at the gate?").await;
    let second = other.text("id");
    other.receipt = json!({ "id": offer["request"]["id"] });
    (other, offer, second)
}

impl Case {
    /// The ids of the requests that need attention.
    async fn attention(&self) -> Vec<String> {
        let list = self.desk.get("/inbox?attention=true").await;
        let requests = list["requests"].as_array().unwrap().iter();
        let ids = requests.map(|request| request["id"].as_str().unwrap().to_owned());
        ids.collect()
    }
}

#[tokio::test]
async fn a_question_waits_through_a_merge_and_an_acceptance_until_somebody_answers_it() {
    let (mut case, offer, second) = offered_and_asked().await;
    let other = json!({ "request": second });
    let kept = case.on_request("/merge", other).await;
    case.receipt = json!({ "id": kept["id"] });
    let accepted = acceptance(&[]);
    let page = link(&offer);
    let posted = case.desk.post_form(&page, "203.0.113.9", &accepted);
    assert_eq!(posted.await.status(), 303);
    case.on_request("/read", json!({})).await;
    case.desk.on_offer(&offer, "confirm", json!({})).await;
    assert_eq!(case.attention().await, [case.text("id")]);
    case.reply().await;
    assert_eq!(case.attention().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_question_of_a_duplicate_stays_with_it_when_the_two_are_separated() {
    for way in ["undo", "separate"] {
        let (mut case, _, second) = offered_and_asked().await;
        let first = case.text("id");
        assert_eq!(case.attention().await, [second.as_str()]);
        let before = case.desk.get(&format!("/inbox/{first}")).await;
        let kept = case
            .on_request("/merge", json!({ "request": second }))
            .await;
        case.receipt = json!({ "id": kept["id"] });
        let merged = match kept["id"] == json!(first) {
            true => &second,
            false => &first,
        };
        let body = match way {
            "undo" => json!({}),
            _ => json!({ "request": merged }),
        };
        case.on_request(&format!("/{way}"), body).await;
        assert_eq!(case.attention().await, [second.as_str()], "{way}");
        let after = case.desk.get(&format!("/inbox/{first}")).await;
        for key in ["unread", "waiting_since", "answered_at", "emailed_at"] {
            assert_eq!(before[key], after[key], "{way}: {key}");
        }
    }
}

//! The mark of requests whose customer has asked before.

use serde_json::{Value, json};

use super::{Dispatcher, text};
use crate::support::app::TestApp;
use crate::support::visitors::{quote, visitor};

/// The last names of the listed requests whose customer has asked before.
async fn repeated(app: &TestApp, desk: &Dispatcher, query: &str) -> Vec<String> {
    let page = desk.get(app, &format!("/inbox{query}")).await;
    let requests = page["requests"].as_array().unwrap().iter();
    let repeated = requests.filter(|request| request["asked_before"] == true);
    repeated
        .map(|request| text(&request["last_name"]))
        .collect()
}

/// Two requests of one customer: the second has the phone number of the first one and another
/// address. Returns the id of the first.
async fn two(app: &TestApp) -> String {
    let customer = |name: &str, email: &str| json!({"last_name": name, "email": email});
    let first = app.stored(customer("Newa", "a@site.example")).await;
    app.stored(customer("Newb", "b@site.example")).await;
    first
}

#[tokio::test]
async fn a_list_says_which_customers_have_asked_before() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    for (name, email, phone) in [
        ("Newa", "a@site.example", "713-555-0101"),
        ("Spamma", "c@site.example", "713-555-0103"),
        ("Newb", "b@site.example", "713-555-0102"),
        ("Samephone", "x@site.example", "+1 (713) 555-0101"),
        ("Sameaddress", "B@Site.example", "713-555-0109"),
        ("Afterspam", "c@site.example", "713-555-0110"),
    ] {
        let id = app
            .stored(json!({"last_name": name, "email": email, "phone": phone}))
            .await;
        if name == "Spamma" {
            desk.post(&app, &format!("/inbox/{id}/spam"), json!({}))
                .await;
        }
    }
    // A search waits until all are indexed.
    desk.get(&app, "/inbox?q=newa").await;
    let repeated = repeated(&app, &desk, "").await;
    assert_eq!(repeated, ["Sameaddress", "Samephone"]);
}

#[tokio::test]
async fn a_customer_has_not_asked_before_while_the_earlier_request_is_held() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let first = two(&app).await;
    assert_eq!(repeated(&app, &desk, "?q=newb").await, ["Newb"]);
    for (action, is_repeated) in [("spam", false), ("release", true), ("spam", false)] {
        let path = format!("/inbox/{first}/{action}");
        desk.post(&app, &path, json!({})).await;
        let found = repeated(&app, &desk, "?q=newb").await;
        assert_eq!(!found.is_empty(), is_repeated, "{action}");
    }
}

#[tokio::test]
async fn a_customer_has_not_asked_before_once_the_earlier_request_is_erased() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    two(&app).await;
    assert_eq!(repeated(&app, &desk, "?q=newb").await, ["Newb"]);
    let person = json!({"email": "a@site.example", "confirm": "a@site.example"});
    let (status, erased) = desk.post(&app, "/person/erase", person).await;
    assert_eq!(status, 200, "{erased}");
    assert!(repeated(&app, &desk, "?q=newb").await.is_empty());
}

#[tokio::test]
async fn a_customer_has_asked_before_as_soon_as_both_requests_are_indexed() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    two(&app).await;
    // This list waits for no index.
    repeated(&app, &desk, "").await;
    repeated(&app, &desk, "?q=newb").await;
    assert_eq!(repeated(&app, &desk, "").await, ["Newb"]);
}

#[tokio::test]
async fn another_process_may_hold_the_earlier_request() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let first = two(&app).await;
    assert_eq!(repeated(&app, &desk, "?q=newb").await, ["Newb"]);
    let other = app.beside().await;
    desk.post(&other, &format!("/inbox/{first}/spam"), json!({}))
        .await;
    assert!(repeated(&app, &desk, "?q=newb").await.is_empty());
}

/// Checks the mark of each listed request: the list has an earlier one with the same address or
/// number. Returns how many are marked.
fn marked(page: &Value, step: &str) -> usize {
    let requests = page["requests"].as_array().unwrap();
    for request in requests {
        let is_earlier = |other: &Value| {
            let is_same = ["email", "phone"].map(|field| other[field] == request[field]);
            text(&other["id"]) < text(&request["id"]) && is_same.contains(&true)
        };
        let expected = requests.iter().any(is_earlier);
        assert_eq!(request["asked_before"], json!(expected), "{step}: {page}");
    }
    requests
        .iter()
        .filter(|request| request["asked_before"] == true)
        .count()
}

#[tokio::test]
async fn the_mark_is_right_after_any_changes_by_two_processes() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let other = app.beside().await;
    app.clock.advance(600_000);
    let mut state = 7_u32;
    let mut pick = |choices: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % choices
    };
    let mut ids = Vec::new();
    let (mut changes, mut most_marked) = (0, 0);
    for step in 0..120 {
        let by = [&app, &other][pick(2) as usize];
        let action = match ids.len() {
            0..4 => 0,
            _ => pick(8),
        };
        if action < 2 {
            app.clock.advance(if action == 0 { 4000 } else { -3000 });
            let customer = json!({
                "email": format!("c{}@site.example", pick(9)),
                "phone": format!("713-555-01{}", 10 + pick(20)),
                "emergency_contact": false,
            });
            let answer = by.ask(&visitor(step), None, &quote(customer)).await;
            ids.push(text(&answer.json::<Value>().await.unwrap()["id"]));
            continue;
        }
        let [one, two] = [(); 2].map(|()| ids[pick(ids.len() as u32) as usize].clone());
        let email = format!("c{}@site.example", pick(9));
        let (path, body) = match action {
            2 => (format!("/inbox/{one}/merge"), json!({ "request": two })),
            3 => (format!("/inbox/{one}/separate"), json!({ "request": two })),
            4 if step % 3 == 0 => {
                let person = json!({ "email": email, "confirm": email });
                ("/person/erase".to_owned(), person)
            }
            5 => (format!("/inbox/{one}/spam"), json!({})),
            _ => (format!("/inbox/{one}/release"), json!({})),
        };
        let (status, _) = desk.post(by, &path, body).await;
        changes += u32::from(status == 200);
        // The search waits until all requests are indexed.
        for reader in [&app, &other] {
            let page = desk.get(reader, "/inbox?q=maría&limit=100").await;
            most_marked = most_marked.max(marked(&page, &format!("{step} {path}")));
        }
    }
    assert!(changes > 20 && most_marked > 5, "{changes}, {most_marked}");
}

//! The mark of requests whose customer has asked before.

use serde_json::json;

use super::{Dispatcher, text};
use crate::support::app::TestApp;

/// The last names of the listed requests whose customer has asked before.
async fn repeated(desk: &Dispatcher, query: &str) -> Vec<String> {
    let page = desk.get(&format!("/inbox{query}")).await;
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
            desk.on(&id, "spam", json!({})).await;
        }
    }
    // A search waits until all are indexed.
    desk.get("/inbox?q=newa").await;
    let repeated = repeated(&desk, "").await;
    assert_eq!(repeated, ["Sameaddress", "Samephone"]);
}

#[tokio::test]
async fn a_customer_has_not_asked_before_while_the_earlier_request_is_held() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    let first = two(&app).await;
    assert_eq!(repeated(&desk, "?q=newb").await, ["Newb"]);
    for (action, is_repeated) in [("spam", false), ("release", true), ("spam", false)] {
        let path = format!("/inbox/{first}/{action}");
        desk.post(&path, json!({})).await;
        let found = repeated(&desk, "?q=newb").await;
        assert_eq!(!found.is_empty(), is_repeated, "{action}");
    }
}

#[tokio::test]
async fn a_customer_has_not_asked_before_once_the_earlier_request_is_erased() {
    let app = TestApp::start().await;
    let desk = Dispatcher::of(&app).await;
    two(&app).await;
    assert_eq!(repeated(&desk, "?q=newb").await, ["Newb"]);
    let person = json!({"email": "a@site.example", "confirm": "a@site.example"});
    let (status, erased) = desk.post("/person/erase", person).await;
    assert_eq!(status, 200, "{erased}");
    assert!(repeated(&desk, "?q=newb").await.is_empty());
}

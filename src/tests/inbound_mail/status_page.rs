//! The conversation on the status page: what was said when, and a message without any email.

use serde_json::json;

use super::desk::{Desk, HOUR};

/// The path of the status page, from the newest reply.
fn path(desk: &Desk) -> String {
    let mail = desk.app.mailbox().pop().unwrap();
    let at = mail.text.find("/case/").unwrap();
    mail.text[at..]
        .split_whitespace()
        .next()
        .unwrap()
        .to_owned()
}

/// Posts a form of the page; the status, and the page after a redirect.
async fn post(desk: &Desk, path: &str, body: &str) -> (u16, String) {
    let request = desk.app.http.post(desk.app.url(path)).body(body.to_owned());
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    if status != 303 {
        return (status, response.text().await.unwrap());
    }
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    (status, page(desk, &location).await)
}

async fn page(desk: &Desk, path: &str) -> String {
    let response = desk.app.http.get(desk.app.url(path)).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

#[tokio::test]
async fn the_page_takes_a_message_that_starts_the_clock_and_shows_who_wrote_when() {
    let mut desk = Desk::start().await;
    let path = path(&desk);
    desk.app.clock.advance(HOUR);
    desk.sign_in().await;
    let (status, sent) = post(&desk, &path, "text=Is+the+gate+%3Copen%3E%3F%0D%0AMaria").await;
    assert_eq!(status, 303);
    assert!(
        sent.contains("Your message has reached our office"),
        "{sent}"
    );
    assert!(
        sent.contains("You wrote") && sent.contains("We emailed you"),
        "{sent}"
    );
    assert!(
        !sent.contains("Maria") && !sent.contains("data-note=\"settled\""),
        "{sent}"
    );
    assert!(!sent.contains("{{"), "{sent}");
    let written = &desk.events("wrote").await[0]["detail"];
    assert_eq!(written["via"], "page");
    assert_eq!(written["text"], "Is the gate ?\nMaria");
    assert!(desk.request().await["waiting_since"].is_string());
    assert_eq!(
        post(&desk, &path, "text=Is+the+gate+%3Copen%3E%3F%0D%0AMaria")
            .await
            .0,
        303
    );
    assert_eq!(
        desk.events("wrote").await.len(),
        1,
        "a second press of the button"
    );
}

#[tokio::test]
async fn this_is_settled_stops_the_clock_and_is_shown_to_the_office() {
    let desk = Desk::start().await;
    let path = path(&desk);
    desk.receive(desk.answer(1, "thanks, found it")).await;
    let (status, page) = post(&desk, &path, "settled=yes").await;
    assert_eq!(status, 303);
    assert!(page.contains("You closed this request"), "{page}");
    let request = desk.request().await;
    assert!(request["waiting_since"].is_null());
    assert_eq!(desk.events("settled").await.len(), 1);
    let read = format!("/api/admin/inbox/{}/read", desk.id);
    desk.post(&read, json!({})).await;
    assert_eq!(desk.attention().await, 0);
}

#[tokio::test]
async fn an_empty_or_too_long_message_is_returned_with_its_text_and_stores_nothing() {
    let desk = Desk::start().await;
    let path = path(&desk);
    let (status, page) = post(&desk, &path, "text=++").await;
    assert_eq!(status, 422);
    assert!(page.contains("Please type your message first"), "{page}");
    let long = "é".repeat(2001);
    let (status, page) = post(&desk, &path, &format!("text={long}{{{{case.path}}}}")).await;
    assert_eq!(status, 422);
    assert!(
        page.contains("Nothing was sent") && page.contains(&long),
        "{page}"
    );
    assert_eq!(
        post(&desk, &path, &format!("text={}", "é".repeat(2000)))
            .await
            .0,
        303
    );
    assert_eq!(desk.events("wrote").await.len(), 1);
}

#[tokio::test]
async fn messages_are_limited_like_the_forms_and_refused_from_other_sites_and_by_wrong_links() {
    let desk = Desk::with(|config| config.limits.form_max = 2).await;
    let path = path(&desk);
    for text in ["one", "two"] {
        assert_eq!(post(&desk, &path, &format!("text={text}")).await.0, 303);
    }
    let (status, page) = post(&desk, &path, "text=three").await;
    assert_eq!(status, 429);
    assert!(page.contains("three"), "the text is returned");
    let foreign = desk.app.http.post(desk.app.url(&path)).body("text=four");
    let foreign = foreign
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "https://evil.example");
    assert_eq!(foreign.send().await.unwrap().status(), 400);
    let wrong = "/case/GP-2222-00000000000000000000000000000000";
    assert_eq!(post(&desk, wrong, "text=five").await.0, 404);
    assert_eq!(desk.events("wrote").await.len(), 2);
}

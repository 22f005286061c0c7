//! What needs doing: requests, offers, the system and samples, each with the page where it is done.

use serde_json::{Value, json};

use super::{Owner, calm};
use domain::clock::HOUR_MS;

#[tokio::test]
async fn each_thing_to_do_leads_to_its_place_the_most_urgent_first() {
    let owner = Owner::open().await;
    let app = &owner.app;
    app.stored(calm(json!({}))).await;
    app.clock.advance(25 * HOUR_MS);
    app.stored(calm(json!({}))).await;
    app.stored(json!({})).await;
    let fail =
        |conn: &rusqlite::Connection| Ok(conn.execute("UPDATE outbox SET state = 'failed'", [])?);
    app.store.write(fail).await.unwrap();
    let lines = owner.to_do().await;
    let first = [
        (
            "1 emergency waits for a call",
            "/admin?view=attention&emergency=true",
        ),
        ("1 request is overdue", "/admin?view=attention&overdue=true"),
        (
            "1 other request needs attention",
            "/admin?view=attention&overdue=false&emergency=false",
        ),
    ];
    for (line, (text, path)) in lines.iter().zip(first) {
        assert_eq!((&line["text"], &line["path"]), (&json!(text), &json!(path)));
    }
    let urgent = lines.iter().map(|line| line["urgent"] == true);
    assert_eq!(urgent.take(3).collect::<Vec<_>>(), [true, true, false]);
    for (words, path) in [
        (" could not be delivered.", json!("/admin")),
        ("No backups are made", Value::Null),
        ("Offers are made with sample rates.", json!("/admin/rates")),
        (
            "The site still shows samples: phone, ",
            json!("/admin/site?section=facts"),
        ),
    ] {
        let is_it = |line: &&Value| line["text"].as_str().unwrap().contains(words);
        let line = lines.iter().find(is_it);
        assert_eq!(line.unwrap()["path"], path, "{words}: {lines:?}");
    }
}

impl Owner {
    /// The lines of the list of things to do.
    async fn to_do(&self) -> Vec<Value> {
        let url = self.app.url("/api/admin/to-do");
        let request = self.app.http.get(url).bearer_auth(&self.ada.access_token);
        let to_do: Value = request.send().await.unwrap().json().await.unwrap();
        to_do["lines"].as_array().unwrap().clone()
    }
}

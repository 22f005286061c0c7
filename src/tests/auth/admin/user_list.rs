//! The list of users, by pages and by cursor.

use reqwest::Method;
use serde_json::json;

use super::Desk;

#[tokio::test]
async fn a_cursor_continues_after_its_page_despite_new_users() {
    let desk = Desk::open().await;
    for n in 0..4 {
        // Two users created in the same millisecond.
        desk.app.clock.advance(if n == 2 { 0 } else { 1_000 });
        desk.app.join(&format!("guard{n}@guard.example")).await;
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/admin/users?per_page=2{cursor}");
        let page = desk.call(Method::GET, &path, json!({})).await;
        assert_eq!(page.headers.contains_key("link"), cursor.is_empty());
        let body = page.ok();
        let users = body["users"].as_array().unwrap();
        seen.extend(users.iter().map(|user| user["email"].to_string()));
        let Some(next) = body["next_cursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
        desk.app.clock.advance(1_000);
        let newcomer = format!("newcomer{}@guard.example", seen.len());
        desk.app.join(&newcomer).await;
    }
    seen.sort();
    let mut first = vec![json!("ada@guard.example").to_string()];
    first.extend((0..4).map(|n| json!(format!("guard{n}@guard.example")).to_string()));
    assert_eq!(seen, first, "those who were there, each once");
}

//! What needs doing: offers and samples.

use serde_json::{Value, json};

use super::Owner;

#[tokio::test]
async fn samples_that_are_left_are_named() {
    let owner = Owner::open().await;
    let to_do = owner.to_do().await;
    assert_eq!(to_do["has_sample_rates"], true, "{to_do}");
    assert_eq!(to_do["sample_requests"], 0);
    assert_eq!(to_do["offers_expiring"], 0);
    let facts = to_do["sample_facts"].as_array().unwrap();
    assert!(facts.contains(&json!("phone")), "{facts:?}");
}

impl Owner {
    async fn to_do(&self) -> Value {
        let url = self.app.url("/api/admin/to-do");
        let request = self.app.http.get(url).bearer_auth(&self.ada.access_token);
        request.send().await.unwrap().json().await.unwrap()
    }
}

//! Random histories of two requests of one customer, by two admins: a change and its undo leave
//! everything as it was, and so do a merge and a separation. What waits is what the history says.

use domain::clock::MINUTE_MS;
use fastrand::Rng;
use reqwest::Method;
use serde_json::{Value, json};
use store::installation::inspection::inspect;
use store::outbox::delivery::{ClaimLimits, ClaimedEmail};

use super::{Desk, SECOND, acceptance, link};
use crate::support::desk::Dispatcher;
use crate::support::visitors::{quote, visitor};

/// Histories, each with so many changes by anybody.
const HISTORIES: u64 = 20;
const CHANGES: usize = 8;
/// Histories on one desk.
const OF_A_DESK: u64 = 10;

struct Histories {
    desk: Desk,
    ben: Dispatcher,
    random: Rng,
    /// The receipts of the two requests.
    receipts: Vec<Value>,
    /// The offers that were begun, as they were then.
    offers: Vec<Value>,
    number: u32,
    /// What has happened in this history.
    told: Vec<String>,
    /// The changes whose undo did not leave everything as it was, with their histories.
    faults: Vec<String>,
}

/// A call of an admin.
struct Call {
    admin: usize,
    method: Method,
    path: String,
    body: Value,
}

impl Histories {
    async fn open(seed: u64) -> Self {
        let desk = Desk::with(|config| {
            config.limits.form_max = 1000;
            config.limits.api_per_minute = 1_000_000;
        });
        let desk = desk.await;
        let ben = Dispatcher::colleague(&desk.app).await;
        Self {
            desk,
            ben,
            random: Rng::with_seed(seed),
            receipts: Vec::new(),
            offers: Vec::new(),
            number: 0,
            told: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Two new requests of a new customer.
    async fn begin(&mut self) {
        self.receipts.clear();
        self.offers.clear();
        self.told.clear();
        self.number += 1;
        for words in ["lighthouse", "windmill"] {
            let fields = json!({
                "email": format!("customer{}@property.example", self.number),
                "emergency_contact": self.random.u8(..4) == 0,
                "start_date": "2026-12-08",
                "description": format!("The {words} {} needs guards.", self.number),
            });
            let client = visitor(self.number);
            let sent = self.desk.app.ask(&client, None, &quote(fields)).await;
            self.receipts.push(sent.json().await.unwrap());
            self.desk.app.clock.advance(MINUTE_MS);
        }
    }

    fn id(&mut self) -> String {
        let receipt = self.random.choice(&self.receipts).unwrap();
        receipt["id"].as_str().unwrap().to_owned()
    }

    async fn send(&mut self, call: &Call) -> (u16, Value) {
        let admin = [&self.desk.ada, &self.ben][call.admin];
        let changed = admin.change(call.method.clone(), &call.path, call.body.clone());
        let (status, answer) = changed.await;
        assert!(status < 500, "{}: {status}", call.path);
        if status < 300 {
            let Call {
                admin, path, body, ..
            } = call;
            self.told.push(format!("admin {admin}: {path} {body}"));
        }
        (status, answer)
    }

    /// A change that an admin can undo.
    async fn reversible(&mut self) -> Option<Call> {
        let (post, patch, put) = (Method::POST, Method::PATCH, Method::PUT);
        let number = self.random.u32(..);
        let (method, path, body) = match self.random.u8(..17) {
            0 | 1 => {
                let to = ["in_progress", "completed", "cancelled"];
                (patch, "", json!({ "status": self.random.choice(to) }))
            }
            2 => {
                let to = [json!("me"), Value::Null];
                (patch, "", json!({ "assignee": self.random.choice(to) }))
            }
            3 | 4 => {
                let outcome = self.random.choice(["reached", "reached", "voicemail"]);
                (post, "/calls", json!({ "outcome": outcome }))
            }
            5 => {
                let text = format!("We will come {number}");
                (
                    post,
                    "/replies",
                    json!({ "subject": "Guards", "text": text }),
                )
            }
            6 => {
                let at = self.desk.app.clock.now().plus_millis(20 * MINUTE_MS);
                let at = self.random.bool().then_some(at);
                (put, "/follow-up", json!({ "at": at }))
            }
            7 | 8 => {
                let other = self.id();
                (post, "/merge", json!({ "request": other }))
            }
            9 => (post, "/set-aside", json!({})),
            10 => (post, "/spam", json!({})),
            11 => (post, "/release", json!({})),
            12 => (post, "/discard", json!({})),
            13 => {
                let body = match self.random.bool() {
                    true => json!({ "outcome": "lost", "reason": "price" }),
                    false => json!({ "outcome": null }),
                };
                (put, "/outcome", body)
            }
            14 => {
                let to = json!({ "last_name": format!("Alvarez {}", self.random.char('a'..='z')) });
                (patch, "/fields", json!({ "to": to }))
            }
            15 => {
                let offer = self.offer_to_change().await?;
                let path = format!("/offers/{}/confirm", offer["number"].as_str().unwrap());
                return Some(self.call(post, path, json!({})));
            }
            _ => {
                let offer = self.offer_to_change().await?;
                let path = format!("/offers/{}/send", offer["number"].as_str().unwrap());
                let body = json!({ "revision": offer["revision"], "after": offer["version"] });
                return Some(self.call(post, path, body));
            }
        };
        let path = format!("/inbox/{}{path}", self.id());
        Some(self.call(method, path, body))
    }

    /// An offer whose request is not a duplicate, in whose history its events are.
    async fn offer_to_change(&mut self) -> Option<Value> {
        let offer = self.random.choice(&self.offers)?.clone();
        let offer = self.desk.offer(&offer).await;
        let id = offer["request"]["id"].as_str().unwrap();
        let shown = self.desk.get(&format!("/inbox/{id}")).await;
        (shown["id"] == *id).then_some(offer)
    }

    fn call(&mut self, method: Method, path: String, body: Value) -> Call {
        Call {
            admin: self.random.usize(..2),
            method,
            path,
            body,
        }
    }

    /// What happens next: a change by an admin, the customer or the server.
    async fn happen(&mut self) {
        match self.random.u8(..16) {
            0..4 => {
                let text = format!("Are you there? {}", self.random.u32(..));
                self.post_page("text", &text).await;
            }
            4 => self.post_page("settled", "yes").await,
            5 | 6 => self.deliver().await,
            7 => {
                let path = format!("/inbox/{}/offers", self.id());
                let call = self.call(Method::POST, path, json!({}));
                let (status, offer) = self.send(&call).await;
                if status < 300 {
                    let offer = self.desk.confirmed(&offer).await;
                    let offer = self.desk.sent(&offer).await;
                    self.deliver().await;
                    self.offers.push(offer);
                }
            }
            8 => {
                if let Some(offer) = self.random.choice(&self.offers).cloned() {
                    let answer = match self.random.u8(..3) {
                        0 => [("answer", "decline".to_owned())].into(),
                        _ => acceptance(&[]),
                    };
                    let page = link(&offer);
                    self.told.push(format!(
                        "customer: {} {}",
                        answer["answer"], offer["number"]
                    ));
                    let posted = self.desk.post_form(&page, "203.0.113.9", &answer);
                    posted.await;
                }
            }
            9 => {
                let path = format!("/inbox/{}/read", self.id());
                let call = self.call(Method::POST, path, json!({}));
                self.send(&call).await;
            }
            10 => {
                let other = self.id();
                let path = format!("/inbox/{}/separate", self.id());
                let call = self.call(Method::POST, path, json!({ "request": other }));
                self.send(&call).await;
            }
            11 => {
                let correction = self.random.choice(["withdraw", "reopen"]);
                let body = json!({ "correction": correction, "reason": "They called." });
                let path = format!("/inbox/{}/corrections", self.id());
                let call = self.call(Method::POST, path, body);
                self.send(&call).await;
            }
            _ => {
                if let Some(call) = self.reversible().await {
                    self.send(&call).await;
                }
            }
        }
        let wait = self.random.i64(SECOND..30 * MINUTE_MS);
        self.desk.app.clock.advance(wait);
        let now = self.desk.app.clock.now();
        self.desk
            .app
            .store
            .bring_back_follow_ups(now)
            .await
            .unwrap();
    }

    /// The customer posts the form of a status page.
    async fn post_page(&mut self, field: &str, value: &str) {
        let receipt = self.random.choice(&self.receipts).unwrap();
        self.told
            .push(format!("customer: {field} at {}", receipt["id"]));
        let url = self.desk.app.url(receipt["status_page"].as_str().unwrap());
        let form = self.desk.app.http.post(url).form(&[(field, value)]);
        form.send().await.unwrap();
    }

    /// Some emails are delivered, some fail.
    async fn deliver(&mut self) {
        let (store, clock) = (&self.desk.app.store, &self.desk.app.clock);
        clock.advance(10 * SECOND);
        self.told.push("server: emails".to_owned());
        loop {
            let claimed = store.claim_due(ClaimLimits::any(100), MINUTE_MS, clock.now());
            let claimed: Vec<ClaimedEmail> = claimed.await.unwrap();
            if claimed.is_empty() {
                return;
            }
            for email in claimed {
                match self.random.u8(..4) {
                    0 => {
                        store
                            .email_failed(&email, "unknown".to_owned(), false)
                            .await
                    }
                    _ => store.email_sent(&email, clock.now()).await,
                }
                .unwrap();
            }
        }
    }

    /// All columns of the two requests but the time of the last change, and all lists.
    async fn state(&self) -> Vec<String> {
        let ids: Vec<_> = self
            .receipts
            .iter()
            .map(|it| it["id"].to_string())
            .collect();
        let read = move |conn: &rusqlite::Connection| {
            let sql = format!(
                "SELECT * FROM requests WHERE id IN ({}) ORDER BY seq",
                ids.join(", ").replace('"', "'")
            );
            let mut find = conn.prepare(&sql)?;
            let names: Vec<String> = find.column_names().into_iter().map(str::to_owned).collect();
            let rows = find.query_map([], |row| {
                let columns = names.iter().filter(|name| *name != "updated_at");
                let values = columns.map(|name| {
                    let value: rusqlite::types::Value = row.get(name.as_str())?;
                    Ok(format!("{name}: {value:?}"))
                });
                values.collect::<Result<Vec<_>, rusqlite::Error>>()
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?.concat())
        };
        let mut state = self.desk.app.store.read(read).await.unwrap();
        for list in [
            "attention=true",
            "unread=true",
            "held=true",
            "duplicate=true",
            "q=property",
        ] {
            let page = self.desk.get(&format!("/inbox?limit=200&{list}")).await;
            let requests = page["requests"].as_array().unwrap().iter();
            let ids: Vec<_> = requests.map(|request| request["id"].to_string()).collect();
            state.push(format!("{list}: {} {}", page["counts"], ids.join(" ")));
        }
        state
    }

    /// A change and its undo, or a merge and a separation, if the change is not refused.
    async fn change_and_undo(&mut self) {
        let Some(call) = self.reversible().await else {
            return;
        };
        let before = self.state().await;
        let (status, changed) = self.send(&call).await;
        if status >= 300 {
            return;
        }
        let (id, event) = match changed["number"].is_string() {
            true => (changed["request"]["id"].clone(), Value::Null),
            false if call.path.contains("/calls") || call.path.contains("/replies") => {
                let id = call.path.split('/').nth(2).unwrap();
                (json!(id), changed["id"].clone())
            }
            false => (changed["id"].clone(), changed["event"].clone()),
        };
        if event.is_null() && !changed["number"].is_string() {
            return;
        }
        let body = match event {
            Value::Null => json!({}),
            event => json!({ "event": event }),
        };
        let is_merge = call.path.ends_with("/merge");
        let (part, body) = match is_merge && self.random.bool() {
            true => {
                let other = self.receipts.iter().find(|it| it["id"] != id).unwrap();
                ("separate", json!({ "request": other["id"] }))
            }
            false => ("undo", body),
        };
        let undo = Call {
            admin: call.admin,
            method: Method::POST,
            path: format!("/inbox/{}/{part}", id.as_str().unwrap()),
            body,
        };
        let (status, answer) = self.send(&undo).await;
        let after = self.state().await;
        let both = before.iter().zip(&after);
        let mut differences: Vec<_> = both.filter(|(one, other)| one != other).collect();
        let refused = (format!("{part}: {status}"), answer.to_string());
        if status >= 300 {
            differences.push((&refused.0, &refused.1));
        }
        if !differences.is_empty() {
            let told = self.told.join("\n");
            self.faults.push(format!("{differences:#?}\n{told}"));
        }
    }
}

#[tokio::test]
async fn a_change_and_its_undo_leave_everything_as_it_was() {
    let mut faults = Vec::new();
    for seed in 0..HISTORIES / OF_A_DESK {
        let mut histories = Histories::open(seed).await;
        for _ in 0..OF_A_DESK {
            histories.begin().await;
            for _ in 0..CHANGES {
                histories.happen().await;
                histories.change_and_undo().await;
            }
        }
        faults.append(&mut histories.faults);
        let file = histories.desk.app.folder.path().join("guardpost.db");
        let found = inspect(&file, || false);
        assert_eq!(found.differing_waits, Vec::<String>::new(), "seed {seed}");
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[tokio::test]
async fn a_version_that_is_taken_back_leaves_the_loss_of_the_one_before_it() {
    let desk = Desk::open().await;
    let offer = desk.delivered().await;
    let decline = [("answer", "decline".to_owned())].into();
    desk.post_form(&link(&offer), "203.0.113.9", &decline).await;
    desk.sent(&desk.offer(&offer).await).await;
    let request = format!("/inbox/{}", offer["request"]["id"].as_str().unwrap());
    desk.post(&format!("{request}/undo"), json!({})).await;
    let cancel = json!({ "status": "cancelled" });
    let (_, cancelled) = desk.send(Method::PATCH, &request, cancel).await;
    assert_eq!(cancelled["outcome"]["outcome"], "lost", "{cancelled}");
}

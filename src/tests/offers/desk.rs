//! Drafts, prices and lists.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Desk, acceptance, link};

#[tokio::test]
async fn an_offer_begins_with_the_service_place_start_and_duration_of_its_request() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let reference = offer["request"]["reference"].as_str().unwrap();
    assert_eq!(offer["number"], format!("{reference}-1"));
    assert_eq!(offer["state"], "draft");
    assert_eq!(offer["version"], 0);
    assert_eq!(offer["revision"], 1);
    assert_eq!(offer["link"], Value::Null);
    let terms = &offer["draft"]["terms"];
    assert_eq!(terms["start"], "2026-12-08");
    assert_eq!(terms["end"], "2026-12-14");
    let post = &terms["posts"][0];
    assert_eq!(
        json!([post["class"], post["city"], post["state"], post["officers"]]),
        json!(["fire-watch", "Houston", "TX", 1])
    );
    assert_eq!(post["schedule"]["kind"], "always");
    assert_eq!(offer["draft"]["valid_until"], "2026-12-05");
    // A second click begins no other.
    let id = offer["request"]["id"].as_str().unwrap();
    let again = desk.post(&format!("/inbox/{id}/offers"), json!({})).await;
    assert_eq!(again["number"], offer["number"]);
    // After it was sent, another one can be begun.
    desk.sent(&offer).await;
    let second = desk.post(&format!("/inbox/{id}/offers"), json!({})).await;
    assert_eq!(second["number"], format!("{reference}-2"));
    let listed = desk.get(&format!("/inbox/{id}/offers")).await;
    assert_eq!(listed["offers"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_price_of_a_draft_is_that_of_the_published_rates() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let priced = desk
        .post("/offers/price", json!({ "draft": offer["draft"] }))
        .await;
    let price = &priced["price"];
    let lines = price["lines"].as_array().unwrap();
    let sum: i64 = lines
        .iter()
        .map(|line| line["cents"].as_i64().unwrap())
        .sum();
    assert_eq!(price["subtotal"], sum);
    assert_eq!(price["taxes"][0]["title"], "Texas sales tax");
    // As the customer reads it.
    let row = &priced["rows"][0];
    assert_eq!(row["kind"], "line");
    assert_eq!(row["title"], "Fire watch officer, 24 hours a day, 7 days");
    assert_eq!(row["parts"][0], "80 h × 1 officer × $34.00: $2,720.00");
    // By a card that is not published.
    let mut card = desk.get("/rates").await["rates"]["card"].clone();
    card["classes"]["fire-watch"]["rate_cents"] = json!(6800);
    let body = json!({ "draft": offer["draft"], "card": card });
    let by_card = desk.post("/offers/price", body).await;
    assert!(
        by_card["price"]["subtotal"].as_i64().unwrap() > sum,
        "{by_card}"
    );
    card["classes"]["fire-watch"]["rate_cents"] = json!(0);
    let body = json!({ "draft": offer["draft"], "card": card });
    let (status, wrong) = desk.send(Method::POST, "/offers/price", body).await;
    let field = &wrong["fields"][0]["field"];
    assert_eq!(
        (status, field),
        (422, &json!("card.classes.fire-watch.rate_cents"))
    );

    // What is sent is what was priced.
    let offer = desk.confirmed(&offer).await;
    let mut body = json!({ "revision": offer["revision"], "after": 0, "total_cents": sum - 1 });
    let (status, refused) = desk.try_offer(&offer, "send", body.clone()).await;
    assert_eq!((status, &refused["code"]), (409, &json!("price_changed")));
    body["total_cents"] = price["total"].clone();
    let sent = desk.on_offer(&offer, "send", body).await;
    assert_eq!(sent["versions"][0]["total_cents"], price["total"]);
    assert_eq!(sent["versions"][0]["is_weekly"], false);
}

#[tokio::test]
async fn bad_input_is_refused_with_the_field_and_what_to_do() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let posts = "/terms/posts";
    for (pointer, value, field, part) in [
        (posts, json!([]), "posts", "at least one post"),
        (
            "/terms/posts/0/officers",
            json!(0),
            "posts.0.officers",
            "1 to 500",
        ),
        (
            "/terms/posts/0/officers",
            json!(1e40),
            "posts.0.officers",
            "too large",
        ),
        (
            "/terms/posts/0/class",
            json!("unknown"),
            "posts.0.class",
            "Choose a class",
        ),
        (
            "/terms/posts/0/class",
            json!("patrol-visit"),
            "posts.0.schedule",
            "charged by visits",
        ),
        (
            "/terms/posts/0/state",
            json!("XX"),
            "posts.0.state",
            "Choose a state",
        ),
        (
            "/terms/discount",
            json!({ "basis_points": 500, "reason": " " }),
            "discount.reason",
            "why",
        ),
        ("/terms/end", json!("2026-01-01"), "end", "before the start"),
        ("/terms/end", json!("2126-12-01"), "end", "three years"),
        ("/terms/start", json!("2026-11-01"), "start", "in the past"),
        ("/terms/start", json!("soon"), "start", "cannot be read"),
        (
            "/valid_until",
            json!("2026-12-09"),
            "valid_until",
            "has begun",
        ),
        (
            "/message",
            json!("x".repeat(2001)),
            "message",
            "At most 2000",
        ),
        (
            "/terms/posts/0/schedule",
            json!({ "kind": "weekly", "shifts": [] }),
            "posts.0.schedule",
            "no hours",
        ),
        (
            "/terms/manual",
            json!([{ "title": "Fence", "cents": i64::MAX, "state": null }]),
            "manual.0.cents",
            "$100 million",
        ),
    ] {
        let mut draft = offer["draft"].clone();
        *draft.pointer_mut(pointer).unwrap() = value;
        let body = json!({ "draft": draft });
        let (status, problem) = desk.send(Method::POST, "/offers/price", body).await;
        assert_eq!(status, 422, "{pointer}: {problem}");
        let fields = problem["fields"].as_array().unwrap();
        let found = fields.iter().any(|fault| {
            fault["field"] == field && fault["message"].as_str().unwrap().contains(part)
        });
        assert!(found, "{pointer}: {problem}");
    }
    let text = offer["draft"].to_string();
    let beyond = text.replace("\"officers\":1", "\"officers\":99999999999999999999");
    let body: Value = serde_json::from_str(&format!("{{\"draft\":{beyond}}}")).unwrap();
    let (status, problem) = desk.send(Method::POST, "/offers/price", body).await;
    assert_eq!(status, 422, "{problem}");
    // A draft may be saved unfinished; it is refused when it is sent, with the same words.
    let saved = desk.changed(&offer, "/terms/posts", json!([])).await;
    let saved = desk
        .changed(&saved, "/valid_until", json!("2026-11-01"))
        .await;
    let body = json!({ "revision": saved["revision"], "after": 0 });
    let (status, problem) = desk.try_offer(&offer, "send", body).await;
    assert_eq!(status, 422, "{problem}");
    let fields = problem["fields"].to_string();
    assert!(
        fields.contains("valid_until") && fields.contains("posts"),
        "{fields}"
    );
}

#[tokio::test]
async fn a_draft_that_a_colleague_has_changed_is_not_overwritten() {
    let desk = Desk::open().await;
    let offer = desk.begun().await;
    let changed = desk.changed(&offer, "/message", json!("Hello")).await;
    assert_eq!(changed["revision"], 2);
    let path = format!("/offers/{}", offer["number"].as_str().unwrap());
    let body = json!({ "revision": 1, "draft": offer["draft"] });
    let (status, problem) = desk.send(Method::PUT, &path, body).await;
    assert_eq!(status, 409, "{problem}");
    assert_eq!(desk.offer(&offer).await["draft"]["message"], "Hello");
    let (status, _) = desk.send(Method::DELETE, &path, Value::Null).await;
    assert_eq!(status, 204);
    assert_eq!(desk.send(Method::GET, &path, Value::Null).await.0, 404);
}

#[tokio::test]
async fn lists_show_each_offer_in_its_view_with_its_value() {
    let desk = Desk::open().await;
    let waiting = desk.sent(&desk.begun().await).await;
    let withdrawn = desk.sent(&desk.begun().await).await;
    desk.on_offer(&withdrawn, "withdraw", json!({ "reason": "No officers" }))
        .await;
    let declined = desk.sent(&desk.begun().await).await;
    let answer = json!({ "version": 1, "answer": "declined", "note": "Too expensive" });
    desk.on_offer(&declined, "answer", answer).await;
    desk.begun().await;
    let numbers = async |view: &str| {
        let list = desk.get(&format!("/offers?view={view}")).await;
        let offers = list["offers"].as_array().unwrap().clone();
        assert_eq!(list["counts"][view], offers.len(), "{view}");
        offers
    };
    let listed = numbers("waiting").await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0]["number"], waiting["number"]);
    assert!(listed[0]["versions"][0]["total_cents"].as_i64().unwrap() > 0);
    assert_eq!(
        numbers("withdrawn").await[0]["versions"][0]["reason"],
        "No officers"
    );
    let listed = numbers("declined").await;
    assert_eq!(listed[0]["versions"][0]["reason"], "Too expensive");
    assert_eq!(numbers("draft").await.len(), 1);
    assert_eq!(numbers("expiring").await.len(), 0);
    desk.app.clock.advance(8 * super::DAY);
    assert_eq!(numbers("expiring").await.len(), 1);
    let inbox = desk.get("/inbox").await;
    let shown = inbox["requests"].as_array().unwrap().iter();
    let shown = shown.map(|request| request["offer"]["state"].as_str());
    let mut shown: Vec<_> = shown.collect();
    shown.sort_unstable();
    assert_eq!(
        shown,
        [None, Some("declined"), Some("sent"), Some("withdrawn")]
    );
    let all = desk.get("/offers").await;
    assert_eq!(all["offers"].as_array().unwrap().len(), 4);
    let total = &listed[0]["versions"][0]["total_cents"];
    let list = desk.get("/offers?view=declined").await;
    assert_eq!(
        list["totals"]["weekly_cents"].as_i64().unwrap()
            + list["totals"]["term_cents"].as_i64().unwrap(),
        total.as_i64().unwrap()
    );
    let number = waiting["number"].as_str().unwrap().to_lowercase();
    let list = desk.get(&format!("/offers?view=waiting&q={number}")).await;
    assert_eq!(list["offers"][0]["number"], waiting["number"], "by number");
    assert_eq!(list["counts"]["declined"], 0, "counts are of the words");
    let list = desk.get("/offers?q=nobody%25").await;
    assert_eq!(list["offers"].as_array().unwrap().len(), 0);
    let (status, _) = desk
        .send(Method::GET, "/offers?view=lost", Value::Null)
        .await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn offers_are_listed_by_when_and_by_whom_they_were_sent_opened_and_for_how_long() {
    let desk = Desk::open().await;
    let first = desk.delivered().await;
    desk.app.clock.advance(2 * super::DAY);
    let second = desk.delivered().await;
    desk.begun().await;
    let declined = json!({ "version": 1, "answer": "declined", "note": "Too expensive" });
    desk.on_offer(&first, "answer", declined).await;
    let opened = [("answer", "opened".to_owned())].into();
    for answer in [opened, acceptance(&[])] {
        desk.post_form(&link(&second), "203.0.113.7", &answer).await;
    }
    let [first, second] = [&first, &second].map(|offer| offer["number"].as_str().unwrap());
    let total = |list: &Value| {
        let totals = ["weekly_cents", "term_cents"].map(|key| list["totals"][key].as_i64());
        totals.into_iter().flatten().sum::<i64>()
    };
    let by_ada = format!("sent_by={}&from=2026-11-01", desk.ada.id);
    for (query, expected) in [
        ("from=2026-11-21&to=2026-11-21", &[first][..]),
        ("from=2026-11-22", &[second]),
        ("to=2026-11-22", &[first]),
        ("from=2026-11-21&to=2026-11-23", &[first, second]),
        ("from=2026-12-01", &[]),
        (&by_ada, &[first, second]),
        ("sent_by=me", &[first, second]),
        ("sent_by=nobody", &[]),
        ("opened=true", &[second]),
        ("opened=false&from=2026-11-01", &[first]),
        ("view=accepted&from=2026-11-21", &[second]),
        ("view=accepted&to=2026-11-22", &[]),
    ] {
        let list = desk.get(&format!("/offers?{query}")).await;
        let found = list["offers"].as_array().unwrap().iter();
        let mut found: Vec<_> = found.map(|it| it["number"].as_str().unwrap()).collect();
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{query}");
        assert_eq!(total(&list) > 0, !expected.is_empty(), "{query}: {list}");
        if !query.contains("view=") {
            let counts = ["accepted", "declined", "waiting"];
            let counts = counts.map(|view| list["counts"][view].as_u64().unwrap());
            assert_eq!(counts.iter().sum::<u64>(), expected.len() as u64, "{query}");
        }
    }
    let of_value = async |value: &str| {
        let query = format!("/offers?from=2026-11-01&value={value}");
        desk.get(&query).await["offers"].as_array().unwrap().len()
    };
    assert_eq!(of_value("week").await + of_value("term").await, 2);
    for wrong in [
        "from=soon",
        "opened=maybe",
        "value=month",
        "from=2026-11-22&to=2026-11-21",
    ] {
        let path = format!("/offers?{wrong}");
        let (status, problem) = desk.send(Method::GET, &path, Value::Null).await;
        let field = wrong.split('=').next().unwrap();
        assert_eq!(
            (status, &problem["fields"][0]["field"]),
            (400, &json!(field)),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn an_offer_begins_with_what_the_customers_words_say_plainly() {
    let desk = Desk::open().await;
    let words = "Two guards at the front door, Mon–Fri from 7 am to 7 pm please";
    let asked = json!({ "description": words, "service_type": "event-security",
        "emergency_contact": false });
    let offer = desk.begun_for(asked).await;
    let post = &offer["draft"]["terms"]["posts"][0];
    assert_eq!(post["officers"], 2, "{offer}");
    let shift = &post["schedule"]["shifts"][0];
    assert_eq!(shift["days"].as_array().unwrap().len(), 5, "{post}");
    assert_eq!(
        (&shift["from"], &shift["to"]),
        (&json!("07:00"), &json!("19:00"))
    );
    let taken: Vec<_> = offer["asked"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["words"])
        .collect();
    assert_eq!(taken, ["mon-fri", "7 am to 7 pm", "two guards"]);
    let nothing = json!({ "description": "Call me", "emergency_contact": false });
    let offer = desk.begun_for(nothing).await;
    assert_eq!(offer["asked"], json!([]));
    assert_eq!(
        offer["draft"]["terms"]["posts"][0]["schedule"]["kind"],
        "always"
    );
}

#[tokio::test]
async fn a_schedule_that_nobody_has_confirmed_is_not_sent() {
    let desk = Desk::open().await;
    let asked = json!({ "description": "Guards 24/7", "emergency_contact": false });
    let offer = desk.begun_for(asked).await;
    assert_eq!(offer["draft"]["unconfirmed_schedules"], json!([0]));
    let body = json!({ "revision": offer["revision"], "after": 0 });
    let (status, problem) = desk.try_offer(&offer, "send", body).await;
    assert_eq!(
        (status, &problem["code"]),
        (422, &json!("schedule_unconfirmed"))
    );
    assert_eq!(
        problem["fields"],
        json!([{
            "field": "posts.0.schedule",
            "message": "These days and hours are only proposed. Confirm them, or enter others."
        }])
    );
    assert_eq!(desk.app.rows("offer_versions").await, 0);
    // It can be previewed, and sent once a person has confirmed it.
    desk.on_offer(&offer, "preview", json!({})).await;
    let sent = desk.sent(&desk.confirmed(&offer).await).await;
    assert_eq!(sent["state"], "sent");
    // What was sent is the beginning of the next version.
    let changed = desk
        .changed(&sent, "/terms/posts/0/officers", json!(2))
        .await;
    assert_eq!(desk.sent(&changed).await["version"], 2);
}

#[tokio::test]
async fn an_offer_that_begins_today_begins_at_no_time_that_is_past() {
    let desk = Desk::open().await;
    // 2:20 PM in Houston on the day on which the tests begin.
    desk.app
        .clock
        .advance(super::HOUR * 8 + 20 * 60 * super::SECOND);
    let today = "2026-11-21";
    let asked = |description: &str, location: &str| {
        json!({
            "start_date": today, "description": description, "location": location,
            "emergency_contact": false
        })
    };
    for (description, location, start, from) in [
        ("Guards 24/7", "Houston 77025", today, "15:00"),
        ("Guards 24/7", "Los Angeles", today, "13:00"),
        ("Every day 7am-7pm", "Houston", "2026-11-22", "07:00"),
        ("Every night 7pm-7am", "Houston", today, "19:00"),
    ] {
        let offer = desk.begun_for(asked(description, location)).await;
        let terms = &offer["draft"]["terms"];
        let schedule = &terms["posts"][0]["schedule"];
        let shift = schedule.pointer("/shifts/0").unwrap_or(schedule);
        assert_eq!(
            (&terms["start"], &shift["from"]),
            (&json!(start), &json!(from)),
            "{description}, {location}"
        );
    }
}

#[tokio::test]
async fn a_list_sorted_by_value_begins_with_the_largest_offer_that_was_sent() {
    let desk = Desk::open().await;
    let short = json!({ "start_date": "2026-12-08", "duration": "1-week", "last_name": "Short" });
    desk.sent(&desk.begun_for(short).await).await;
    let long = json!({ "start_date": "2026-12-08", "duration": "1-month", "last_name": "Long" });
    desk.sent(&desk.begun_for(long).await).await;
    desk.begun_for(json!({ "last_name": "Unsent" })).await;
    for (order, expected) in [
        ("value", ["Short", "Long", "Unsent"]),
        ("-value", ["Long", "Short", "Unsent"]),
    ] {
        let page = desk.get(&format!("/inbox?sort={order}")).await;
        let requests = page["requests"].as_array().unwrap().iter();
        let names: Vec<_> = requests
            .map(|request| request["last_name"].as_str())
            .collect();
        assert_eq!(names, expected.map(Some), "{order}");
    }
}

#[tokio::test]
async fn an_offer_is_proposed_to_be_valid_until_the_day_before_the_service_begins() {
    let desk = Desk::open().await;
    for (start, until) in [
        ("2026-12-08", "2026-12-05"),
        ("2026-11-25", "2026-11-24"),
        // It begins today, or tomorrow.
        ("2026-11-22", "2026-11-21"),
        ("2026-11-21", "2026-11-21"),
    ] {
        let offer = desk.begun_for(json!({ "start_date": start })).await;
        assert_eq!(offer["draft"]["valid_until"], until, "{start}");
    }
}

//! The rota's API and its calendar.

use reqwest::Method;
use serde_json::json;

use super::Desk;

#[tokio::test]
async fn a_rota_is_stored_shown_and_protected_from_lost_changes() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    let shown = desk.get("/on-call").await;
    assert_eq!(shown["spans"].as_array().unwrap().len(), 1);
    assert_eq!(shown["spans"][0]["people"], json!([desk.ada.id]));
    assert_eq!(shown["time_zone"], "America/Chicago");
    let rota = |changes: serde_json::Value| {
        let mut rota = json!({ "weeks": 1, "first_day": "2026-01-05", "shifts": [], "version": 1 });
        rota.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        rota
    };
    let shift = |from, until| {
        let person = &desk.ada.id;
        json!([{ "person": person, "week": 0, "weekday": 0, "from": from, "until": until }])
    };
    for (changes, status) in [
        (json!({ "version": 0 }), 409),
        (json!({ "weeks": 13 }), 422),
        (json!({ "first_day": "monday" }), 422),
        (json!({ "shifts": shift("8:00", "18:00") }), 422),
        (json!({ "shifts": shift("08:00", "25:00") }), 422),
        (
            json!({ "shifts": [{
            "person": "nobody", "week": 0, "weekday": 0, "from": "08:00", "until": "18:00",
        }] }),
            409,
        ),
        (json!({ "shifts": shift("18:00", "08:00") }), 200),
    ] {
        let (found, answer) = desk.send(Method::PUT, "/on-call/rota", rota(changes)).await;
        assert_eq!(found, status, "{answer}");
    }
    // Each refusal names the shift and what is wrong with it.
    for (from, until, why) in [
        (
            "8:00",
            "18:00",
            "Shift 1 (Monday, 8:00 to 18:00): \"8:00\" is no time, as in 08:00.",
        ),
        ("08:00", "25:00", "\"25:00\" is no time"),
        (
            "24:00",
            "08:00",
            "it begins at 24:00: write 00:00 of the next day",
        ),
    ] {
        let changes = json!({ "version": 2, "shifts": shift(from, until) });
        let (status, answer) = desk.send(Method::PUT, "/on-call/rota", rota(changes)).await;
        assert_eq!(status, 422, "{answer}");
        assert!(
            answer.to_string().replace("\\\"", "\"").contains(why),
            "{answer}"
        );
    }
    let gaps = desk.get("/on-call").await["spans"].clone();
    assert!(
        gaps.as_array()
            .unwrap()
            .iter()
            .any(|span| span["people"] == json!([]))
    );
}

#[tokio::test]
async fn a_shift_from_midnight_to_midnight_is_a_whole_day() {
    let desk = Desk::open().await;
    for (from, until) in [("00:00", "00:00"), ("00:00", "24:00")] {
        let days = (0..7).map(|day| {
            json!({ "person": desk.ada.id, "week": 0, "weekday": day, "from": from,
                "until": until })
        });
        let answer = desk.set_rota(days.collect()).await;
        let spans = answer["spans"].as_array().unwrap();
        assert_eq!(spans.len(), 1, "four weeks without a gap: {answer}");
        assert_eq!(spans[0]["people"], json!([desk.ada.id]));
    }
}

#[tokio::test]
async fn an_override_counts_and_can_be_removed_and_people_who_leave_make_gaps() {
    let desk = Desk::open().await;
    let ben = desk.app.admin_as("ben@guard.example").await;
    desk.on_call(&[&desk.ada]).await;
    let swap = json!({ "overrides": [
        { "person": ben.id, "from": "2026-11-21T12:00:00Z", "until": "2026-11-22T12:00:00Z" },
    ] });
    let shown = desk.post("/on-call/overrides", swap).await;
    assert_eq!(shown["spans"][0]["people"], json!([ben.id, desk.ada.id]));
    let id = shown["overrides"][0]["id"].clone();
    let path = format!("/on-call/overrides/{id}");
    let (status, shown) = desk.as_person(&desk.ada, Method::DELETE, &path, None).await;
    assert_eq!((status.as_u16(), &shown["overrides"]), (200, &json!([])));
    let wrong = json!({ "overrides": [
        { "person": ben.id, "from": "2026-11-22T12:00:00Z", "until": "2026-11-21T12:00:00Z" },
    ] });
    assert_eq!(
        desk.send(Method::POST, "/on-call/overrides", wrong).await.0,
        422
    );
    desk.on_call(&[&ben]).await;
    let url = desk.app.url(&format!("/auth/v1/admin/users/{}", ben.id));
    let removed = desk
        .app
        .http
        .delete(url)
        .bearer_auth(&desk.ada.access_token)
        .send()
        .await
        .unwrap();
    assert!(removed.status().is_success(), "{removed:?}");
    assert_eq!(desk.get("/on-call").await["spans"], json!([]));
}

#[tokio::test]
async fn the_calendar_has_an_address_that_can_be_changed() {
    let desk = Desk::open().await;
    desk.on_call(&[&desk.ada]).await;
    let path = desk.get("/on-call").await["calendar"]
        .as_str()
        .unwrap()
        .to_owned();
    let read = async |path: &str| desk.app.http.get(desk.app.url(path)).send().await.unwrap();
    let response = read(&path).await;
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.headers()["content-type"],
        "text/calendar; charset=utf-8"
    );
    let text = response.text().await.unwrap();
    assert!(
        text.contains("SUMMARY:On call: ada@guard.example"),
        "{text}"
    );
    for wrong in ["/on-call/x.ics", "/on-call/"] {
        assert_eq!(read(wrong).await.status(), 404, "{wrong}");
    }
    desk.post("/on-call/calendar", json!({})).await;
    assert_eq!(read(&path).await.status(), 404);
}

#[tokio::test]
async fn only_admins_read_and_change_it() {
    let desk = Desk::open().await;
    let member = desk.app.member().await;
    for path in [
        "/on-call",
        "/alarms",
        "/push",
        "/webhooks",
        "/webhooks/deliveries",
    ] {
        let (status, _) = desk.as_person(&member, Method::GET, path, None).await;
        assert_eq!(status, 403, "{path}");
    }
}

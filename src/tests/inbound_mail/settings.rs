//! `[mail.inbound]`.

use config::Config;
use inbound_mail::ReceiveError;
use store::conversation::received::Way;

use reqwest::Method;
use serde_json::{Value, json};

use super::desk::Desk;

#[tokio::test]
async fn answers_go_to_the_signed_address_only_if_there_is_a_mailbox_for_them() {
    let signed = Desk::with(|config| {
        config.mail.inbound.address = "desk@mail.guard.example".to_owned();
    });
    let signed = signed.await.facts.signed;
    assert!(signed.starts_with("desk+c."), "{signed}");
    assert!(signed.ends_with("@mail.guard.example"), "{signed}");
    let plain = Desk::with(|config| config.mail.inbound.address = String::new()).await;
    assert_eq!(plain.facts.signed, "office@guardpost.example");
    plain.receive(plain.answer(1, "found by its thread")).await;
    assert_eq!(plain.events("wrote").await.len(), 1);
}

#[tokio::test]
async fn senders_are_verified_by_the_server_that_is_named() {
    for (name, verified) in [
        ("MX.guardpost.example", true),
        ("mx.other.example", false),
        ("", false),
    ] {
        let desk = Desk::with(|config| config.mail.inbound.authserv_id = name.to_owned()).await;
        desk.receive(desk.answer(1, "x")).await;
        let wrote = &desk.events("wrote").await[0]["detail"];
        assert_eq!(wrote["verified"], verified, "{name}");
        let system = desk.call(Method::GET, "/api/admin/system", json!({})).await;
        let problems = system.json::<Value>().await.unwrap()["problems"].to_string();
        let is_told = problems.contains("`mail.inbound.authserv_id` is empty");
        assert_eq!(is_told, name.is_empty(), "{name}: {problems}");
    }
}

#[tokio::test]
async fn the_size_of_an_email_is_limited_by_a_setting() {
    let desk = Desk::with(|config| config.mail.inbound.max_mb = 1).await;
    let large = desk.answer(1, &"x".repeat(1024 * 1024));
    let refused = desk
        .app
        .inbound
        .receive(large.into_bytes(), Way::Pipe, None)
        .await;
    assert!(
        matches!(refused, Err(ReceiveError::Refused(_))),
        "{refused:?}"
    );
    desk.receive(desk.answer(2, &"x".repeat(1000 * 1024))).await;
    assert_eq!(desk.events("wrote").await.len(), 1);
}

#[test]
fn wrong_settings_are_named() {
    for (name, value, message) in [
        ("ADDRESS", "office", "`office` is not an address"),
        ("ADDRESS", "a+b@c.example", "without a plus sign"),
    ] {
        let variable = (format!("GUARDPOST_MAIL__INBOUND__{name}"), value.to_owned());
        let error = Config::load(None, [variable].into_iter()).unwrap_err();
        assert!(format!("{error:#}").contains(message), "{error:#}");
    }
    let hours = (
        "GUARDPOST_DESK__NEXT_ANSWER_HOURS".to_owned(),
        "0".to_owned(),
    );
    let error = Config::load(None, [hours].into_iter()).unwrap_err();
    assert!(
        format!("{error:#}").contains("desk.next_answer_hours"),
        "{error:#}"
    );
}

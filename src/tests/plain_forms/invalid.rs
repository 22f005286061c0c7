//! Forms without JavaScript that are invalid or sent too often: the page returns with errors and
//! values.

use std::collections::BTreeMap;

use reqwest::StatusCode;

use super::{attribute, filled, location, post, text_of};
use crate::support::app::TestApp;

#[tokio::test]
async fn a_rejected_form_is_returned_with_its_errors_and_values() {
    let app = TestApp::start().await;
    let answer = post(
        &app,
        "/quote",
        &filled(&[("email", "nobody"), ("duration", "")]),
    )
    .await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
    assert!(
        answer.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .contains("default-src 'none'")
    );
    let page = answer.text().await.unwrap();
    assert_eq!(
        text_of(&page, "#email-error"),
        "Please enter a valid email address"
    );
    assert_eq!(attribute(&page, "#email-error", "hidden"), None);
    assert_eq!(
        attribute(&page, "input[name=email]", "aria-invalid").as_deref(),
        Some("true")
    );
    assert_eq!(
        text_of(&page, "#duration-error"),
        "Please select service duration"
    );
    assert_eq!(
        text_of(&page, "#company-error"),
        "Invalid characters in company name"
    );
    assert!(attribute(&page, "#firstName-error", "hidden").is_some());
    assert_eq!(
        attribute(&page, "input[name=firstName]", "value").as_deref(),
        Some("María")
    );
    assert_eq!(
        attribute(&page, "input[name=company]", "value").as_deref(),
        Some("Bayou & \"Sons\"")
    );
    assert_eq!(
        text_of(&page, "textarea[name=description]").trim(),
        "Panel is < 3 & down\r\n</textarea on floors 3 to 9".replace('\r', "")
    );
    assert!(
        attribute(
            &page,
            "select[name=serviceType] option[value=fire-watch]",
            "selected"
        )
        .is_some()
    );
    assert!(attribute(&page, "input[name=emergencyContact]", "checked").is_some());
    assert!(
        text_of(&page, ".form-alert").contains("Please fix the errors below before submitting.")
    );
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn the_fourth_post_in_five_minutes_returns_the_form_with_the_rate_limit_message() {
    let app = TestApp::start().await;
    let contact = |details: &'static str| {
        BTreeMap::from([
            ("firstName", "Ana"),
            ("lastName", "Lee"),
            ("email", "ana@site.example"),
            ("phone", "713 555 0123"),
            ("service", "event"),
            ("details", details),
        ])
    };
    for details in ["one", "two", "three"] {
        let answer = post(&app, "/contact", &contact(details)).await;
        assert!(location(&answer).starts_with("/contact?sent=1&reference=GP-"));
    }
    let refused = post(&app, "/contact", &contact("four")).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "300");
    let page = refused.text().await.unwrap();
    assert!(
        text_of(&page, ".form-alert").contains("Please wait before submitting another message.")
    );
    assert_eq!(text_of(&page, "textarea[name=details]").trim(), "four");
}

#[tokio::test]
async fn a_start_date_more_than_a_day_in_the_past_is_refused() {
    let app = TestApp::start().await;
    for (date, status) in [
        ("2026-11-19", StatusCode::UNPROCESSABLE_ENTITY),
        ("2026-11-20", StatusCode::SEE_OTHER),
        ("2026-11-21", StatusCode::SEE_OTHER),
    ] {
        let fields = filled(&[("company", ""), ("startDate", date)]);
        let answer = post(&app, "/quote", &fields).await;
        assert_eq!(answer.status(), status, "{date}");
        if status == StatusCode::UNPROCESSABLE_ENTITY {
            let page = answer.text().await.unwrap();
            let message = text_of(&page, "#startDate-error");
            let past = "This date is in the past. Please select today or a later day";
            assert_eq!(message, past);
        }
    }
}

#[tokio::test]
async fn the_page_of_a_refused_form_offers_mended_text_and_sends_it_with_one_press() {
    let app = TestApp::start().await;
    let mut fields = filled(&[
        ("company", "Bayou Lofts"),
        ("description", "Gate \"B\"; after 9 -- <ASAP>"),
    ]);
    let page = post(&app, "/quote", &fields).await.text().await.unwrap();
    assert_eq!(
        text_of(&page, "#description-error"),
        "Invalid characters in description"
    );
    let offer = text_of(&page, ".field-fix");
    assert!(
        offer.contains("We cannot take \"  ;  --  <ASAP>. Instead: “Gate “B”, after 9 – ASAP”"),
        "{offer}"
    );
    assert_eq!(
        attribute(&page, ".field-fix button", "name").as_deref(),
        Some("fix")
    );
    let field = attribute(&page, ".field-fix button", "value").unwrap();
    assert_eq!(field, "description");
    fields.insert("fix", "description");
    let sent = post(&app, "/quote", &fields).await;
    assert_eq!(sent.status(), StatusCode::SEE_OTHER);
    let stored = app.quotes_of("description").await;
    assert_eq!(stored, ["Gate “B”, after 9 – ASAP"]);
}

#[tokio::test]
async fn a_company_with_a_comma_passes_with_one_press_and_keeps_its_spelling_in_the_message() {
    let app = TestApp::start().await;
    let mut fields = filled(&[
        ("company", "Silver State Builders, Inc."),
        ("description", "Two guards"),
    ]);
    let page = post(&app, "/quote", &fields).await.text().await.unwrap();
    let button = text_of(&page, ".field-fix button");
    assert_eq!(
        button,
        "Use Silver State Builders Inc. and add your spelling to the message"
    );
    fields.insert("fix", "company");
    let sent = post(&app, "/quote", &fields).await;
    assert_eq!(sent.status(), StatusCode::SEE_OTHER);
    assert_eq!(
        app.quotes_of("company").await,
        ["Silver State Builders Inc."]
    );
    let message = "Two guards\nCompany: Silver State Builders, Inc.";
    assert_eq!(app.quotes_of("description").await, [message]);
}

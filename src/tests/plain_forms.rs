//! Form posts without JavaScript, answered with a page.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lol_html::html_content::TextChunk;
use lol_html::{ElementContentHandlers, RewriteStrSettings, Selector, element, rewrite_str, text};
use reqwest::{Response, StatusCode};

use crate::app::TestApp;

fn filled(changes: &[(&'static str, &'static str)]) -> BTreeMap<&'static str, &'static str> {
    let mut fields = BTreeMap::from([
        ("firstName", "María"),
        ("lastName", "O’Brien"),
        ("email", "maria@property.example"),
        ("phone", "(713) 555-0188"),
        ("company", "Bayou & \"Sons\""),
        ("serviceType", "fire-watch"),
        ("location", "Houston, TX"),
        ("startDate", "2026-12-01"),
        ("duration", "1-week"),
        (
            "description",
            "<b>Panel</b> is down\n</textarea> on floors 3 to 9",
        ),
        ("emergencyContact", "on"),
    ]);
    fields.extend(changes.iter().copied());
    fields
}

async fn post(
    app: &TestApp,
    path: &str,
    fields: &BTreeMap<&'static str, &'static str>,
) -> Response {
    let request = app
        .http
        .post(app.url(path))
        .header("x-forwarded-for", "198.51.100.1");
    request
        .header("sec-fetch-site", "same-origin")
        .form(fields)
        .send()
        .await
        .unwrap()
}

/// One attribute of the first element that `selector` finds; fails where there is none.
fn attribute(page: &str, selector: &str, name: &str) -> Option<String> {
    let mut found = None;
    let first = element!(selector, |element| {
        found.get_or_insert_with(|| element.get_attribute(name));
        Ok(())
    });
    parse(page, first);
    let value = found.unwrap_or_else(|| panic!("nothing is `{selector}`"));
    value.map(|value| unescape(&value))
}

/// All text inside the elements that `selector` finds; fails where there is none.
fn text_of(page: &str, selector: &str) -> String {
    attribute(page, selector, "id");
    let mut found = String::new();
    let all = text!(selector, |chunk: &mut TextChunk<'_>| {
        found.push_str(chunk.as_str());
        Ok(())
    });
    parse(page, all);
    unescape(&found)
}

fn parse(page: &str, handler: (Cow<'_, Selector>, ElementContentHandlers<'_>)) {
    let settings = RewriteStrSettings::new().append_element_content_handler(handler);
    rewrite_str(page, settings).unwrap();
}

/// The character references that our pages use. `&amp;` comes last, so that nothing is decoded
/// twice.
fn unescape(html: &str) -> String {
    html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[tokio::test]
async fn a_quote_posted_without_javascript_redirects_to_the_success_page() {
    let app = TestApp::start().await;
    let fields = filled(&[("company", "Bayou and Sons")]);
    let answer = post(&app, "/quote", &fields).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(answer.headers()["location"], "/quote?sent=1");
    let page = app
        .http
        .get(app.url("/quote?sent=1"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(page.contains("Quote Request Submitted Successfully!"));
    assert_eq!(
        post(&app, "/quote", &fields).await.status(),
        StatusCode::SEE_OTHER,
        "a second click"
    );
    assert_eq!(app.rows("quotes").await, 1);
    assert_eq!(app.rows("outbox").await, 1);
}

#[tokio::test]
async fn a_double_click_without_javascript_is_one_quote() {
    let app = TestApp::start().await;
    let fields = filled(&[("company", "Bayou and Sons")]);
    let (one, two) = tokio::join!(post(&app, "/quote", &fields), post(&app, "/quote", &fields));
    for answer in [one, two] {
        assert_eq!(answer.headers()["location"], "/quote?sent=1");
    }
    assert_eq!(app.rows("quotes").await, 1);
    app.clock.advance(11 * 60_000);
    post(&app, "/quote", &fields).await;
    assert_eq!(
        app.rows("quotes").await,
        2,
        "the same words a quarter of an hour later are a new request"
    );
}

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
        "<b>Panel</b> is down\r\n</textarea> on floors 3 to 9".replace('\r', "")
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
        assert_eq!(
            post(&app, "/contact", &contact(details)).await.headers()["location"],
            "/contact?sent=1"
        );
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
async fn a_form_on_another_site_cannot_post_here() {
    let app = TestApp::start().await;
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
    ] {
        let request = app
            .http
            .post(app.url("/quote"))
            .header(name, value)
            .form(&filled(&[("company", "")]));
        assert_eq!(
            request.send().await.unwrap().status(),
            StatusCode::FORBIDDEN,
            "{name}: {value}"
        );
    }
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn hostile_form_posts_get_a_clear_error() {
    let app = TestApp::start().await;
    let post = |kind: &'static str, body: Vec<u8>| {
        app.http
            .post(app.url("/quote"))
            .header("content-type", kind)
            .body(body)
            .send()
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(post(form, vec![b'a'; 70_000]).await.unwrap().status(), 413);
    assert_eq!(
        post("multipart/form-data; boundary=x", b"--x--".to_vec())
            .await
            .unwrap()
            .status(),
        415
    );
    assert_eq!(
        post(form, b"firstName=%FF%FE&firstName=&=&&&;".to_vec())
            .await
            .unwrap()
            .status(),
        422
    );
    assert_eq!(post(form, Vec::new()).await.unwrap().status(), 422);
}

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
        ("startDate", "2099-12-01"),
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
    let mut fields = filled(&[("company", "Bayou and Sons")]);
    fields.remove("emergencyContact");
    let answer = post(&app, "/quote", &fields).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let location = location(&answer);
    assert!(
        location.starts_with("/quote?sent=1&reference=GP-"),
        "{location}"
    );
    let page = app
        .http
        .get(app.url(&location))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(page.contains("Quote Request Submitted Successfully!"));
    let reference = location.split("reference=").nth(1).unwrap();
    let facts = text_of(&page, ".banner-facts");
    assert_eq!(facts, format!("Your reference: {reference}"));
    assert_eq!(
        post(&app, "/quote", &fields).await.status(),
        StatusCode::SEE_OTHER,
        "a second click"
    );
    assert_eq!(app.rows("quotes").await, 1);
    assert_eq!(app.rows("outbox").await, 1);
}

/// Where a response redirects to.
fn location(answer: &reqwest::Response) -> String {
    answer.headers()["location"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn one_who_asks_for_a_call_without_javascript_reads_how_soon_and_the_number() {
    let app = TestApp::with(|config| config.desk.emergency_minutes = 15).await;
    let answer = post(&app, "/quote", &filled(&[("company", "Bayou and Sons")])).await;
    let page = app
        .http
        .get(app.url(&location(&answer)))
        .send()
        .await
        .unwrap();
    assert_eq!(page.headers()["cache-control"], "no-store");
    let page = page.text().await.unwrap();
    let facts = text_of(&page, ".banner-facts");
    let soon = "We will call you within 15 minutes. If you cannot wait, call us now:(713) 555-0142";
    assert!(facts.ends_with(soon), "{facts}");
    let href = attribute(&page, ".banner-facts a", "href");
    assert_eq!(href.as_deref(), Some("tel:+17135550142"));
}

#[tokio::test]
async fn a_reference_in_the_address_that_is_none_is_not_shown() {
    let app = TestApp::start().await;
    let page = app
        .http
        .get(app.url("/quote?sent=1&reference=<b>GP</b>"))
        .send()
        .await
        .unwrap();
    let page = page.text().await.unwrap();
    assert!(page.contains("Quote Request Submitted Successfully!"));
    assert!(!page.contains("GP</b>") && !page.contains("Your reference"));
}

#[tokio::test]
async fn a_double_click_without_javascript_is_one_quote() {
    let app = TestApp::start().await;
    let fields = filled(&[("company", "Bayou and Sons")]);
    let (one, two) = tokio::join!(post(&app, "/quote", &fields), post(&app, "/quote", &fields));
    for answer in [one, two] {
        assert!(location(&answer).starts_with("/quote?sent=1&reference=GP-"));
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
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{name}: {value}");
        expect_page_with_text(answer, "sent from another site").await;
    }
    assert_eq!(app.rows("quotes").await, 0);
}

/// The response is the quote page with the alert, and with the first name and description of
/// `filled`.
async fn expect_page_with_text(answer: Response, alert: &str) {
    assert_eq!(answer.headers()["content-type"], "text/html; charset=utf-8");
    let page = answer.text().await.unwrap();
    let shown = text_of(&page, ".form-alert");
    assert!(shown.contains("Your form was not sent."), "{shown}");
    assert!(shown.contains(alert), "{shown}");
    assert_eq!(
        attribute(&page, "input[name=firstName]", "value").as_deref(),
        Some("María")
    );
    let description = text_of(&page, "textarea[name=description]");
    assert!(description.contains("on floors 3 to 9"), "{description}");
}

#[tokio::test]
async fn a_form_in_another_encoding_is_refused_with_its_text() {
    let app = TestApp::start().await;
    let line = |(name, value): (&&str, &&str)| format!("{name}={value}\r\n");
    let lines: String = filled(&[]).iter().map(line).collect();
    let request = app.http.post(app.url("/quote"));
    let request = request.header("content-type", "text/plain").body(lines);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    expect_page_with_text(answer, "in a format that we cannot take").await;
}

#[tokio::test]
async fn a_form_in_parts_that_is_cut_off_is_returned_with_its_text() {
    let app = TestApp::start().await;
    let part = |(name, value): (&&str, &&str)| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let parts: String = filled(&[]).iter().map(part).collect();
    let request = app.http.post(app.url("/quote"));
    let request = request.header("content-type", "multipart/form-data; boundary=b");
    let answer = request.body(parts + "--b\r\nContent-Dispo").send().await;
    let answer = answer.unwrap();
    assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    expect_page_with_text(answer, "did not arrive completely").await;
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn a_form_that_is_too_long_is_returned_with_what_fits() {
    let app = TestApp::start().await;
    let long: &'static str = Box::leak(format!("on floors 3 to 9 {}", "a".repeat(300_000)).into());
    let answer = post(&app, "/quote", &filled(&[("description", long)])).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let page = answer.text().await.unwrap();
    assert!(text_of(&page, ".form-alert").contains("Please shorten your text"));
    let description = text_of(&page, "textarea[name=description]");
    assert!(description.starts_with("on floors 3 to 9 aaa"));
    assert!((60_000..65_536).contains(&description.len()));
}

#[tokio::test]
async fn a_form_that_does_not_arrive_in_time_is_returned_with_what_arrived() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let app = TestApp::with(|config| config.server.body_seconds = 1).await;
    let mut socket = tokio::net::TcpStream::connect(app.address).await.unwrap();
    let sent = "POST /quote HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\
        Content-Type: application/x-www-form-urlencoded\r\n\r\n\
        firstName=Mar%C3%ADa&description=on+floors+3+to+9";
    socket.write_all(sent.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    let (head, page) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 408 "), "{head}");
    assert!(head.contains("text/html"), "{head}");
    assert!(text_of(page, ".form-alert").contains("did not arrive completely"));
    let description = text_of(page, "textarea[name=description]");
    assert!(description.contains("on floors 3 to 9"));
    assert_eq!(app.rows("quotes").await, 0);
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
            assert_eq!(message, "Please select a start date");
        }
    }
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
        422
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

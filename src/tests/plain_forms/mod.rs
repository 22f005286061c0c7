//! Form posts without JavaScript, answered with a page.

mod invalid;
mod unreadable;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lol_html::html_content::TextChunk;
use lol_html::{ElementContentHandlers, RewriteStrSettings, Selector, element, rewrite_str, text};
use reqwest::{Response, StatusCode};

use crate::pages::get;
use crate::support::app::TestApp;

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
            "Panel is < 3 & down\n</textarea on floors 3 to 9",
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
    let request = app.http.post(app.url(path)).form(fields);
    let request = request.header("x-forwarded-for", "198.51.100.1");
    let request = request.header("sec-fetch-site", "same-origin");
    request.send().await.unwrap()
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
async fn an_application_posted_without_javascript_is_a_message_about_careers() {
    let app = TestApp::start().await;
    let mut fields = BTreeMap::from([
        ("firstName", "María"),
        ("lastName", "O’Brien"),
        ("email", "maria@home.example"),
        ("phone", "(713) 555-0188"),
        ("company", ""),
        ("service", "careers"),
        ("details", ""),
    ]);
    let page = post(&app, "/careers", &fields).await;
    assert_eq!(page.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = page.text().await.unwrap();
    assert_eq!(text_of(&page, "#details-error"), "This field is required");
    let service = attribute(&page, "form[action='/careers'] [name=service]", "value");
    assert_eq!(service.as_deref(), Some("careers"));

    fields.insert("details", "I live in Katy and can work nights.");
    let answer = post(&app, "/careers", &fields).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let location = location(&answer);
    assert!(
        location.starts_with("/careers?sent=1&reference=GP-"),
        "{location}"
    );
    let sent = get(&app, &location).await;
    let sent = sent.text().await.unwrap();
    assert!(text_of(&sent, ".banner").contains("Thank You for Your Message!"));
    assert_eq!(app.rows("requests WHERE service = 'careers'").await, 1);
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
    let page = get(&app, &location).await.text().await.unwrap();
    assert!(page.contains("Quote Request Submitted Successfully!"));
    let link = location.split("reference=").nth(1).unwrap();
    let (reference, _) = link.rsplit_once('-').unwrap();
    let facts = text_of(&page, ".banner-facts");
    let answer = "We answer by phone or email within 24 hours.See where your request stands";
    assert_eq!(facts, format!("Your reference: {reference}{answer}"));
    let href = attribute(&page, ".banner-facts a", "href").unwrap();
    assert_eq!(href, format!("/case/{link}"));
    let status = get(&app, &href).await;
    assert_eq!(status.status(), 200);
    assert!(page.contains("hidden"), "the form is folded");
    assert_eq!(
        post(&app, "/quote", &fields).await.status(),
        303,
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
    let page = get(&app, &location(&answer)).await;
    assert_eq!(page.headers()["cache-control"], "no-store");
    let page = page.text().await.unwrap();
    let facts = text_of(&page, ".banner-facts");
    let soon = "We will call you within 15 minutes. If you cannot wait, call us now:(713) 555-0142";
    assert!(facts.contains(soon), "{facts}");
    assert!(
        !page.contains("We answer by phone or email within"),
        "one time"
    );
    let href = attribute(&page, ".banner-facts a", "href");
    assert_eq!(href.as_deref(), Some("tel:+17135550142"));
}

#[tokio::test]
async fn a_reference_in_the_address_that_is_none_is_not_shown() {
    let app = TestApp::start().await;
    let page = get(&app, "/quote?sent=1&reference=<b>GP</b>").await;
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

//! Forms from another site, in another format, too long or incomplete: the page returns with what
//! was read.

use reqwest::{Response, StatusCode};

use super::{attribute, filled, post, text_of};
use crate::support::app::TestApp;

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
    assert_eq!(post("text/plain", Vec::new()).await.unwrap().status(), 415);
}

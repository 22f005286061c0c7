//! Grants of visitors, and what ends with a quote.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{PDF, refused};
use crate::support::app::TestApp;
use crate::support::people::Person;
use crate::support::visitors::quote;

#[tokio::test]
async fn attachments_is_a_truth_value() {
    let app = TestApp::start().await;
    for wrong in [json!("true"), json!(1), json!([])] {
        let asked = quote(json!({"attachments": wrong}));
        let answer = app.ask("10.0.0.1", None, &asked).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["fields"][0]["field"], "attachments");
    }
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn a_grant_expires_to_the_second() {
    let app = TestApp::start().await;
    let grant = app.grant().await;
    app.clock.advance(86_399_000);
    assert_eq!(app.add_file(&grant, "a.pdf", PDF).await.status(), 200);
    app.clock.advance(1_000);
    let late = app.add_file(&grant, "b.pdf", PDF).await;
    refused(late, 400, "400", "ExpiredToken").await;
}

#[tokio::test]
async fn a_deleted_quote_takes_its_files_its_grant_and_its_uploads_with_it() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    let (grant, other) = (app.grant().await, app.grant().await);
    for name in ["a.pdf", "b.pdf"] {
        let content = [PDF, name.as_bytes()].concat();
        assert_eq!(app.add_file(&grant, name, &content).await.status(), 200);
    }
    assert_eq!(
        app.add_file(&other, "a.pdf", b"%PDF-other").await.status(),
        200
    );
    let path = format!("/object/sign/quotes/{}/a.pdf", grant.quote_id);
    let signed = app
        .storage_json(&admin, &path, json!({"expiresIn": 60}))
        .await;
    let signed: Value = signed.json().await.unwrap();
    assert_eq!(app.stored_files().len(), 3);
    let id = grant.quote_id.clone();
    app.store
        .write(move |conn| Ok(conn.execute("DELETE FROM requests WHERE id = ?1", [id])?))
        .await
        .unwrap();
    assert_eq!(app.rows("objects").await, 1);
    let answer = app.add_file(&grant, "c.pdf", PDF).await;
    refused(answer, 400, "400", "InvalidSignature").await;
    let link = signed["signedURL"].as_str().unwrap();
    let answer = app.storage(None, Method::GET, link, "").await;
    refused(answer, 400, "404", "NoSuchKey").await;
    app.files.collect_released().await;
    assert_eq!(app.stored_files().len(), 1);
}

#[tokio::test]
async fn a_signed_upload_url_has_its_own_lifetime() {
    let app = TestApp::start().await;
    let admin = app.admin().await;
    app.bucket(&admin, "plans").await;
    let signed = app
        .storage_json(&admin, "/object/upload/sign/plans/a.pdf", json!({}))
        .await;
    let url = signed.json::<Value>().await.unwrap()["url"].clone();
    app.clock.advance(7_200_000);
    let late = app
        .storage(None, Method::PUT, url.as_str().unwrap(), PDF)
        .await;
    refused(late, 400, "400", "ExpiredToken").await;
}

const CLIENT: &str = "203.0.113.7";
const PLACE: (&str, &str) = ("plans", "a.pdf");

/// A signed upload URL for `plans/a.pdf`, and its token.
async fn upload_url(app: &TestApp, admin: &Person) -> (String, String) {
    app.bucket(admin, "plans").await;
    let path = "/object/upload/sign/plans/a.pdf";
    let signed = app.storage_json(admin, path, json!({})).await;
    let url = signed.json::<Value>().await.unwrap()["url"].clone();
    let url = url.as_str().unwrap().to_owned();
    let token = url.split_once("token=").unwrap().1.to_owned();
    (url, token)
}

#[tokio::test]
async fn a_signed_upload_url_begins_three_uploads_at_most_and_stores_one_file() {
    let app = TestApp::start().await;
    let (url, token) = upload_url(&app, &app.admin().await).await;
    let mut begun = 0;
    for _ in 0..60 {
        begun += usize::from(
            app.begin_upload(&token, CLIENT, PLACE, PDF.len())
                .await
                .status()
                == StatusCode::CREATED,
        );
    }
    assert_eq!((begun, app.rows("resumable_uploads").await), (3, 3));
    let stored = app.storage(None, Method::PUT, &url, PDF).await;
    assert_eq!(stored.status(), StatusCode::OK);
    let again = app.storage(None, Method::PUT, &url, PDF).await;
    assert_ne!(again.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_signed_upload_url_ends_with_the_role_of_its_maker() {
    let app = TestApp::start().await;
    app.admin().await;
    let maker = app.admin_as("bo@guard.example").await;
    let (url, token) = upload_url(&app, &maker).await;
    let begun = app.begin_upload(&token, CLIENT, PLACE, PDF.len()).await;
    assert_eq!(begun.status(), StatusCode::CREATED);
    let path = begun.headers()["location"].to_str().unwrap().to_owned();
    app.auth
        .set_role("bo@guard.example".parse().unwrap(), None)
        .await
        .unwrap();
    let put = app.storage(None, Method::PUT, &url, PDF).await;
    refused(put, 400, "400", "InvalidSignature").await;
    assert!(
        app.begin_upload(&token, CLIENT, PLACE, PDF.len())
            .await
            .status()
            .is_client_error()
    );
    let rest = app.http.patch(app.url(&path)).header("x-signature", &token);
    let rest = rest
        .header("tus-resumable", "1.0.0")
        .header("upload-offset", 0);
    let rest = rest.header("content-type", "application/offset+octet-stream");
    let rest = rest.body(PDF).send().await.unwrap();
    assert!(rest.status().is_client_error(), "{}", rest.status());
    assert_eq!(app.rows("objects").await, 0);
}

#[tokio::test]
async fn rotated_keys_leave_links_as_they_are() {
    let mut app = TestApp::start().await;
    let grant = app.grant().await;
    app.auth.rotate_keys(app.folder.path()).await.unwrap();
    app.restart().await;
    assert_eq!(app.add_file(&grant, "a.pdf", PDF).await.status(), 200);
}

#[tokio::test]
async fn the_office_gets_one_email_that_names_the_files_of_a_minute() {
    let app = TestApp::start().await;
    let worker = app.mailbox_worker();
    let grant = app.grant().await;
    assert_eq!(worker.deliver_due().await.unwrap(), 1, "the request itself");
    for name in ["plan.pdf", "photo.pdf"] {
        let content = [PDF, name.as_bytes()].concat();
        let answer = app.add_file(&grant, name, &content).await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    assert_eq!(worker.deliver_due().await.unwrap(), 0, "more may follow");
    app.clock.advance(60_000);
    assert_eq!(worker.deliver_due().await.unwrap(), 1);
    let mail = app.mailbox().pop().unwrap();
    assert!(
        mail.subject.starts_with("New files for the quote request"),
        "{}",
        mail.subject
    );
    for told in ["plan.pdf, 1 kB", "photo.pdf, 1 kB", &grant.quote_id] {
        assert!(mail.text.contains(told), "{told}: {}", mail.text);
    }
    let answer = app.add_file(&grant, "late.pdf", PDF).await;
    assert_eq!(answer.status(), StatusCode::OK);
    app.clock.advance(60_000);
    assert_eq!(worker.deliver_due().await.unwrap(), 1);
    assert!(app.mailbox()[2].text.contains("late.pdf"));
}

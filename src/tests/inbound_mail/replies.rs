//! Replies with copies and files, and messages passed on to colleagues.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use mail_parser::{MessageParser, MimeHeaders};
use reqwest::Method;
use serde_json::{Value, json};

use super::desk::Desk;

/// Uploads a file for a reply; the status, and its name in the list of files.
async fn upload(desk: &Desk, name: &str, bytes: Vec<u8>) -> (u16, String) {
    let file = format!("mail/{}/{name}", desk.id);
    let url = desk.app.url(&format!("/storage/v1/object/{file}"));
    let request = desk.app.http.post(url).bearer_auth(&desk.token).body(bytes);
    (request.send().await.unwrap().status().as_u16(), file)
}

async fn reply(desk: &Desk, changes: Value) -> (u16, Value) {
    let mut body = json!({"subject": "Offer", "text": "See the files."});
    body.as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    let path = format!("/api/admin/inbox/{}/replies", desk.id);
    let response = desk.call(Method::POST, &path, body).await;
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn a_reply_carries_copies_and_files() {
    let desk = Desk::start().await;
    let (status, file) = upload(&desk, "offer 1.pdf", b"%PDF-1.4 offer".to_vec()).await;
    assert_eq!(status, 200, "{file}");
    let copies = json!(["boss@property.example", "bob@property.example"]);
    let (status, event) = reply(&desk, json!({"cc": copies, "files": [file]})).await;
    assert_eq!(status, 201, "{event}");
    desk.app.clock.advance(10_000);
    desk.app.run_outbox().await;
    let mail = desk.app.mailbox().pop().unwrap();
    assert!(
        mail.raw
            .contains("Cc: boss@property.example, bob@property.example"),
        "{}",
        mail.raw
    );
    let parsed = MessageParser::default().parse(mail.raw.as_bytes()).unwrap();
    let attached = parsed.attachment(0).unwrap();
    assert_eq!(attached.attachment_name(), Some("offer 1.pdf"));
    assert_eq!(attached.contents(), b"%PDF-1.4 offer");
    assert!(mail.text.starts_with("See the files."), "{}", mail.text);
    assert!(
        !mail.text.contains("\n>"),
        "nothing is quoted: {}",
        mail.text
    );
}

#[tokio::test]
async fn the_same_reply_with_another_file_or_copy_is_another_reply() {
    let desk = Desk::start().await;
    let (_, file) = upload(&desk, "1-offer.pdf", b"%PDF-1.4 offer".to_vec()).await;
    let before = desk.events("replied").await.len();
    let with_copy = json!({"files": [file], "cc": ["boss@property.example"]});
    for (changes, count) in [
        (json!({}), 1),
        (json!({}), 1),
        (json!({"files": [file]}), 2),
        (json!({"files": [file]}), 2),
        (with_copy.clone(), 3),
        (with_copy, 3),
    ] {
        let (status, event) = reply(&desk, changes.clone()).await;
        assert_eq!(status, 201, "{event}");
        let replied = desk.events("replied").await;
        assert_eq!(replied.len() - before, count, "{changes}");
        assert_eq!(event["id"], replied.last().unwrap()["id"], "{changes}");
    }
}

#[tokio::test]
async fn files_larger_than_an_email_are_links() {
    let desk = Desk::start().await;
    let mut files = Vec::new();
    for name in ["one.pdf", "two.pdf"] {
        let bytes = [
            format!("%PDF-1.4 {name}").into_bytes(),
            vec![b' '; 6 * 1024 * 1024],
        ]
        .concat();
        let (status, file) = upload(&desk, name, bytes).await;
        assert_eq!(status, 200, "{file}");
        files.push(file);
    }
    let (status, event) = reply(&desk, json!({"files": files})).await;
    assert_eq!(status, 201, "{event}");
    desk.app.clock.advance(10_000);
    desk.app.run_outbox().await;
    let mail = desk.app.mailbox().pop().unwrap();
    assert!(mail.raw.len() < 100_000, "{} bytes", mail.raw.len());
    let line = mail
        .text
        .lines()
        .find(|line| line.starts_with("one.pdf: "))
        .unwrap();
    let (_, link) = line.split_once("/storage/v1").unwrap();
    let url = desk.app.url(&format!("/storage/v1{link}"));
    let opened = desk.app.http.get(url).send().await.unwrap();
    assert_eq!(opened.status(), 200, "{line}");
}

#[tokio::test]
async fn files_and_addresses_that_cannot_be_sent_are_refused_by_name() {
    let desk = Desk::start().await;
    let program = b"MZ\x90\x00\x03".to_vec();
    assert_eq!(upload(&desk, "run.exe", program).await.0, 400);
    for (changes, field) in [
        (json!({"files": ["mail/other/1-x.pdf"]}), "files"),
        (json!({"files": ["public/x.pdf"]}), "files"),
        (json!({"files": "x"}), "files"),
        (json!({"cc": ["not an address"]}), "cc"),
        (json!({"cc": ["a@b.example\r\nBcc: c@d.example"]}), "cc"),
        (json!({"cc": vec!["a@b.example"; 6]}), "cc"),
    ] {
        let (status, problem) = reply(&desk, changes).await;
        assert_eq!(status, 422, "{problem}");
        assert_eq!(problem["fields"][0]["field"], field, "{problem}");
    }
    assert_eq!(desk.events("replied").await.len(), 1);
}

#[tokio::test]
async fn a_message_is_passed_on_to_a_colleague() {
    let desk = Desk::start().await;
    desk.receive(desk.answer(1, "The gate is broken.")).await;
    let event = desk.events("wrote").await[0]["id"].clone();
    let path = format!("/api/admin/inbox/{}/messages/{event}/forward", desk.id);
    let body = json!({"to": "tech@guard.example", "note": "Please look."});
    desk.post(&path, body).await;
    desk.app.run_outbox().await;
    let mail = desk.app.mailbox().pop().unwrap();
    assert_eq!(mail.to, ["tech@guard.example"]);
    assert_eq!(mail.subject, "Fwd: Re: Your request");
    for words in [
        "Please look.",
        "The gate is broken.",
        "maria@property.example",
    ] {
        assert!(mail.text.contains(words), "{}", mail.text);
    }
    assert_eq!(
        desk.events("forwarded").await[0]["detail"]["state"],
        "delivered"
    );
    assert!(
        desk.request().await["waiting_since"].is_string(),
        "the customer still waits"
    );
    for (path, body, status) in [
        (path.clone(), json!({"to": "nobody"}), 422),
        (
            path.replace(&event.to_string(), "17"),
            json!({"to": "a@b.example"}),
            404,
        ),
    ] {
        assert_eq!(desk.call(Method::POST, &path, body).await.status(), status);
    }
}

#[tokio::test]
async fn a_dispatcher_replaces_no_file_that_was_sent_by_any_header() {
    let desk = Desk::start().await;
    let dispatcher = desk.app.dispatcher().await.access_token;
    let file = format!("mail/{}/offer.pdf", desk.id);
    let storage = |path: &str| desk.app.url(&format!("/storage/v1/{path}"));
    let post = async |path: &str, headers: &[(&str, &str)], body: &'static str| {
        let mut request = desk.app.http.post(storage(path)).bearer_auth(&dispatcher);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.text().await.unwrap())
    };
    let object = format!("object/{file}");
    let (status, answer) = post(&object, &[], "%PDF-1.4 offer").await;
    assert_eq!(status, 200, "{answer}");
    let (status, event) = reply(&desk, json!({"files": [file]})).await;
    assert_eq!(status, 201, "{event}");
    let signed = format!("object/sign/{file}");
    let signing = desk
        .app
        .http
        .post(storage(&signed))
        .bearer_auth(&dispatcher);
    let link: Value = signing
        .json(&json!({"expiresIn": 300}))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let link = storage(link["signedURL"].as_str().unwrap().trim_start_matches('/'));

    let upsert = ("x-upsert", "true");
    let (status, answer) = post(&object, &[], "%PDF-1.4 other").await;
    assert_eq!((status, answer.contains("409")), (400, true), "{answer}");
    let encode = |text: &str| BASE64_STANDARD.encode(text);
    let key = file.strip_prefix("mail/").unwrap();
    let metadata = format!("bucketName {},objectName {}", encode("mail"), encode(key));
    let tus = [
        upsert,
        ("tus-resumable", "1.0.0"),
        ("upload-length", "14"),
        ("upload-metadata", &metadata),
    ];
    let spelled = format!("object/%6dail/{key}");
    let signed_upload = format!("object/upload/sign/{file}");
    for (path, headers) in [
        (object.as_str(), &[upsert][..]),
        (
            object.as_str(),
            &[upsert, ("content-type", "application/pdf")],
        ),
        (spelled.as_str(), &[upsert]),
        (signed_upload.as_str(), &[upsert]),
        (signed_upload.as_str(), &[]),
        ("object/copy", &[upsert]),
        ("upload/resumable", &tus),
        ("upload/resumable/", &tus),
    ] {
        let (status, answer) = post(path, headers, "%PDF-1.4 other").await;
        let is_refused = status == 403 || (status == 400 && answer.contains("\"403\""));
        assert!(is_refused, "{path}: {status} {answer}");
    }
    let opened = desk.app.http.get(link).send().await.unwrap();
    assert_eq!(opened.bytes().await.unwrap(), "%PDF-1.4 offer");

    let admin = desk
        .app
        .http
        .post(storage(&object))
        .bearer_auth(&desk.token);
    let replaced = admin.header("x-upsert", "true").body("%PDF-1.4 new");
    assert_eq!(replaced.send().await.unwrap().status(), 200, "an admin may");
}

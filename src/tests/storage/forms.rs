//! The quote form with files, without JavaScript.

use std::io::{Read, Write};
use std::net::TcpStream;

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use super::PDF;
use crate::support::app::TestApp;
use crate::support::visitors::quote;

const FIELDS: [(&str, &str); 8] = [
    ("firstName", "María"),
    ("lastName", "O’Brien"),
    ("email", "maria@property.example"),
    ("phone", "(713) 555-0188"),
    ("serviceType", "fire-watch"),
    ("location", "Houston, TX"),
    ("startDate", "2026-12-01"),
    ("duration", "1-week"),
];

/// A part of a form.
fn part(disposition: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("--xx\r\ncontent-disposition: form-data; {disposition}\r\n\r\n");
    [head.as_bytes(), content, b"\r\n"].concat()
}

/// The body of a form with these fields and files.
fn body(fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(part(&format!("name=\"{name}\""), value.as_bytes()));
    }
    for (name, content) in files {
        let disposition = format!("name=\"attachments\"; filename=\"{name}\"");
        body.extend(part(&disposition, content));
    }
    body.extend(b"--xx--\r\n");
    body
}

fn form(files: &[(&str, &[u8])]) -> Vec<u8> {
    body(&FIELDS, files)
}

async fn post(app: &TestApp, body: Vec<u8>) -> Response {
    let request = app
        .http
        .post(app.url("/quote"))
        .header("content-type", "multipart/form-data; boundary=xx")
        .body(body);
    request.send().await.unwrap()
}

async fn stored_names(app: &TestApp) -> Vec<String> {
    let objects = app.store.all_objects().await.unwrap();
    let names = objects
        .iter()
        .map(|object| object.name.split_once('/').unwrap().1);
    names.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_form_with_files_is_stored_with_them() {
    let app = TestApp::start().await;
    let files: [(&str, &[u8]); 3] = [
        ("plan.pdf", PDF),
        ("Grundriß Süd.pdf", b"%PDF-1.7 other"),
        ("plan.pdf", b"%PDF-1.7 third"),
    ];
    let answer = post(&app, form(&files)).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let to = answer.headers()["location"].to_str().unwrap();
    assert!(to.starts_with("/quote?sent=1&reference=GP-"), "{to}");
    assert_eq!(
        stored_names(&app).await,
        ["3-plan.pdf", "Grundri- S-d.pdf", "plan.pdf"]
    );
    let again = post(&app, form(&files[..2])).await;
    assert_eq!(again.status(), StatusCode::SEE_OTHER, "a reload");
    assert_eq!(
        (app.rows("quotes").await, app.rows("objects").await),
        (1, 3)
    );
    let empty = post(&app, form(&[("", b"")])).await;
    assert_eq!(empty.status(), StatusCode::SEE_OTHER, "no file chosen");
}

#[tokio::test]
async fn a_refused_file_does_not_cost_the_request_and_the_page_names_it() {
    let app = TestApp::start().await;
    let big = [PDF, &vec![b'x'; 10_485_760]].concat();
    let files: [(&str, &[u8]); 8] = [
        ("<b>.zip", b"PK\x03\x04"),
        ("big.pdf", &big),
        ("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0"),
        ("1.pdf", b"%PDF-1"),
        ("2.pdf", b"%PDF-2"),
        ("3.pdf", b"%PDF-3"),
        ("4.pdf", b"%PDF-4"),
        ("5.pdf", b"%PDF-5"),
    ];
    let answer = post(&app, form(&files)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    // The form with its own alert is hidden.
    let facts = page.split_once("class=\"banner-facts\"").unwrap().1;
    let facts = facts.split_once("</div>").unwrap().0;
    for told in [
        "Your reference: <strong>GP-",
        "We have your request, but",
        "&lt;b&gt;.zip: We take JPEG, PNG, WebP and PDF files.",
        "big.pdf: It is too large",
        "photo.heic: Send the photo as JPEG",
    ] {
        assert!(facts.contains(told), "{told}: {facts}");
    }
    assert_eq!(app.rows("quotes").await, 1);
    let names = stored_names(&app).await;
    assert!(names.contains(&"1.pdf".to_owned()) && names.contains(&"2.pdf".to_owned()));
}

/// The text of the page at `path`.
async fn page(app: &TestApp, path: &str) -> String {
    let response = app.http.get(app.url(path)).send().await.unwrap();
    response.text().await.unwrap()
}

#[tokio::test]
async fn a_file_that_did_not_arrive_is_said_to_be_missing_and_can_be_added_there() {
    let app = TestApp::start().await;
    let asked = quote(json!({"attachments": true, "files": 2}));
    let receipt: Value = app
        .ask("10.0.0.1", None, &asked)
        .await
        .json()
        .await
        .unwrap();
    let status_page = receipt["status_page"].as_str().unwrap();
    let reference = status_page.rsplit('/').next().unwrap();
    let banner = format!("/quote?sent=1&reference={reference}");
    for path in [status_page, &banner] {
        assert!(
            page(&app, path).await.contains("2 files did not arrive"),
            "{path}"
        );
    }
    let add = async |files: &[(&str, &[u8])]| {
        let request = app.http.post(app.url(status_page));
        let request = request.header("content-type", "multipart/form-data; boundary=xx");
        request.body(body(&[], files)).send().await.unwrap()
    };
    let refused = add(&[("a.zip", b"PK\x03\x04"), ("plan.pdf", PDF)]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let text = refused.text().await.unwrap();
    assert!(text.contains("Not added: a.zip: We take JPEG"), "{text}");
    assert!(text.contains("1 file did not arrive"), "{text}");
    assert!(text.contains("We received 1 file<"), "{text}");
    let added = add(&[("roof.pdf", b"%PDF-1.7 roof")]).await;
    assert_eq!(added.status(), StatusCode::SEE_OTHER);
    let location = added.headers()["location"].to_str().unwrap().to_owned();
    let text = page(&app, &location).await;
    assert!(text.contains("Your files have arrived"), "{text}");
    assert!(!text.contains("did not arrive"), "{text}");
    assert!(text.contains("We received 2 files<"), "{text}");
    assert_eq!(text.matches("We received").count(), 1, "{text}");
    assert!(!page(&app, &banner).await.contains("did not arrive"));
    assert_eq!(stored_names(&app).await, ["plan.pdf", "roof.pdf"]);
    let more = add(&[("more.pdf", b"%PDF-1.7 more")]).await;
    assert_eq!(more.status(), StatusCode::CONFLICT, "nothing is missing");
    assert_eq!(app.rows("objects").await, 2);
}

#[tokio::test]
async fn the_number_of_announced_files_is_one_that_is_taken() {
    let app = TestApp::start().await;
    for wrong in [json!(-1), json!(6), json!("2"), json!(true)] {
        let asked = quote(json!({"attachments": true, "files": wrong}));
        let answer = app.ask("10.0.0.1", None, &asked).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(app.rows("quotes").await, 0);
}

#[tokio::test]
async fn an_invalid_form_with_files_is_shown_again_and_nothing_is_kept() {
    let app = TestApp::start().await;
    let answer = post(&app, body(&[("firstName", "M")], &[("plan.pdf", PDF)])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer
            .text()
            .await
            .unwrap()
            .contains("must be at least 2 characters")
    );
    assert_eq!((app.rows("quotes").await, app.stored_files().len()), (0, 0));
}

#[tokio::test]
async fn on_a_full_disk_the_form_is_stored_without_its_files() {
    let app = TestApp::with(|config| config.files.reserve_mb = u32::MAX).await;
    let answer = post(&app, form(&[("plan.pdf", PDF)])).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    assert!(
        page.contains("plan.pdf: We cannot take files just now"),
        "{page}"
    );
    assert_eq!(app.rows("quotes").await, 1);
}

#[tokio::test]
async fn a_line_cut_at_any_point_loses_no_request_whose_fields_have_arrived() {
    let app = TestApp::with(|config| config.limits.form_max = 1_000).await;
    let content = [PDF, &vec![b'x'; 100_000]].concat();
    for cut in 0..50 {
        let location = format!("Houston, lot {cut}");
        let mut fields = FIELDS;
        fields[5].1 = &location;
        let body = body(&fields, &[("plan.pdf", &content)]);
        let begun = body.len() - content.len();
        let end = begun + content.len() * cut / 50;
        let head = format!(
            "POST /quote HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=xx\r\n\
             content-length: {}\r\n\r\n",
            body.len()
        );
        let address = app.address;
        let cut_off = move || {
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&body[..end]).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            // Until the server has closed the connection.
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        };
        tokio::task::spawn_blocking(cut_off).await.unwrap();
    }
    assert_eq!(app.rows("quotes").await, 50);
    assert!(stored_names(&app).await.is_empty());
}

/// Begins to post a form of any length.
fn begin_post(app: &TestApp) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).unwrap();
    let head = "POST /quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
        content-type: multipart/form-data; boundary=xx\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Sends a piece of a body.
fn send(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes())?;
    stream.write_all(bytes)?;
    stream.write_all(b"\r\n")
}

/// What is answered until the connection is closed.
fn answer(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_form_of_endless_empty_parts_is_refused_and_takes_no_more_memory_than_it_is_charged() {
    let app = TestApp::start().await;
    let mut stream = begin_post(&app);
    let parts = "--xx\r\nContent-Disposition:form-data;name=\r\n\r\n\r\n".repeat(1000);
    let bodies = app.bodies.clone();
    let posted = tokio::task::spawn_blocking(move || {
        let mut most = 0;
        for _ in 0..200 {
            if send(&mut stream, parts.as_bytes()).is_err() {
                break;
            }
            most = most.max(bodies.held());
        }
        let _ = stream.write_all(b"0\r\n\r\n");
        (answer(stream), most)
    });
    let (answer, most) = posted.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer:.100}");
    assert!((100_000..1_000_000).contains(&most), "charged: {most}");
    assert_eq!(app.bodies.held(), 0);
}

#[tokio::test]
async fn a_form_is_judged_and_stored_before_its_first_file_arrives() {
    let app = TestApp::with(|config| config.limits.form_max = 1).await;
    let begun = |fields: &[(&str, &str)]| {
        let whole = body(fields, &[("plan.pdf", PDF)]);
        whole[..whole.len() - 20].to_vec()
    };
    let mut first = begin_post(&app);
    send(&mut first, &begun(&FIELDS)).unwrap();
    while app.rows("quotes").await == 0 || app.stored_files().is_empty() {
        tokio::task::yield_now().await;
    }
    // A second one is over the limit: nothing of its file is kept, however much of it comes.
    let mut fields = FIELDS;
    fields[5].1 = "Austin, TX";
    let mut second = begin_post(&app);
    send(&mut second, &begun(&fields)).unwrap();
    send(&mut second, &[b'x'; 500_000]).unwrap();
    second.write_all(b"0\r\n\r\n").unwrap();
    let answer = tokio::task::spawn_blocking(|| answer(second))
        .await
        .unwrap();
    assert!(answer.starts_with("HTTP/1.1 429"), "{answer:.100}");
    assert_eq!(app.stored_files().len(), 1, "only the first one's");
    drop(first);
    assert_eq!(app.rows("quotes").await, 1);
}

#[tokio::test]
async fn a_form_that_drips_is_ended_although_it_is_never_silent() {
    let app = TestApp::with(|config| config.files.silence_seconds = 1).await;
    let mut stream = begin_post(&app);
    let mut start = body(&FIELDS, &[("plan.pdf", PDF)]);
    start.truncate(start.len() - 20);
    let (mut reading, started) = (stream.try_clone().unwrap(), std::time::Instant::now());
    let dripping = tokio::task::spawn_blocking(move || {
        send(&mut stream, &start).unwrap();
        while send(&mut stream, b"x").is_ok() && started.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    });
    let answered = tokio::task::spawn_blocking(move || {
        let mut bytes = [0; 4096];
        let read = reading.read(&mut bytes).unwrap();
        let _ = reading.shutdown(std::net::Shutdown::Both);
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    });
    let answer = answered.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.100}");
    assert!(started.elapsed().as_secs() < 10);
    dripping.await.unwrap();
    assert_eq!((app.rows("quotes").await, app.stored_files().len()), (1, 0));
}

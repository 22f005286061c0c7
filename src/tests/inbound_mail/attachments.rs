//! Files of emails: all of them are kept, and each is downloaded by the rules of stored files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::json;

use super::desk::Desk;

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(8, 8, image::Rgb([200, 30, 30]));
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

fn with_files(desk: &Desk, files: &[(&str, &str, Vec<u8>)]) -> String {
    let mut body = "--b\nContent-Type: text/plain\n\nSee the files.\n".to_owned();
    for (name, media_type, bytes) in files {
        body += &format!(
            "--b\nContent-Type: {media_type}; name=\"{name}\"\nContent-Disposition: attachment; \
             filename=\"{name}\"\nContent-Transfer-Encoding: base64\n\n{}\n",
            STANDARD.encode(bytes)
        );
    }
    let head = super::desk::verified("property.example");
    let fields = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n";
    desk.email(
        1,
        &head,
        &desk.facts.customer,
        fields,
        &format!("{body}--b--"),
    )
}

#[tokio::test]
async fn all_files_of_an_email_are_kept_and_its_bucket_takes_no_others() {
    let desk = Desk::start().await;
    let zip = b"PK\x03\x04 a zip bomb is not opened".to_vec();
    let email = with_files(
        &desk,
        &[
            (
                "site plan.pdf",
                "application/pdf",
                b"%PDF-1.4 plan".to_vec(),
            ),
            ("fence.png", "image/png", png()),
            ("all.zip", "application/zip", zip.clone()),
            ("empty.pdf", "application/pdf", Vec::new()),
            (
                "big.pdf",
                "application/pdf",
                [b"%PDF-".to_vec(), vec![b'x'; 10 * 1024 * 1024]].concat(),
            ),
        ],
    );
    desk.receive(&email).await;
    let written = &desk.events("wrote").await[0]["detail"];
    let files = written["files"].as_array().unwrap();
    let names: Vec<_> = files
        .iter()
        .map(|file| file["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "site plan.pdf",
            "fence.png",
            "all.zip",
            "empty.pdf",
            "big.pdf"
        ]
    );
    let (kept, empty): (Vec<_>, Vec<_>) = files.iter().partition(|file| file["size"] != 0);
    assert!(kept.iter().all(|file| file["key"].is_string()), "{files:?}");
    assert_eq!(empty[0]["refused"], "it arrived empty");
    assert_eq!(files[4]["size"], 10 * 1024 * 1024 + 5);
    let key = files[0]["key"].as_str().unwrap();
    let path = format!("/storage/v1/object/mail/{key}").replace(' ', "%20");
    let response = desk.call(Method::GET, &path, json!({})).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.bytes().await.unwrap(), "%PDF-1.4 plan");
    let stranger = desk.app.http.get(desk.app.url(&path)).send().await.unwrap();
    assert_eq!(stranger.status(), 400, "private");
    let whole = format!(
        "/storage/v1/object/mail/{}/message.eml",
        written["email"].as_str().unwrap()
    );
    let response = desk.call(Method::GET, &whole, json!({})).await;
    assert_eq!(response.headers()["content-type"], "message/rfc822");
    let disposition = response.headers()["content-disposition"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(disposition.starts_with("attachment"), "{disposition}");
    assert_eq!(response.bytes().await.unwrap(), email.as_bytes());
    let upload = desk
        .app
        .http
        .post(desk.app.url("/storage/v1/object/mail/x/y.pdf"));
    let upload = upload
        .bearer_auth(&desk.token)
        .body("%PDF-1.4")
        .send()
        .await
        .unwrap();
    assert_eq!(upload.status(), 400, "only emails bring files there");
}

#[tokio::test]
async fn a_file_of_any_type_is_offered_as_a_download_that_runs_nothing() {
    let desk = Desk::start().await;
    let page = b"<!doctype html><script>alert(1)</script>".to_vec();
    let drawing = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
    let cut = png()[..40].to_vec();
    let mut heic = b"\0\0\0\x18ftypheic\0\0\0\0".to_vec();
    heic.extend([7; 64]);
    let files = [
        (
            "rfp.docx",
            "application/octet-stream",
            b"PK\x03\x04\0\0docx".to_vec(),
            false,
        ),
        ("IMG_0042.HEIC", "image/heic", heic, false),
        (
            "gate.gif",
            "image/gif",
            b"GIF89a\x01\0\x01\0\0\0".to_vec(),
            false,
        ),
        (
            "clip.mp4",
            "video/mp4",
            b"\0\0\0\x18ftypmp42\0\0".to_vec(),
            false,
        ),
        ("page.html", "text/html", page, false),
        ("drawing.svg", "image/svg+xml", drawing, false),
        (
            "page.png",
            "text/html",
            b"<b>no picture</b>".to_vec(),
            false,
        ),
        ("cut.png", "image/png", cut, false),
        (
            "maria.vcf",
            "text/vcard",
            b"BEGIN:VCARD\nEND:VCARD\n".to_vec(),
            false,
        ),
        ("fence.png", "image/png", png(), true),
    ];
    let sent = files
        .clone()
        .map(|(name, kind, bytes, _)| (name, kind, bytes));
    desk.receive(&with_files(&desk, &sent)).await;
    let written = &desk.events("wrote").await[0]["detail"]["files"];
    for (at, (name, _, bytes, is_inline)) in files.iter().enumerate() {
        assert_eq!(written[at]["name"], *name);
        let key = written[at]["key"]
            .as_str()
            .unwrap_or_else(|| panic!("{name}"));
        let path = format!("/storage/v1/object/mail/{key}");
        let response = desk.call(Method::GET, &path, json!({})).await;
        assert_eq!(response.status(), 200, "{name}");
        let header = |of: &str| response.headers()[of].to_str().unwrap().to_owned();
        let start = if *is_inline { "inline" } else { "attachment" };
        assert!(header("content-disposition").starts_with(start), "{name}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{name}");
        assert_eq!(
            header("content-security-policy"),
            "default-src 'none'; sandbox"
        );
        let kind = header("content-type");
        let is_run = kind.starts_with("text/html") || kind.starts_with("video");
        assert!(!is_run, "{name}: {kind}");
        if !is_inline {
            assert_eq!(
                &response.bytes().await.unwrap(),
                bytes,
                "{name}: as it was sent"
            );
        }
    }
}

#[tokio::test]
async fn files_of_emails_stand_among_those_of_the_request_and_are_found_by_name() {
    let desk = Desk::start().await;
    let files = [
        (
            "zeppelin plan.pdf",
            "application/pdf",
            b"%PDF-1.4 plan".to_vec(),
        ),
        (
            "posts.xlsx",
            "application/zip",
            b"PK\x03\x04\0\0xlsx".to_vec(),
        ),
    ];
    desk.receive(&with_files(&desk, &files)).await;
    let listed = desk.request().await["files"].clone();
    let shown = [0, 1].map(|at| (&listed[at]["bucket"], &listed[at]["name"]));
    assert_eq!(
        json!(shown),
        json!([["mail", "zeppelin plan.pdf"], ["mail", "posts.xlsx"]]),
        "without the email itself"
    );
    assert_eq!(listed.as_array().unwrap().len(), 2);
    let found = desk.call(Method::GET, "/api/admin/inbox?q=zeppelin", json!({}));
    let found: serde_json::Value = found.await.json().await.unwrap();
    assert_eq!(found["requests"].as_array().unwrap().len(), 1, "{found}");
}

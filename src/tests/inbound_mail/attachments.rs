//! Files of emails: by the rules of the storage service, and never lost.

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
    let head = super::corpus::verified("property.example");
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
async fn files_are_stored_by_the_rules_for_visitors_and_refused_ones_remain_in_the_email() {
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
    assert_eq!(names, ["site plan.pdf", "fence.png", "all.zip", "big.pdf"]);
    assert!(
        files[2]["key"].is_null() && files[2]["refused"].is_string(),
        "{files:?}"
    );
    assert_eq!(files[3]["refused"], "too large");
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

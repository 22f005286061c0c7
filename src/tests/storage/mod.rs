//! The storage service: what the clients' suites in `frontend/tests/storage` cannot see from
//! outside. Hostile files, restarts, the disk, the clock.

mod bombs;
mod bucket;
mod commands;
mod cuts;
mod damage;
mod disk;
mod forms;
mod full_disk;
mod grants;
mod hostile;
mod kills;
mod picture_limits;
pub mod pictures;
mod quota;
mod s3_signing;
mod scans;
mod slow_readers;
mod uploads;

use base64::prelude::{BASE64_STANDARD, Engine};
use reqwest::{Body, Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::people::Person;
use crate::support::visitors::{quote, visitor};

/// A small PDF.
pub const PDF: &[u8] = b"%PDF-1.7\n% a plan\n%%EOF\n";

/// A grant of a new quote.
pub struct Grant {
    pub quote_id: String,
    pub url: String,
    pub token: String,
}

impl Grant {
    /// The address for a file of this name.
    pub fn path(&self, name: &str) -> String {
        format!("{}{name}?token={}", self.url, self.token)
    }
}

impl TestApp {
    /// A call of the storage service as `person`.
    pub async fn storage(
        &self,
        person: Option<&Person>,
        method: Method,
        path: &str,
        body: impl Into<Body>,
    ) -> Response {
        let mut request = self
            .http
            .request(method, self.url(&format!("/storage/v1{path}")))
            .body(body);
        if let Some(person) = person {
            request = request.bearer_auth(&person.access_token);
        }
        request.send().await.unwrap()
    }

    /// Stores a file as an admin.
    pub async fn store(&self, admin: &Person, place: &str, content: &[u8]) -> Response {
        let path = format!("/object/{place}");
        self.storage(Some(admin), Method::POST, &path, content.to_vec())
            .await
    }

    /// A JSON call as an admin.
    pub async fn storage_json(&self, admin: &Person, path: &str, body: Value) -> Response {
        self.http
            .post(self.url(&format!("/storage/v1{path}")))
            .bearer_auth(&admin.access_token)
            .json(&body)
            .send()
            .await
            .unwrap()
    }

    /// A new private bucket.
    pub async fn bucket(&self, admin: &Person, name: &str) {
        let made = self
            .storage_json(admin, "/bucket", json!({"name": name}))
            .await;
        assert_eq!(made.status(), StatusCode::OK);
    }

    /// The `uploads` of a new quote, `null` if no files are taken.
    pub async fn ask_for_uploads(&self) -> (String, Value) {
        self.ask_for_uploads_as("maria@property.example").await
    }

    async fn ask_for_uploads_as(&self, email: &str) -> (String, Value) {
        let newcomer = visitor(self.rows("requests").await.try_into().unwrap());
        let asked = quote(json!({"attachments": true, "email": email}));
        let answer = self.ask(&newcomer, None, &asked).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
        let receipt: Value = answer.json().await.unwrap();
        let id = receipt["id"].as_str().unwrap().to_owned();
        (id, receipt["uploads"].clone())
    }

    /// A new quote with a grant.
    pub async fn grant(&self) -> Grant {
        self.grant_of("maria@property.example").await
    }

    /// A new quote of this address with a grant.
    pub async fn grant_of(&self, email: &str) -> Grant {
        let (quote_id, uploads) = self.ask_for_uploads_as(email).await;
        let text = |name: &str| uploads[name].as_str().unwrap().to_owned();
        Grant {
            quote_id,
            url: text("url"),
            token: text("token"),
        }
    }

    /// Uploads a file under a grant.
    pub async fn add_file(&self, grant: &Grant, name: &str, content: &[u8]) -> Response {
        let request = self.http.put(self.url(&grant.path(name)));
        request.body(content.to_vec()).send().await.unwrap()
    }

    /// Begins a resumable upload from `client` by the token of a grant or of a signed upload URL.
    pub async fn begin_upload(
        &self,
        token: &str,
        client: &str,
        (bucket, name): (&str, &str),
        length: usize,
    ) -> Response {
        let base64 = |text: &str| BASE64_STANDARD.encode(text);
        let metadata = format!("bucketName {},objectName {}", base64(bucket), base64(name));
        let url = self.url("/storage/v1/upload/resumable/sign");
        let request = self.http.post(url).header("x-forwarded-for", client);
        let request = request.header("x-signature", token);
        let request = request.header("tus-resumable", "1.0.0");
        let request = request.header("upload-length", length);
        let request = request.header("upload-metadata", metadata);
        request.send().await.unwrap()
    }

    /// The names of the files below `files/` in the data folder.
    pub fn stored_files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().join("files")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.file_name().unwrap().to_str().unwrap().to_owned()),
                }
            }
        }
        found
    }
}

/// The error of a refused call.
pub async fn refused(answer: Response, status: u16, status_code: &str, code: &str) -> Value {
    let sent = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(
        (sent, body["statusCode"].as_str(), body["code"].as_str()),
        (status, Some(status_code), Some(code)),
        "{body}"
    );
    body
}

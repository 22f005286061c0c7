//! Files posted with the quote form without JavaScript (`multipart/form-data`). The request is
//! stored whatever becomes of its files, and the page says which were refused and why.

use std::collections::BTreeSet;
use std::time::Duration;

use poem::Body;
use poem::http::HeaderMap;
use serde_json::{Map, Value};

use super::App;
use super::body::MAX_BODY_BYTES;
use super::storage::error_response::ErrorResponse;
use super::storage::multipart::{Multipart, MultipartError};
use super::storage::part_headers::Part;
use super::storage::upload_body::UploadBody;
use crate::domain::storage::names::{key_for, split_quote_key};
use crate::domain::storage::{MAX_FILE_BYTES, MAX_QUOTE_FILES};
use crate::files::grants::visitor_target;
use crate::files::target::Description;
use crate::files::upload::Incoming;
use crate::files::{self, Code, Refusal};

/// The name of the file field.
const FIELD: &str = "attachments";
/// Maximum length of a file's name, in characters.
const MAX_NAME: usize = 150;
/// Files whose refusal is told one by one.
const MAX_TOLD: usize = 20;

/// A form and its files as they arrived.
pub(super) struct FormWithFiles {
    /// The text fields.
    pub fields: Vec<(String, String)>,
    files: Vec<PostedFile>,
    /// Files that were refused while they arrived.
    refused: Vec<Refused>,
    /// Why the form is not complete.
    pub fault: Option<MultipartError>,
}

struct PostedFile {
    name: String,
    media_type: String,
    incoming: Incoming,
}

/// A file that is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// What its sender calls it.
    pub name: String,
    /// Why, for people.
    pub reason: String,
}

/// Reads a form with files. If the body ends early, the form is complete as soon as its first file
/// has begun: the text fields come before.
pub(super) async fn read_form_with_files(
    app: &App,
    headers: &HeaderMap,
    body: Body,
    boundary: &str,
) -> FormWithFiles {
    let silence = Duration::from_secs(app.files.config().silence_seconds.into());
    let mut body = UploadBody::new(body, headers, silence);
    let mut form = FormWithFiles {
        fields: Vec::new(),
        files: Vec::new(),
        refused: Vec::new(),
        fault: None,
    };
    let mut multipart = Multipart::new(&mut body, boundary);
    let result = form.read_parts(app, &mut multipart).await;
    form.fault = result.err();
    form
}

impl FormWithFiles {
    async fn read_parts(
        &mut self,
        app: &App,
        multipart: &mut Multipart<'_>,
    ) -> Result<(), MultipartError> {
        let (mut length, mut has_file) = (0, false);
        loop {
            let part = match multipart.next_part().await {
                Ok(Some(part)) => part,
                Err(error) if !has_file => return Err(error),
                Ok(None) | Err(_) => return Ok(()),
            };
            if part.file_name.is_some() {
                has_file = true;
                self.read_file(app, multipart, part).await;
                continue;
            }
            let text = multipart.text(MAX_BODY_BYTES - length).await?;
            length += text.len() + part.name.len();
            if length > MAX_BODY_BYTES {
                return Err(MultipartError::FieldTooLong);
            }
            self.fields.push((part.name, text));
        }
    }

    /// Receives a file. One that is refused is read to its end and dropped.
    async fn read_file(&mut self, app: &App, multipart: &mut Multipart<'_>, part: Part) {
        let name = part.file_name.unwrap_or_default();
        let name: String = name.chars().take(MAX_NAME).collect();
        let mut received = match part.name == FIELD && self.files.len() < MAX_QUOTE_FILES as usize {
            true => app.files.receive(0, MAX_FILE_BYTES).await,
            false => {
                let message = format!("A request takes at most {MAX_QUOTE_FILES} files");
                Err(Refusal::new(Code::AccessDenied, message).into())
            }
        };
        let mut length = 0;
        loop {
            match multipart.chunk().await {
                Ok(None) => break,
                Ok(Some(bytes)) => {
                    length += bytes.len() as u64;
                    if let Ok(incoming) = &mut received
                        && let Err(error) = incoming.write(bytes).await
                    {
                        received = Err(error);
                    }
                }
                Err(_) => {
                    let message = "It did not arrive whole";
                    received = Err(Refusal::invalid(message).into());
                    break;
                }
            }
            // Enough to tell the sender why; then the connection is closed.
            if length > 2 * MAX_FILE_BYTES {
                break;
            }
        }
        if name.is_empty() && length == 0 {
            // What browsers send for a field without a file.
            return;
        }
        match received {
            Ok(incoming) => self.files.push(PostedFile {
                name,
                media_type: part.content_type.unwrap_or_default(),
                incoming,
            }),
            Err(error) => self.refuse(name, error),
        }
    }

    fn refuse(&mut self, name: String, error: files::Error) {
        if self.refused.len() < MAX_TOLD {
            let reason = reason(error);
            self.refused.push(Refused { name, reason });
        }
    }

    /// Stores the files of the quote `id`; returns those that were refused.
    pub(super) async fn store(mut self, app: &App, id: &str) -> Vec<Refused> {
        let stored = app.store.quote_files(id.to_owned()).await;
        let stored = stored.unwrap_or_default();
        // A reload sends the same files again.
        let known: BTreeSet<String> = stored
            .iter()
            .filter_map(|object| split_quote_key(&object.name))
            .map(|(_, name)| name.to_owned())
            .collect();
        let mut taken = known.clone();
        for (position, file) in std::mem::take(&mut self.files).into_iter().enumerate() {
            let mut key = key_for(&file.name);
            if known.contains(&key) {
                continue;
            }
            if !taken.insert(key.clone()) {
                key = format!("{}-{key}", position + 1);
                taken.insert(key.clone());
            }
            let target = visitor_target(id, format!("{id}/{key}"));
            let metadata = Map::from_iter([("name".to_owned(), Value::from(file.name.clone()))]);
            let description = Description {
                media_type: file.media_type,
                cache_control: "no-cache".to_owned(),
                metadata: Some(metadata),
            };
            let files = &app.files;
            let result = files
                .finish_upload(file.incoming, target, description)
                .await;
            if let Err(error) = result {
                self.refuse(file.name, error);
            }
        }
        self.refused
    }
}

/// Why a file is not stored, for its sender.
fn reason(error: files::Error) -> String {
    match error {
        files::Error::Refused(refusal) => match refusal.code {
            Code::EntityTooLarge => "It is too large: at most 10 MB, and 50 megapixels".to_owned(),
            Code::InvalidMimeType if refusal.message.contains("image/heic") => {
                "Send the photo as JPEG: we cannot read HEIC".to_owned()
            }
            Code::InvalidMimeType => "We take JPEG, PNG, WebP and PDF files".to_owned(),
            Code::InsufficientStorage => {
                "We cannot take files just now; please email it to us".to_owned()
            }
            _ => refusal.message.into_owned(),
        },
        error => {
            // Logs what an operator has to know.
            drop(ErrorResponse::from(error));
            "We could not store it; please email it to us".to_owned()
        }
    }
}

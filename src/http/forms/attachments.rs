//! Files posted with the quote form without JavaScript (`multipart/form-data`). The fields come
//! first: the request is stored before its first file is received and does not depend on its files.
//! The page lists the refused files with the reasons.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::FormPages;
use crate::request::body::MAX_BODY_BYTES;
use crate::uploads::body::Fault;
use crate::uploads::multipart::{Multipart, MultipartError, PARSER_MEMORY, Part};
use domain::sender::Sender;
use domain::storage::names::{key_for, split_quote_key};
use domain::storage::{MAX_FILE_BYTES, MAX_QUOTE_FILES};
use storage::signing::visitor_target;
use storage::target::Description;
use storage::upload::UPLOAD_MEMORY;
use storage::{Code, Refusal};

/// The name of the file field.
const FIELD: &str = "attachments";
/// Maximum length of a file's name, in characters.
const MAX_NAME: usize = 150;
/// Maximum length of a form with files, in bytes: the maximum number of files, and the text.
pub(crate) const MAX_FORM_BYTES: u64 =
    MAX_QUOTE_FILES as u64 * MAX_FILE_BYTES + MAX_BODY_BYTES as u64;
/// Memory of a form with files while it is received, in bytes.
pub(crate) const FORM_MEMORY: usize = MAX_BODY_BYTES + PARSER_MEMORY + UPLOAD_MEMORY;

/// A file that is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RefusedFile {
    /// The name given by its sender.
    pub name: String,
    /// The reason, for people.
    pub reason: String,
}

/// The refused files with the reasons, as `plan.heic: Send the photo as JPEG.`
pub(crate) fn refusals(refused: &[RefusedFile]) -> String {
    let each = refused.iter();
    let each: Vec<_> = each
        .map(|file| format!("{}: {}.", file.name, file.reason))
        .collect();
    each.join(" ")
}

/// Reads the text fields before the first file into `fields`; returns the part of that file. Fails
/// if the form ends before, or cannot be read; `fields` has what arrived.
pub(crate) async fn read_fields(
    multipart: &mut Multipart<'_>,
    fields: &mut Vec<(String, String)>,
) -> Result<Option<Part>, MultipartError> {
    let mut length = 0;
    while let Some(part) = multipart.next_part().await? {
        if part.file_name.is_some() {
            return Ok(Some(part));
        }
        length += part.overhead + part.name.len();
        let left = MAX_BODY_BYTES.checked_sub(length);
        let left = left.ok_or(MultipartError::FieldTooLong)?;
        let text = multipart.text(left).await?;
        length += text.len();
        fields.push((part.name, text));
    }
    Ok(None)
}

/// Receives and stores the files of the quote `quote_id`, of which `first` has begun; returns the
/// refused ones. A refused file is read to its end and discarded.
pub(crate) async fn receive_files(
    app: &FormPages<'_>,
    sender: Sender,
    quote_id: &str,
    first: Part,
    multipart: &mut Multipart<'_>,
) -> Vec<RefusedFile> {
    multipart.body().end_when_short(&app.files.space);
    let mut files = PostedFiles::new(app, sender, quote_id).await;
    let mut next = Ok(Some(first));
    while let Ok(Some(part)) = next {
        if part.file_name.is_some() {
            files.receive(part, multipart).await;
        }
        next = multipart.next_part().await;
    }
    let more = match next {
        Err(MultipartError::TooManyParts) => Some("There are too many files"),
        Err(MultipartError::Body(Fault::TooLong)) => Some("All files together are too large"),
        _ => None,
    };
    if let Some(reason) = more {
        files.refuse("Other files".to_owned(), reason.to_owned());
    }
    files.refused
}

/// The files of a form, while they are stored.
struct PostedFiles<'a> {
    app: &'a FormPages<'a>,
    quote_id: &'a str,
    sender: Sender,
    /// The names of the files that the quote had before: a reload sends the same files again.
    known: BTreeSet<String>,
    /// The names of the files of this form.
    taken: BTreeSet<String>,
    /// Files of this form, refused or not.
    count: usize,
    refused: Vec<RefusedFile>,
}

impl<'a> PostedFiles<'a> {
    async fn new(app: &'a FormPages<'a>, sender: Sender, quote_id: &'a str) -> Self {
        let stored = app.store.quote_files(quote_id.to_owned()).await;
        let stored = stored.unwrap_or_default();
        let names = stored
            .iter()
            .filter_map(|object| split_quote_key(&object.name));
        Self {
            app,
            quote_id,
            sender,
            known: names.map(|(_, name)| name.to_owned()).collect(),
            taken: BTreeSet::new(),
            count: 0,
            refused: Vec::new(),
        }
    }

    async fn receive(&mut self, part: Part, multipart: &mut Multipart<'_>) {
        let name = part.file_name.as_deref().unwrap_or_default();
        let name: String = name.chars().take(MAX_NAME).collect();
        let first = multipart.chunk().await;
        if name.is_empty() && first == Ok(None) {
            // The part that browsers send for a field without a file.
            return;
        }
        self.count += 1;
        if let Err(error) = self.store(&name, part, first, multipart).await {
            self.refuse(name, reason(error));
        }
    }

    async fn store(
        &mut self,
        name: &str,
        part: Part,
        first: Result<Option<Bytes>, MultipartError>,
        multipart: &mut Multipart<'_>,
    ) -> storage::Result<()> {
        let mut key = key_for(name);
        if self.known.contains(&key) {
            return Ok(());
        }
        if part.name != FIELD {
            return Err(Refusal::invalid("It was sent in a field that takes no files").into());
        }
        if self.taken.contains(&key) {
            key = format!("{}-{key}", self.count);
        }
        let files = &self.app.files;
        let target = visitor_target(self.quote_id, &key);
        let sender = Some(self.sender.clone());
        let (mut incoming, target) = files.begin_upload(target, None, sender.clone()).await?;
        let mut chunk = first;
        while let Some(bytes) = chunk.map_err(incomplete)? {
            incoming.write(bytes).await?;
            chunk = multipart.chunk().await;
        }
        let metadata = Map::from_iter([("name".to_owned(), Value::from(name))]);
        let description = Description {
            media_type: part.content_type.unwrap_or_default(),
            cache_control: "no-cache".to_owned(),
            metadata: Some(metadata),
            sender,
        };
        files.finish_upload(incoming, target, description).await?;
        self.taken.insert(key);
        Ok(())
    }

    fn refuse(&mut self, name: String, reason: String) {
        self.refused.push(RefusedFile { name, reason });
    }
}

/// The refusal of a file whose bytes stopped arriving.
fn incomplete(error: MultipartError) -> Refusal {
    match error {
        MultipartError::Body(Fault::NoSpace) => Code::InsufficientStorage.into(),
        MultipartError::Body(Fault::TooLong) => Code::EntityTooLarge.into(),
        _ => Refusal::invalid("It did not arrive whole"),
    }
}

/// Why a file is not stored, for its sender.
fn reason(error: storage::Error) -> String {
    error.log();
    let storage::Error::Refused(refusal) = error else {
        return "We could not store it; please email it to us".to_owned();
    };
    match refusal.code {
        Code::EntityTooLarge => "It is too large: at most 10 MB, and 50 megapixels".to_owned(),
        Code::InvalidMimeType if refusal.message.contains("image/heic") => {
            "Send the photo as JPEG: we cannot read HEIC".to_owned()
        }
        Code::InvalidMimeType => "We take JPEG, PNG, WebP and PDF files".to_owned(),
        Code::InsufficientStorage => {
            "We cannot take files just now; please email it to us".to_owned()
        }
        _ => refusal.message.into_owned(),
    }
}

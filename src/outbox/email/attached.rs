//! Files that emails carry: read when the email is rendered, so that rows of the outbox stay small.

use std::io;

use lettre::message::header::ContentType;
use lettre::message::{Attachment, SinglePart};
use serde_json::Value;

use super::{EmailRenderer, RenderError};

/// A file of an email, as the event of the email names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AttachedFile {
    pub name: String,
    pub media_type: String,
    pub sha256: String,
}

impl AttachedFile {
    /// The files of an event that go with the email; those with a link do not.
    pub(super) fn all(files: Option<&Value>) -> Vec<Self> {
        let files = files.and_then(Value::as_array);
        let file = |file: &Value| {
            let text = |key: &str| Some(file.get(key)?.as_str()?.to_owned());
            match text("link") {
                Some(_) => None,
                None => Some(Self {
                    name: text("name")?,
                    media_type: text("media_type")?,
                    sha256: text("sha256")?,
                }),
            }
        };
        files.into_iter().flatten().filter_map(file).collect()
    }
}

impl EmailRenderer {
    /// The parts of the files.
    pub(super) async fn attachments(
        &self,
        files: &[AttachedFile],
    ) -> Result<Vec<SinglePart>, RenderError> {
        let mut parts = Vec::new();
        for file in files {
            let bytes = (self.read_file)(file.sha256.clone()).await;
            let bytes = bytes.map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => RenderError::Permanent("a file of it is gone"),
                _ => RenderError::Temporary(store::Error::Busy),
            })?;
            let media_type = ContentType::parse(&file.media_type)
                .or_else(|_| ContentType::parse("application/octet-stream"))
                .map_err(|_| RenderError::Permanent("the type of a file is invalid"))?;
            parts.push(Attachment::new(file.name.clone()).body(bytes, media_type));
        }
        Ok(parts)
    }
}

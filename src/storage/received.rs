//! Files of emails: the email itself, whatever it holds, and its attachments by the rules for files
//! of visitors.

use std::io::Write;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::contents::Hold;
use super::inspecting::inspect;
use super::target::{Description, Right, Target};
use super::{Files, Result, blocking};
use domain::ids;
use domain::sender::Sender;
use domain::storage::MAIL;
use domain::storage::names::key_for;
use store::storage::objects::Object;

/// The media type of an email.
const EMAIL: &str = "message/rfc822";
/// Visitors' pictures are decoded in turns by their networks; those of emails take one.
const TURN: &str = "email";

/// An email whose bytes are stored, and whose row is about to be.
pub struct StoredEmail {
    pub object: Object,
    _hold: Hold,
}

impl Files {
    /// Stores the bytes of an email as the content of the object `name`. Insert its row before the
    /// result is dropped. Errors: those of the disk; nothing is stored then.
    pub async fn store_email_bytes(&self, bytes: Vec<u8>, name: String) -> Result<StoredEmail> {
        self.create_builtin_buckets(&[MAIL]).await?;
        self.require_space(bytes.len() as u64).await?;
        let contents = self.contents.clone();
        let temporary = blocking(move || {
            let temporary = contents.temporary()?;
            let mut file: &std::fs::File = temporary.file();
            file.write_all(&bytes)?;
            Ok(temporary)
        })
        .await?;
        let (found, temporary) = inspect(temporary, EMAIL.to_owned()).await?;
        let (contents, sha256) = (self.contents.clone(), found.sha256.clone());
        let hold = blocking(move || {
            let hold = contents.hold(&sha256);
            contents.publish(&temporary, &sha256)?;
            Ok(hold)
        })
        .await?;
        let now = self.clock.now();
        Ok(StoredEmail {
            object: Object {
                id: ids::new(now).to_string(),
                bucket_id: MAIL.to_owned(),
                name,
                owner: None,
                version: ids::new(now).to_string(),
                sha256: found.sha256,
                size: found.size,
                media_type: EMAIL.to_owned(),
                cache_control: "no-cache".to_owned(),
                user_metadata: Some(r#"{"name":"message.eml"}"#.to_owned()),
                scan: self.first_scan_state(),
                created_at: now,
                updated_at: now,
            },
            _hold: hold,
        })
    }

    /// Signals the virus scan that files of emails were stored.
    pub fn scan_soon(&self) {
        self.to_scan.notify_one();
    }

    /// Stores an attachment as the object `<folder>/<number>-<name>`, replacing one of an earlier
    /// attempt. Errors: refusals of the file; errors of the disk and the store.
    pub async fn store_attachment(
        &self,
        folder: &str,
        number: usize,
        name: &str,
        media_type: &str,
        bytes: Bytes,
    ) -> Result<Object> {
        let target = Target {
            bucket: MAIL.to_owned(),
            name: format!("{folder}/{number}-{}", key_for(name)),
            upsert: true,
            owner: None,
            right: Right::Received,
            resumable: None,
        };
        let metadata = Map::from_iter([("name".to_owned(), Value::from(name))]);
        let description = Description {
            media_type: media_type.to_owned(),
            cache_control: "no-cache".to_owned(),
            metadata: Some(metadata),
            sender: Some(Sender {
                client: TURN.to_owned(),
                site: None,
            }),
        };
        let (mut incoming, target) = self
            .begin_upload(target, Some(bytes.len() as u64), None)
            .await?;
        incoming.write(bytes).await?;
        self.finish_upload(incoming, target, description).await
    }
}

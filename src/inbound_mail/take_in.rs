//! Reads stored emails and brings them into conversations.

use std::io::Read;

use super::InboundMail;
use super::reading::{AttachedFile, Read as ReadEmail};
use crate::domain::email::received_email::{EmailClass, MessageFile, ReceivedEmail};
use crate::storage::{self, Code};
use crate::store::conversation::received::PendingEmail;
use crate::store::conversation::take_in::Taken;

/// Emails taken in at once.
const BATCH: u32 = 20;
/// Attempts after which an email waits among those without a request, unread.
const MAX_TRIES: u32 = 20;

impl InboundMail {
    /// Takes in all emails that are pending; returns how many. An error is logged, and the email is
    /// tried again.
    pub async fn take_in_pending(&self) -> usize {
        let mut count = 0;
        loop {
            let pending = match self.store.pending_emails(BATCH).await {
                Ok(pending) => pending,
                Err(error) => {
                    error.log_background("received emails could not be read");
                    return count;
                }
            };
            let mut is_any = false;
            for email in pending {
                match self.take_in(&email).await {
                    Ok(()) => {
                        count += 1;
                        is_any = true;
                    }
                    Err(error) => self.failed(&email, &error).await,
                }
            }
            if !is_any {
                return count;
            }
        }
    }

    async fn failed(&self, email: &PendingEmail, error: &anyhow::Error) {
        let id = &email.id;
        tracing::warn!(email = %id, tries = email.tries + 1, "a received email waits: {error:#}");
        match self.store.count_email_try(id.clone(), MAX_TRIES).await {
            Ok(true) => {
                tracing::error!(email = %id, "a received email cannot be read; see Unmatched");
            }
            Ok(false) => {}
            Err(error) => error.log_background("an attempt could not be counted"),
        }
    }

    async fn take_in(&self, pending: &PendingEmail) -> anyhow::Result<()> {
        let read = self.read(pending).await?;
        let files = match read.email.class {
            EmailClass::Report(_) => Vec::new(),
            _ => self.store_files(&pending.id, read.files).await?,
        };
        let (class, now) = (read.email.class.as_str(), self.clock.now());
        let taken = self.take(&pending.id, read.email, files, now).await?;
        match &taken {
            Taken::Attached { reference } => {
                tracing::info!(email = %pending.id, %reference, class, "an email was received");
            }
            Taken::Unmatched => {
                tracing::info!(email = %pending.id, class, "an email belongs to no request");
            }
            Taken::Already => {}
        }
        Ok(())
    }

    async fn take(
        &self,
        id: &str,
        email: ReceivedEmail,
        files: Vec<MessageFile>,
        now: crate::domain::clock::Time,
    ) -> anyhow::Result<Taken> {
        let id = id.to_owned();
        Ok(self.store.take_in_email(id, email, files, now).await?)
    }

    /// Reads the bytes of an email. Fails if they cannot be read from the disk, or the reader
    /// panics.
    async fn read(&self, pending: &PendingEmail) -> anyhow::Result<ReadEmail> {
        let (contents, reader) = (self.files.contents().clone(), self.reader.clone());
        let (sha256, recipient) = (pending.sha256.clone(), pending.recipient.clone());
        let read = tokio::task::spawn_blocking(move || {
            let mut bytes = Vec::new();
            contents.file(&sha256)?.read_to_end(&mut bytes)?;
            std::io::Result::Ok(reader.read(&bytes, recipient.as_deref()))
        });
        Ok(read.await??)
    }

    /// Stores the files of an email; those that the rules refuse are named with the reason, and
    /// remain in the email itself.
    async fn store_files(
        &self,
        id: &str,
        files: Vec<AttachedFile>,
    ) -> anyhow::Result<Vec<MessageFile>> {
        let mut stored = Vec::new();
        for (number, file) in (1..).zip(files) {
            let size = file.bytes.len() as u64;
            let object = self
                .files
                .store_attachment(id, number, &file.name, &file.media_type, file.bytes)
                .await;
            stored.push(match object {
                Ok(object) => MessageFile {
                    name: file.name,
                    key: Some(object.name),
                    size: object.size,
                    refused: None,
                },
                Err(storage::Error::Refused(refusal))
                    if refusal.code != Code::InsufficientStorage =>
                {
                    MessageFile {
                        name: file.name,
                        key: None,
                        size,
                        refused: Some(reason(&refusal)),
                    }
                }
                Err(error) => anyhow::bail!("a file cannot be stored: {error}"),
            });
        }
        Ok(stored)
    }
}

/// Why a file is not stored, for the office.
fn reason(refusal: &storage::Refusal) -> String {
    match refusal.code {
        Code::EntityTooLarge => "too large".to_owned(),
        Code::InvalidMimeType => "not a type that is opened here".to_owned(),
        _ => refusal.message.to_string(),
    }
}

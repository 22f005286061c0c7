//! Reads stored emails and brings them into conversations.

use super::InboundMail;
use super::reading::process::{Extent, ReadError};
use super::reading::{AttachedFile, Read as ReadEmail};
use domain::email::received_email::{EmailClass, MessageFile};
use storage::{self, Code};
use store::conversation::received::PendingEmail;
use store::conversation::take_in::Taken;

impl InboundMail {
    /// Takes in all emails that are pending, those first that were never tried: a hostile one delays
    /// the others by a second. Returns whether none is left that is due. An error is logged, and
    /// the email is tried again.
    pub async fn take_in_pending(&self) -> bool {
        let _turn = self.turn.lock().await;
        loop {
            let email = match self.store.next_email().await {
                Ok(Some(email)) => email,
                Ok(None) => return true,
                Err(error) => {
                    error.log_background("received emails could not be read");
                    return false;
                }
            };
            if let Err(error) = self.try_to_take_in(&email).await {
                tracing::warn!(email = %email.id, "a received email waits: {error:#}");
                if let Err(error) = self.store.email_try_failed(email.id).await {
                    error.log_background("a failed try of a received email is not recorded");
                }
                return false;
            }
        }
    }

    /// Counts a try and makes it. After two that did not come back only the header is read, after a
    /// third nothing. Fails for another reason than the email.
    async fn try_to_take_in(&self, pending: &PendingEmail) -> anyhow::Result<()> {
        let id = pending.id.clone();
        let now = self.clock.now();
        let before = self.store.begin_email(id.clone(), now).await?;
        let extent = match before {
            0 => Extent::Quick,
            1 => Extent::Whole,
            2 => Extent::Header,
            _ => {
                self.store.set_email_aside(id.clone()).await?;
                self.store.email_try_ended(id.clone()).await?;
                tracing::error!(email = %id, "a received email cannot be read; see Unmatched");
                return Ok(());
            }
        };
        match self.take_in(pending, extent).await {
            Ok(()) if extent == Extent::Header => {
                tracing::error!(email = %id, "only the header of an email could be read");
                self.store.email_try_ended(id).await?;
            }
            Ok(()) => self.store.email_read(id).await?,
            Err(error) => match error.downcast_ref::<ReadError>() {
                Some(error @ ReadError::Ended(_)) => {
                    tracing::warn!(email = %id, tries = before + 1, %error);
                    self.store.email_try_ended(id).await?;
                }
                _ => return Err(error),
            },
        }
        Ok(())
    }

    async fn take_in(&self, pending: &PendingEmail, extent: Extent) -> anyhow::Result<()> {
        let read = self.read(pending, extent).await?;
        let files = match read.email.class {
            EmailClass::Report(_) => Vec::new(),
            _ => self.store_files(&pending.id, read.files).await?,
        };
        let (class, now) = (read.email.class.as_str(), self.clock.now());
        let id = pending.id.clone();
        let taken = self.store.take_in_email(id, read.email, files, now).await?;
        match &taken {
            Taken::Attached { reference } => {
                tracing::info!(email = %pending.id, %reference, class, "an email was received");
            }
            Taken::Unmatched { .. } => {
                tracing::info!(email = %pending.id, class, "an email belongs to no request");
            }
            Taken::Already => {}
        }
        Ok(())
    }

    /// Reads the bytes of an email. Fails if they cannot be read from the disk, or the reader ends.
    async fn read(&self, pending: &PendingEmail, extent: Extent) -> anyhow::Result<ReadEmail> {
        let (contents, program) = (self.files.contents.clone(), self.program.clone());
        let (sha256, recipient) = (pending.sha256.clone(), pending.recipient.clone());
        let read = tokio::task::spawn_blocking(move || {
            let email = contents.file(&sha256)?;
            let size = email.metadata()?.len();
            anyhow::Ok(program.read(email, size, recipient, extent)?)
        });
        read.await?
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
            if size == 0 {
                stored.push(MessageFile {
                    name: file.name,
                    key: None,
                    size,
                    refused: Some("it arrived empty".to_owned()),
                });
                continue;
            }
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

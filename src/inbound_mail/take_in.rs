//! Reads stored emails and brings them into conversations.

use super::InboundMail;
use super::lane::Lane;
use super::reading::process::{Extent, ReadError};
use super::reading::{AttachedFile, Read as ReadEmail};
use domain::email::received_email::{EmailClass, MessageFile};
use storage::{self, Code};
use store::conversation::received::PendingEmail;
use store::conversation::take_in::Taken;

impl InboundMail {
    /// Takes in all emails that are pending; returns how many. An error is logged, and the email is
    /// tried again.
    pub async fn take_in_pending(&self) -> usize {
        let (new, _) = self.take_in_lane(Lane::New).await;
        let (again, _) = self.take_in_lane(Lane::Again).await;
        new + again
    }

    /// Takes in the emails of a lane; returns how many, and whether none is left that is due.
    pub(super) async fn take_in_lane(&self, lane: Lane) -> (usize, bool) {
        let mut failed = self.lanes[lane as usize].lock().await;
        if !self.record_failed(&mut failed).await {
            return (0, false);
        }
        let mut count = 0;
        loop {
            let email = match self.store.next_email(lane == Lane::New).await {
                Ok(Some(email)) => email,
                Ok(None) => return (count, true),
                Err(error) => {
                    error.log_background("received emails could not be read");
                    return (count, false);
                }
            };
            match self.try_to_take_in(&email).await {
                Ok(true) => count += 1,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(email = %email.id, "a received email waits: {error:#}");
                    *failed = Some(email.id);
                    self.record_failed(&mut failed).await;
                    return (count, false);
                }
            }
        }
    }

    /// Records that a try failed for another reason than its email: until then the email is not
    /// tried again. Returns whether it is recorded.
    async fn record_failed(&self, failed: &mut Option<String>) -> bool {
        let Some(id) = failed.clone() else {
            return true;
        };
        match self.store.email_try_failed(id).await {
            Ok(()) => {
                *failed = None;
                true
            }
            Err(error) => {
                error.log_background("a failed try of a received email could not be recorded");
                false
            }
        }
    }

    /// Counts a try and makes it. After two that did not come back only the header is read, after a
    /// third nothing. Returns whether the email is taken in; fails for another reason than the
    /// email.
    async fn try_to_take_in(&self, pending: &PendingEmail) -> anyhow::Result<bool> {
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
                return Ok(true);
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
                    return Ok(false);
                }
                _ => return Err(error),
            },
        }
        Ok(true)
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
        let (contents, program) = (self.files.contents().clone(), self.program.clone());
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

//! Receives a file: bytes are written to a temporary file as they arrive, so that memory does not
//! depend on the size. Rights are checked before the first byte (`target`).

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;

use super::contents::temporary::Temporary;
use super::running_uploads::{RunningUpload, too_many_files};
use super::space::Space;
use super::target::{Description, Right, Target};
use super::{Code, Error, Files, Refusal, Result, blocking};
use domain::sender::Sender;
use domain::storage::{MAIL, MAX_FILE_BYTES, MAX_QUOTE_FILES, MAX_RECEIVED_BYTES};
use store::storage::{objects, uploads};

/// Bytes collected before they are written.
const BUFFER_BYTES: usize = 64 * 1024;
/// Memory of one upload, in bytes: a buffer that fills and one that is written.
pub const UPLOAD_MEMORY: usize = 2 * BUFFER_BYTES;

impl Files {
    /// Begins an upload: checks everything that can be checked before the file has arrived.
    /// `announced` is its length, if known; `sender` is counted by the quota.
    ///
    /// # Errors
    /// Refusals of `check_target`, `AccessDenied` if a quote has all its files,
    /// `InsufficientStorage`, also if the quota is used up; store errors.
    pub async fn begin_upload(
        &self,
        target: Target,
        announced: Option<u64>,
        sender: Option<Sender>,
    ) -> Result<(IncomingFile, Target)> {
        if target.bucket == MAIL {
            self.create_builtin_buckets(&[MAIL]).await?;
        }
        let limit = match target.is_received() {
            true => MAX_RECEIVED_BYTES,
            false => MAX_FILE_BYTES,
        };
        let (mut target, limit) = self.check_target(target, sender, limit).await?;
        if let Right::Grant { quote_id, running } = &mut target.right {
            *running = Some(self.start_upload(quote_id).await?);
        }
        let incoming = self
            .receive(announced.unwrap_or(0).min(limit), limit)
            .await?;
        Ok((incoming, target))
    }

    /// Counts a visitor's upload until the result is dropped. Errors: `AccessDenied` if the quote
    /// has all its files.
    pub(super) async fn start_upload(&self, quote_id: &str) -> Result<RunningUpload> {
        let (id, now) = (quote_id.to_owned(), self.clock.now());
        // Read before the upload is counted: an upload that ends in between is counted once too
        // few, and the transaction that stores the file counts again.
        let used = self
            .read(move |conn| Ok(uploads::quote_files(conn, &id, None, now)?))
            .await?;
        let upload = self
            .running_uploads
            .start(quote_id, MAX_QUOTE_FILES.saturating_sub(used));
        upload.ok_or_else(|| too_many_files().into())
    }

    /// Begins to receive a file of up to `limit` bytes; `announced` is its length, or 0.
    async fn receive(&self, announced: u64, limit: u64) -> Result<IncomingFile> {
        self.require_space(announced).await?;
        let contents = self.contents.clone();
        let temporary = blocking(move || Ok(contents.temporary()?)).await?;
        Ok(IncomingFile {
            file: BufferedFile::new(temporary.file().clone(), self.space.clone(), None),
            temporary,
            limit,
            written: 0,
        })
    }

    /// Refuses files if storing `bytes` more would leave less than `files.reserve_mb`.
    pub(super) async fn require_space(&self, bytes: u64) -> Result<()> {
        let space = self.space.clone();
        blocking(move || space.reserve(bytes).map(drop)).await
    }
}

/// A file being received.
pub struct IncomingFile {
    temporary: Temporary,
    file: BufferedFile,
    limit: u64,
    written: u64,
}

impl IncomingFile {
    /// Maximum size of the file, in bytes.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes received so far.
    pub const fn received(&self) -> u64 {
        self.written
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// `EntityTooLarge`; `InsufficientStorage` and other errors of the disk.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.written += bytes.len() as u64;
        if self.written > self.limit {
            return Err(Code::EntityTooLarge.into());
        }
        self.file.push(&bytes).await
    }
}

/// A file that is written in large pieces while there is space.
pub(super) struct BufferedFile {
    pub file: Arc<File>,
    space: Space,
    buffer: Vec<u8>,
    /// Held by file work, which continues after a cancelled request.
    lock: Option<Arc<RunningUpload>>,
}

impl BufferedFile {
    pub(super) fn new(file: Arc<File>, space: Space, lock: Option<Arc<RunningUpload>>) -> Self {
        Self {
            file,
            space,
            buffer: Vec::new(),
            lock,
        }
    }

    pub(super) async fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.buffer.extend_from_slice(bytes);
        match self.buffer.len() >= BUFFER_BYTES {
            true => self.flush(false).await,
            false => Ok(()),
        }
    }

    /// Writes the collected bytes; `durably`, so that they survive a power failure.
    pub(super) async fn flush(&mut self, durably: bool) -> Result<()> {
        let (file, lock) = (self.file.clone(), self.lock.clone());
        let space = self.space.clone();
        let mut buffer = std::mem::take(&mut self.buffer);
        self.buffer = blocking(move || {
            let _lock = lock;
            let _reserved = space.reserve(buffer.len() as u64)?;
            let mut target: &File = &file;
            target.write_all(&buffer)?;
            if durably {
                file.sync_data()?;
            }
            buffer.clear();
            Ok(buffer)
        })
        .await?;
        Ok(())
    }
}

impl Files {
    /// Stores a complete file; returns its object.
    ///
    /// # Errors
    /// Refusals of the file and of the target; errors of the disk and the store. Nothing is stored
    /// then.
    pub async fn finish_upload(
        &self,
        mut incoming: IncomingFile,
        target: Target,
        description: Description,
    ) -> Result<objects::Object> {
        if incoming.written == 0 {
            return Err(empty_file());
        }
        incoming.file.flush(false).await?;
        self.store_file(incoming.temporary, target, description)
            .await
    }
}

pub(super) fn empty_file() -> Error {
    Refusal::invalid("The file is empty").into()
}

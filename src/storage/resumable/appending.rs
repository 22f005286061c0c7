//! Writes the bytes of a resumable upload to its file as they arrive.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;

use crate::resumable::locks::Lock;
use crate::space::Space;
use crate::{Code, Result, blocking};
use store::storage::uploads::ResumableUpload;

/// Bytes collected before they are written.
const BUFFER_BYTES: usize = 64 * 1024;

/// An upload that takes bytes.
pub struct Appending {
    upload: ResumableUpload,
    file: Arc<File>,
    space: Space,
    start: u64,
    offset: u64,
    buffer: Vec<u8>,
    /// Also held by file work, which continues after a cancelled request.
    lock: Arc<Lock>,
}

impl Appending {
    /// An upload with `offset` bytes in `file`.
    pub(crate) fn new(
        upload: ResumableUpload,
        file: File,
        space: Space,
        offset: u64,
        lock: Lock,
    ) -> Self {
        Self {
            upload,
            file: Arc::new(file),
            space,
            start: offset,
            offset,
            buffer: Vec::new(),
            lock: Arc::new(lock),
        }
    }

    /// The upload, the bytes received, and the lock.
    pub(crate) fn into_parts(self) -> (ResumableUpload, u64, Arc<Lock>) {
        (self.upload, self.offset, self.lock)
    }

    /// Bytes that are still missing.
    pub const fn missing(&self) -> u64 {
        self.upload.length - self.offset
    }

    /// The client's `Upload-Metadata`.
    pub fn metadata(&self) -> &str {
        &self.upload.metadata
    }

    /// Writes the next bytes. A request longer than the missing part is refused as a whole. Errors:
    /// `EntityTooLarge`; errors of the disk.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        if bytes.len() as u64 > self.missing() {
            let (file, start, lock) = (self.file.clone(), self.start, self.lock.clone());
            blocking(move || {
                let _lock = lock;
                Ok(file.set_len(start)?)
            })
            .await?;
            return Err(Code::EntityTooLarge.into());
        }
        self.offset += bytes.len() as u64;
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush(false).await?;
        }
        Ok(())
    }

    /// Writes the collected bytes; `durably`, so that they survive a power failure.
    pub(crate) async fn flush(&mut self, durably: bool) -> Result<()> {
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

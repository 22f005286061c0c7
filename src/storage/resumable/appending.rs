//! Writes the bytes of a resumable upload to its file as they arrive.

use std::fs::File;
use std::sync::Arc;

use bytes::Bytes;

use crate::resumable::locks::Lock;
use crate::space::Space;
use crate::upload::BufferedFile;
use crate::{Code, Result, blocking};
use store::storage::uploads::ResumableUpload;

/// An upload that takes bytes.
pub struct Appending {
    upload: ResumableUpload,
    file: BufferedFile,
    start: u64,
    offset: u64,
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
        let lock = Arc::new(lock);
        Self {
            upload,
            file: BufferedFile::new(Arc::new(file), space, Some(lock.clone())),
            start: offset,
            offset,
            lock,
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
            let (file, start, lock) = (self.file.file.clone(), self.start, self.lock.clone());
            blocking(move || {
                let _lock = lock;
                Ok(file.set_len(start)?)
            })
            .await?;
            return Err(Code::EntityTooLarge.into());
        }
        self.offset += bytes.len() as u64;
        self.file.push(&bytes).await
    }

    /// Writes the collected bytes, so that they survive a power failure.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        self.file.flush(true).await
    }
}

//! Writes the bytes of a resumable upload to its file as they arrive.

use std::sync::Arc;

use bytes::Bytes;

use crate::running_uploads::RunningUpload;
use crate::upload::BufferedFile;
use crate::{Code, Result, blocking};
use store::storage::uploads::ResumableUpload;

/// An upload that takes bytes.
pub struct Appending {
    pub(super) upload: ResumableUpload,
    pub(super) file: BufferedFile,
    /// The bytes that had arrived before this request.
    pub(super) start: u64,
    pub(super) offset: u64,
    pub(super) lock: Arc<RunningUpload>,
}

impl Appending {
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

//! Stores an object of any size: sent in parts, and visible once it is complete.

use std::io::{self, Write};
use std::mem;

use object_store::{MultipartUpload, ObjectStoreExt};

use super::Bucket;
use super::error::{Error, Result, failed};

/// Minimum size of a part that services accept, in bytes; the last one may be smaller.
const PART_BYTES: u64 = 5 * 1024 * 1024;
/// Maximum number of parts that services accept: larger objects get larger parts.
const MAX_PARTS: u64 = 10_000;

impl Bucket {
    /// Begins to store under `name` what is written to the result, of `size` bytes at most.
    pub fn upload(&self, name: &str, size: u64) -> Upload {
        let part_bytes = PART_BYTES.max(size.div_ceil(MAX_PARTS));
        Upload {
            bucket: self.clone(),
            name: name.to_owned(),
            buffer: Vec::new(),
            part_bytes: usize::try_from(part_bytes).unwrap_or(usize::MAX),
            parts: None,
            has_failed: false,
        }
    }
}

/// An object that is written from a blocking thread. `finish` stores it; if it is dropped before
/// that, its parts are deleted.
pub struct Upload {
    bucket: Bucket,
    name: String,
    buffer: Vec<u8>,
    part_bytes: usize,
    /// `None` until the first part is sent: a smaller object is stored by one request.
    parts: Option<Box<dyn MultipartUpload>>,
    has_failed: bool,
}

impl Upload {
    /// Sends the buffer as a part.
    fn send_part(&mut self) -> Result<()> {
        let part = mem::take(&mut self.buffer);
        let parts = self.parts.take();
        let (store, path) = (self.bucket.store.clone(), self.bucket.path(&self.name));
        let sent = self.bucket.background.wait(async move {
            let mut parts = match parts {
                Some(parts) => parts,
                None => store.put_multipart(&path).await.map_err(failed)?,
            };
            if let Err(error) = parts.put_part(part.into()).await {
                let _ = parts.abort().await;
                return Err(failed(error));
            }
            Ok(parts)
        });
        self.has_failed = sent.is_err();
        self.parts = Some(sent?);
        Ok(())
    }

    /// Stores the object. Fails if the service fails; nothing is stored then.
    pub fn finish(mut self) -> Result<()> {
        if self.has_failed {
            return Err(Error::Failed("a part was not stored".to_owned()));
        }
        if self.parts.is_none() {
            return self.bucket.put(&self.name, mem::take(&mut self.buffer));
        }
        if !self.buffer.is_empty() {
            self.send_part()?;
        }
        let Some(mut parts) = self.parts.take() else {
            return Ok(());
        };
        self.bucket.background.wait(async move {
            if let Err(error) = parts.complete().await {
                let _ = parts.abort().await;
                return Err(failed(error));
            }
            Ok(())
        })
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len().min(self.part_bytes - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..length]);
        if self.buffer.len() == self.part_bytes {
            self.send_part()?;
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(mut parts) = self.parts.take() {
            self.bucket.background.spawn(async move {
                let _ = parts.abort().await;
            });
        }
    }
}

//! Reads a received file once, for its hash, its size and its type.

use std::fs::File;
use std::io::{Read, Seek};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::contents::temporary::Temporary;
use super::{Result, blocking};
use domain::storage::content_type::{ContentType, Detector};

/// The content of a file.
pub(super) struct Inspected {
    pub(super) sha256: String,
    pub(super) size: u64,
    pub(super) kind: std::result::Result<ContentType, String>,
}

/// Reads a file to its end.
pub(super) async fn inspect(
    temporary: Temporary,
    declared: String,
) -> Result<(Inspected, Temporary)> {
    blocking(move || {
        let inspected = inspect_file(temporary.file(), &declared)?;
        Ok((inspected, temporary))
    })
    .await
}

fn inspect_file(file: &Arc<File>, declared: &str) -> Result<Inspected> {
    let mut file: &File = file;
    file.rewind()?;
    let (mut digest, mut detector, mut size) = (Sha256::new(), Detector::default(), 0);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = file.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        let bytes = &buffer[..length];
        digest.update(bytes);
        detector.update(bytes);
        size += length as u64;
    }
    Ok(Inspected {
        sha256: hex::encode(digest.finalize()),
        size,
        kind: detector.finish(declared),
    })
}

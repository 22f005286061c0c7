//! Parses, verifies and generates key files; their contents are defined by `auth` and `http`.

use std::path::Path;

use anyhow::Result;

use crate::auth::keys;
use crate::http::client_address;
use crate::store::key_files::{self, KeyError, KeyFile, KnownKeys};

/// Checks that the key file in `folder` belongs to the database, which stores `known` about it.
pub(super) fn verify(folder: &Path, file: KeyFile, known: &KnownKeys) -> Result<(), KeyError> {
    key_files::read(folder, file, known, |text| {
        fingerprint(file, text).map(|fingerprint| ((), fingerprint))
    })?;
    Ok(())
}

/// The fingerprint of a key file with the content `text`.
pub(super) fn fingerprint(file: KeyFile, text: &str) -> Result<String> {
    Ok(match file {
        KeyFile::Auth => keys::parse(text)?.1,
        KeyFile::Address => client_address::parse(text)?.1,
    })
}

/// New random content for a key file.
pub(super) fn generate(file: KeyFile) -> Result<String> {
    match file {
        KeyFile::Auth => keys::generate(),
        KeyFile::Address => client_address::generate(),
    }
}

//! Parses, verifies and generates key files; their contents are defined by `auth` and `http`.

use std::path::Path;

use anyhow::Result;

use crate::auth::keys;
use crate::http::address_key;
use crate::store::key_files::{self, KeyError, KeyFile, KnownKeys};

/// Checks that the key file in `folder` belongs to the database, which stores `known` about it.
pub(super) fn verify(folder: &Path, file: KeyFile, known: &KnownKeys) -> Result<(), KeyError> {
    key_files::read(folder, file, known, |text| {
        fingerprint(file, text).map(|fingerprint| ((), fingerprint))
    })?;
    Ok(())
}

pub(super) use crate::app::key_fingerprint as fingerprint;

/// New random content for a key file.
pub(super) fn generate(file: KeyFile) -> Result<String> {
    match file {
        KeyFile::Auth => keys::generate(),
        KeyFile::Address => address_key::generate(),
    }
}

//! Parses, verifies and generates key files; their contents are defined by `auth` and `http`.

use std::path::Path;

use anyhow::Result;

use auth::keys;
use http::request::address_key;
use store::database::key_files;
use store::database::key_files::{KeyError, KeyFile, KnownKeys, ParsedKeys};

/// Checks that the key file in `folder` matches its record `known` in the database.
pub(in crate::cli) fn verify(
    folder: &Path,
    file: KeyFile,
    known: &KnownKeys,
) -> Result<(), KeyError> {
    key_files::read(folder, file, known, |text| {
        fingerprint(file, text).map(|fingerprint| ParsedKeys {
            keys: (),
            fingerprint,
        })
    })?;
    Ok(())
}

pub(in crate::cli) use crate::app::key_fingerprint as fingerprint;

/// New random content for a key file.
pub(in crate::cli) fn generate(file: KeyFile) -> Result<String> {
    match file {
        KeyFile::Auth => keys::generate(),
        KeyFile::Address => address_key::generate(),
    }
}

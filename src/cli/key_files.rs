//! The key files as commands see them: `auth` and `http` know what is in theirs.

use std::path::Path;

use anyhow::Result;

use crate::auth::keys;
use crate::http::client_address;
use crate::store::key_files::{self, KeyError, KeyFile, KnownKeys};

/// Whether the file in `folder` belongs to a database that knows `known` of it; nothing is kept of its keys.
pub(super) fn verify(folder: &Path, file: KeyFile, known: &KnownKeys) -> Result<(), KeyError> {
    key_files::read(folder, file, known, |text| {
        fingerprint(file, text).map(|found| ((), found))
    })?;
    Ok(())
}

/// The fingerprint of a key file's content.
pub(super) fn fingerprint(file: KeyFile, text: &str) -> Result<String> {
    Ok(match file {
        KeyFile::Auth => keys::parse(text)?.1,
        KeyFile::Address => client_address::parse(text)?.1,
    })
}

/// Fresh content for a key file.
pub(super) fn generate(file: KeyFile) -> Result<String> {
    match file {
        KeyFile::Auth => keys::generate(),
        KeyFile::Address => client_address::generate(),
    }
}

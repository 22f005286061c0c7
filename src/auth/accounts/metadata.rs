//! User and app metadata: the size limit and merging.

use crate::error::{AuthError, Result, reject};
use domain::account::Metadata;

/// Maximum size of a user's metadata as JSON text, in bytes.
const METADATA_BYTES: usize = 16 * 1024;

/// Limits the size of user metadata.
pub(crate) fn check_metadata(data: &Metadata) -> Result<()> {
    let length = serde_json::to_string(data).map_or(usize::MAX, |text| text.len());
    if length > METADATA_BYTES {
        return reject(AuthError::validation("The metadata is longer than 16 KiB"));
    }
    Ok(())
}

/// Merges `changes` into `metadata`, key by key; `null` deletes a key.
pub(crate) fn merge_metadata(mut metadata: Metadata, changes: Metadata) -> Metadata {
    for (key, value) in changes {
        if value.is_null() {
            metadata.remove(&key);
        } else {
            metadata.insert(key, value);
        }
    }
    metadata
}

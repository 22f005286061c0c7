//! Locks of resumable uploads: one request at a time writes to each.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::{Code, Result};

/// Uploads to which a request is writing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locks(Arc<Mutex<HashSet<String>>>);

impl Locks {
    /// Whether a request is writing to the upload `id`.
    pub(crate) fn is_taken(&self, id: &str) -> bool {
        self.0.lock().contains(id)
    }

    /// Takes the lock of the upload `id`, until it is dropped. Errors: `UploadLocked`.
    pub(crate) fn take(&self, id: &str) -> Result<Lock> {
        if !self.0.lock().insert(id.to_owned()) {
            return Err(Code::UploadLocked.into());
        }
        Ok(Lock {
            locks: self.clone(),
            id: id.to_owned(),
        })
    }
}

#[derive(Debug)]
pub(crate) struct Lock {
    locks: Locks,
    id: String,
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.locks.0.lock().remove(&self.id);
    }
}

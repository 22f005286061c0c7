//! The requests that are writing: each counts towards the five files of its quote, or excludes any
//! other from its resumable upload.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::error::{Code, Refusal};
use domain::storage::MAX_QUOTE_FILES;

/// The number of requests that are writing in this process, by the quote or by the resumable
/// upload.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningUploads(Arc<Mutex<HashMap<String, u32>>>);

/// One request that is writing. It is counted until it is dropped.
#[derive(Debug)]
pub struct RunningUpload {
    all: RunningUploads,
    id: String,
}

impl RunningUploads {
    /// The number of requests that write to `id`.
    pub(super) fn count(&self, id: &str) -> u32 {
        self.0.lock().get(id).copied().unwrap_or(0)
    }

    /// Counts another one, if there are fewer than `most`.
    pub(super) fn start(&self, id: &str, most: u32) -> Option<RunningUpload> {
        let mut counts = self.0.lock();
        if counts.get(id).copied().unwrap_or(0) >= most {
            return None;
        }
        *counts.entry(id.to_owned()).or_default() += 1;
        Some(RunningUpload {
            all: self.clone(),
            id: id.to_owned(),
        })
    }
}

impl Drop for RunningUpload {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock();
        if let Some(count) = counts.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.id);
            }
        }
    }
}

/// The refusal of a sixth file.
pub(super) fn too_many_files() -> Refusal {
    let message = format!("A request takes at most {MAX_QUOTE_FILES} files");
    Refusal::new(Code::AccessDenied, message)
}

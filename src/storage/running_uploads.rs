//! The running uploads of a quote, which count towards its five files.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::error::{Code, Refusal};
use domain::storage::MAX_QUOTE_FILES;

/// The number of visitors' uploads running in this process, by quote. Resumable ones are rows
/// instead.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningUploads(Arc<Mutex<HashMap<String, u32>>>);

/// One running upload. It is counted until it is dropped.
#[derive(Debug)]
pub struct RunningUpload {
    all: RunningUploads,
    quote_id: String,
}

impl RunningUploads {
    /// The number of running uploads of a quote.
    pub(super) fn count(&self, quote_id: &str) -> u32 {
        self.0.lock().get(quote_id).copied().unwrap_or(0)
    }

    /// Counts another upload, unless the quote has too many with the `used` other files.
    pub(super) fn start(&self, quote_id: &str, used: u32) -> Option<RunningUpload> {
        let mut counts = self.0.lock();
        let count = counts.entry(quote_id.to_owned()).or_default();
        // Dropping the upload below subtracts it again if it is one too many.
        *count += 1;
        let fits = used + *count <= MAX_QUOTE_FILES;
        drop(counts);
        let upload = RunningUpload {
            all: self.clone(),
            quote_id: quote_id.to_owned(),
        };
        fits.then_some(upload)
    }
}

impl Drop for RunningUpload {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock();
        if let Some(count) = counts.get_mut(&self.quote_id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.quote_id);
            }
        }
    }
}

/// The refusal of a sixth file.
pub(super) fn too_many_files() -> Refusal {
    let message = format!("A request takes at most {MAX_QUOTE_FILES} files");
    Refusal::new(Code::AccessDenied, message)
}

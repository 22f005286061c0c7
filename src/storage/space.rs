//! The free space for files: bytes that uploads are about to write are reserved, and
//! `files.reserve_mb` stay free. All functions block.

use std::sync::Arc;

use parking_lot::Mutex;

use super::contents::Contents;
use super::{Code, Result};

/// The space of all uploads. Cheap to clone.
#[derive(Clone)]
pub struct Space {
    contents: Arc<Contents>,
    /// Bytes that stay free.
    reserve: u64,
    /// Reserved bytes.
    in_flight: Arc<Mutex<u64>>,
}

/// Space reserved for bytes until it is dropped.
pub struct Reserved {
    space: Space,
    bytes: u64,
}

impl Space {
    pub(super) fn new(contents: Arc<Contents>, config: &config::Files) -> Self {
        Self {
            contents,
            reserve: u64::from(config.reserve_mb) * 1_000_000,
            in_flight: Arc::default(),
        }
    }

    /// Reserves space for `bytes` until they are written. Errors: `InsufficientStorage`; errors of
    /// the file system.
    pub(super) fn reserve(&self, bytes: u64) -> Result<Reserved> {
        let mut in_flight = self.in_flight.lock();
        let needed = self.reserve.saturating_add(*in_flight);
        if self.contents.free_bytes()? < needed.saturating_add(bytes) {
            return Err(Code::InsufficientStorage.into());
        }
        *in_flight += bytes;
        let space = self.clone();
        Ok(Reserved { space, bytes })
    }

    /// Whether less than the reserve is free.
    pub fn is_short(&self) -> bool {
        let free = self.contents.free_bytes();
        free.is_ok_and(|free| free < self.reserve)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        *self.space.in_flight.lock() -= self.bytes;
    }
}

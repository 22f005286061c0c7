//! Reads the files that emails carry.

use std::io;
use std::sync::Arc;

use futures_util::future::BoxFuture;

/// Reads a stored content by its SHA-256.
pub type FileReader = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<u8>>> + Send + Sync>;

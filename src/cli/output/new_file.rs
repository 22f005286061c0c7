//! A file that a command writes: it gets its name when it is complete, so that what was interrupted
//! is never taken for the whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

use super::stop_signals::stop_signals;

/// Bytes buffered before a write.
const BUFFER: usize = 1 << 16;

/// A file under a temporary name beside its own. It is removed if it is dropped before `finish`.
pub(in crate::cli) struct NewFile {
    out: BufWriter<NamedTempFile>,
    path: PathBuf,
    overwrites: bool,
    stopped: Arc<AtomicBool>,
}

impl NewFile {
    /// Begins the file at `path`, readable by its owner only. Writing fails after Ctrl-C, SIGTERM
    /// or the end of the terminal, so that nothing is left. Fails if there is a file, unless it
    /// `overwrites`, or the folder cannot be written to. Call it within a runtime.
    pub(in crate::cli) fn create(path: &Path, overwrites: bool) -> Result<Self> {
        if !overwrites && path.symlink_metadata().is_ok() {
            bail!("{} exists already", path.display());
        }
        let folder = folder(path);
        let file = NamedTempFile::with_prefix_in(".guardpost-", folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        let (stopped, _) = stop_signals()?;
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, file),
            path: path.to_owned(),
            overwrites,
            stopped,
        })
    }

    /// Gives the file its name, durably. Fails if it cannot be written, or another one has the
    /// name by now.
    pub(in crate::cli) fn finish(self) -> Result<()> {
        let describe = || format!("cannot write {}", self.path.display());
        let file = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        let file = file.with_context(describe)?;
        file.as_file().sync_all().with_context(describe)?;
        let named = match self.overwrites {
            true => file.persist(&self.path),
            false => file.persist_noclobber(&self.path),
        };
        named.map_err(|error| error.error).with_context(describe)?;
        Ok(File::open(folder(&self.path))?.sync_all()?)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stopped.load(Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

//! The access log (`server.access_log`): one line per request, without personal data. It records no
//! client address, no query string and no path outside the site; a path that contains an id is
//! logged as its route template.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::{Context, Result};
/// The value of `server.access_log` that selects standard error.
const STDERR: &str = "stderr";
/// Maximum number of queued lines. Further lines are dropped, so that no request waits for the
/// disk.
const QUEUE_CAPACITY: usize = 10_000;

/// Writes lines on its own thread.
#[derive(Debug)]
pub struct AccessLog {
    lines: SyncSender<Entry>,
    /// The value of `server.access_log`.
    target: String,
}

/// Commands to the thread.
enum Entry {
    Line(String),
    /// The file was renamed: reopen the path.
    Reopened(File),
}

impl AccessLog {
    /// Opens the log at `target`: `stderr`, or a file to append to. `None` for the empty string.
    pub fn open(target: &str) -> Result<Option<Self>> {
        if target.is_empty() {
            return Ok(None);
        }
        let out: Box<dyn Write + Send> = match target {
            STDERR => Box::new(io::stderr()),
            file => Box::new(open_file(file)?),
        };
        let (lines, queue) = sync_channel(QUEUE_CAPACITY);
        thread::Builder::new()
            .name("access log".into())
            .spawn(move || write_lines(&queue, out))?;
        Ok(Some(Self {
            lines,
            target: target.to_owned(),
        }))
    }

    /// Reopens the path after the file was renamed. After an error, lines go into the old file.
    pub fn reopen(&self) -> Result<()> {
        if self.target == STDERR {
            return Ok(());
        }
        let file = open_file(&self.target)?;
        self.lines
            .send(Entry::Reopened(file))
            .context("the thread of the access log has ended")
    }

    /// Writes a line, with its end.
    pub fn write(&self, line: String) {
        let _ = self.lines.try_send(Entry::Line(line));
    }
}

fn open_file(path: &str) -> Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.with_context(|| format!("setting `server.access_log`: cannot write to {path}"))
}

/// Writes all queued lines at once. A full or failing disk loses lines but never stops the server.
fn write_lines(queue: &Receiver<Entry>, mut out: Box<dyn Write + Send>) {
    while let Ok(first) = queue.recv() {
        let mut lines = String::new();
        let queued = queue.try_iter().take(QUEUE_CAPACITY);
        for entry in std::iter::once(first).chain(queued) {
            match entry {
                Entry::Line(line) => lines += &line,
                Entry::Reopened(file) => {
                    let _ = out.write_all(lines.as_bytes());
                    lines.clear();
                    out = Box::new(file);
                }
            }
        }
        let _ = out.write_all(lines.as_bytes());
    }
}

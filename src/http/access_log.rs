//! The access log, where `server.access_log` asks for one: a line for each request, without anything
//! that belongs to a person. No address, no query, no path that is not ours, and of a path with an
//! id only its template.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use poem::http::{Method, StatusCode};

use crate::domain::clock::Time;

/// The name of standard error in `server.access_log`.
const STDERR: &str = "stderr";
/// Lines that may wait for the disk; further ones are left out, so that no request waits for it.
const WAITING: usize = 10_000;

/// Writes lines on a thread of its own.
#[derive(Debug)]
pub struct AccessLog(SyncSender<String>);

/// What is logged of a request.
#[derive(Debug)]
pub struct Entry<'a> {
    /// When it was answered.
    pub now: Time,
    /// Its method.
    pub method: &'a Method,
    /// Its path or, where that may hold an id, the template; `None` where it is not ours.
    pub path: Option<&'a str>,
    /// The answer's status.
    pub status: StatusCode,
    /// The length of the answer's body.
    pub bytes: u64,
    /// How long the answer took to make.
    pub took: Duration,
}

impl AccessLog {
    /// The log that goes to `target`: `stderr` or a file, which is appended to. None for the empty
    /// string.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(target: &str) -> Result<Option<Self>> {
        if target.is_empty() {
            return Ok(None);
        }
        let out: Box<dyn Write + Send> = if target == STDERR {
            Box::new(io::stderr())
        } else {
            let file = OpenOptions::new().create(true).append(true).open(target);
            Box::new(file.with_context(|| {
                format!("setting `server.access_log`: cannot write to {target}")
            })?)
        };
        let (lines, waiting) = sync_channel(WAITING);
        thread::Builder::new()
            .name("access log".into())
            .spawn(move || copy(&waiting, out))?;
        Ok(Some(Self(lines)))
    }

    /// Logs a request.
    pub fn write(&self, entry: &Entry<'_>) {
        let Entry {
            now,
            method,
            path,
            status,
            bytes,
            took,
        } = entry;
        let path = path.unwrap_or("-");
        let (status, millis) = (status.as_u16(), took.as_millis());
        let line = format!("{now} {method} {path} {status} {bytes} {millis}\n");
        let _ = self.0.try_send(line);
    }
}

/// Writes what waits in one piece. A disk that takes nothing costs lines, never the server.
fn copy(waiting: &Receiver<String>, mut out: impl Write) {
    while let Ok(mut lines) = waiting.recv() {
        waiting
            .try_iter()
            .take(WAITING)
            .for_each(|line| lines += &line);
        let _ = out.write_all(lines.as_bytes());
    }
}

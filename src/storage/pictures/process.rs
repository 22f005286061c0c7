//! Decodes pictures in a child process, which is this program with the hidden command
//! `make-picture`.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::child_process::{self, Limits};
use crate::pictures::decoding::{self, MAX_MEMORY, PictureError};
use crate::pictures::{site_picture, writing};
use domain::storage::content_type::ContentType;

/// The name of the hidden command.
pub const COMMAND: &str = "make-picture";
/// What the process may use, whatever the type of the picture. Pages are served first.
const LIMITS: Limits = Limits {
    memory: MAX_MEMORY + SPARE_MEMORY,
    cpu_seconds: 2,
    written: 64 * 1024 * 1024,
    nice: 10,
};
/// How long a picture may take on a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(90);
/// Memory of the process beside that of the picture, in bytes: its input, and what it writes.
const SPARE_MEMORY: u64 = 48 * 1024 * 1024;

/// The work to be done on a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A file of this type is written anew.
    Rewrite(ContentType),
    /// A picture of the public site.
    Site,
}

/// What the process reports, as JSON on standard error.
#[derive(Serialize, Deserialize)]
enum Report {
    Written,
    WrittenAsJpeg,
    TooLarge,
    Invalid,
    /// Why it cannot be used.
    Unfit(String),
    /// What went wrong.
    Failed(String),
    StorageFull,
}

impl From<PictureError> for Report {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::TooLarge | PictureError::Exceeded => Self::TooLarge,
            PictureError::Invalid => Self::Invalid,
            PictureError::Unfit(reason) => Self::Unfit(reason),
            PictureError::Io(error) if error.kind() == ErrorKind::StorageFull => Self::StorageFull,
            PictureError::Io(error) => Self::Failed(error.to_string()),
        }
    }
}

const TASKS: [(&str, Task); 4] = [
    ("jpeg", Task::Rewrite(ContentType::Jpeg)),
    ("png", Task::Rewrite(ContentType::Png)),
    ("webp", Task::Rewrite(ContentType::WebP)),
    ("site", Task::Site),
];

/// Starts the program that decodes.
#[derive(Clone, Debug)]
pub struct PictureProgram {
    program: PathBuf,
    time_limit: Duration,
}

impl PictureProgram {
    pub fn of(program: PathBuf) -> Self {
        Self {
            program,
            time_limit: TIME_LIMIT,
        }
    }

    /// Makes a picture of the file `input` and writes it to the empty file `output`; returns its
    /// type. Blocks.
    pub(crate) fn make(
        &self,
        task: Task,
        mut input: &File,
        output: &File,
    ) -> Result<ContentType, PictureError> {
        let name = TASKS.iter().find(|(_, known)| *known == task);
        let (name, _) = name.ok_or(PictureError::Invalid)?;
        input.rewind()?;
        let child = Command::new(&self.program)
            .args([COMMAND, name])
            .env_clear()
            .stdin(input.try_clone()?)
            .stdout(output.try_clone()?)
            .stderr(Stdio::piped())
            .spawn()?;
        let (status, message) = child_process::wait(child, self.time_limit)?;
        match serde_json::from_str(&message) {
            Ok(Report::Written) => match task {
                Task::Rewrite(kind) => Ok(kind),
                Task::Site => Ok(ContentType::Jpeg),
            },
            Ok(Report::WrittenAsJpeg) => Ok(ContentType::Jpeg),
            Ok(Report::TooLarge) => Err(PictureError::TooLarge),
            Ok(Report::Invalid) => Err(PictureError::Invalid),
            Ok(Report::Unfit(reason)) => Err(PictureError::Unfit(reason)),
            Ok(Report::StorageFull) => Err(io::Error::from(ErrorKind::StorageFull).into()),
            Ok(Report::Failed(why)) => Err(io::Error::other(why).into()),
            Err(_) if child_process::is_killed(status) => Err(PictureError::Exceeded),
            Err(_) => Err(io::Error::other(message).into()),
        }
    }
}

/// Does a task by its name: the picture is read from standard input and written to standard output.
pub fn run(task: &str) -> anyhow::Result<()> {
    let task = TASKS.iter().find(|(name, _)| *name == task);
    let (_, task) = task.context("there is no such task")?;
    let done = LIMITS.apply().map_err(Into::into);
    let report = done.and_then(|()| work(*task)).unwrap_or_else(Into::into);
    eprintln!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn work(task: Task) -> Result<Report, PictureError> {
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    match task {
        Task::Rewrite(kind) => {
            let decoded = decoding::decode(&bytes, decoding::format(kind))?;
            drop(bytes);
            match writing::write(decoded, kind, &input, &output)? == kind {
                true => Ok(Report::Written),
                false => Ok(Report::WrittenAsJpeg),
            }
        }
        Task::Site => {
            output.write_all(&site_picture::make(&bytes)?)?;
            Ok(Report::Written)
        }
    }
}

//! Decodes pictures in a child process, which is this program with the hidden command
//! `make-picture`.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::child_process::{self, Limits};
use crate::pictures::decoding;
use crate::pictures::decoding::{MAX_MEMORY, PictureError};
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

/// What is to be made of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A file of this type is written anew.
    Rewrite(ContentType),
    /// A picture of the public site.
    Site,
}

/// What the process reports, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Outcome {
    Written = 0,
    WrittenAsJpeg = 10,
    TooLarge = 11,
    Invalid = 12,
    /// The reason is on standard error.
    Unfit = 13,
    /// As `Unfit`.
    Failed = 14,
    StorageFull = 15,
}

const OUTCOMES: [Outcome; 7] = [
    Outcome::Written,
    Outcome::WrittenAsJpeg,
    Outcome::TooLarge,
    Outcome::Invalid,
    Outcome::Unfit,
    Outcome::Failed,
    Outcome::StorageFull,
];

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
        let outcome = OUTCOMES.iter().find(|outcome| {
            let code = **outcome as u8;
            status.code() == Some(code.into())
        });
        match outcome {
            Some(Outcome::Written) => match task {
                Task::Rewrite(kind) => Ok(kind),
                Task::Site => Ok(ContentType::Jpeg),
            },
            Some(Outcome::WrittenAsJpeg) => Ok(ContentType::Jpeg),
            Some(Outcome::TooLarge) => Err(PictureError::TooLarge),
            Some(Outcome::Invalid) => Err(PictureError::Invalid),
            Some(Outcome::Unfit) => Err(PictureError::Unfit(message.into())),
            Some(Outcome::StorageFull) => Err(io::Error::from(io::ErrorKind::StorageFull).into()),
            None if child_process::is_killed(status) => Err(PictureError::Exceeded),
            Some(Outcome::Failed) | None => Err(io::Error::other(message).into()),
        }
    }
}

/// Does a task by its name: the picture is read from standard input and written to standard output.
/// Returns the exit code.
pub fn run(task: &str) -> u8 {
    let outcome = match TASKS.iter().find(|(name, _)| *name == task) {
        Some((_, task)) => LIMITS
            .apply()
            .map_err(Into::into)
            .and_then(|()| work(*task)),
        None => Err(io::Error::other("there is no such task").into()),
    };
    let outcome = outcome.unwrap_or_else(|error| match error {
        PictureError::TooLarge | PictureError::Exceeded => Outcome::TooLarge,
        PictureError::Invalid => Outcome::Invalid,
        PictureError::Unfit(reason) => {
            eprintln!("{reason}");
            Outcome::Unfit
        }
        PictureError::Io(error) if error.kind() == io::ErrorKind::StorageFull => {
            Outcome::StorageFull
        }
        PictureError::Io(error) => {
            eprintln!("{error}");
            Outcome::Failed
        }
    });
    outcome as u8
}

fn work(task: Task) -> Result<Outcome, PictureError> {
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let mut output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    match task {
        Task::Rewrite(kind) => {
            let decoded = decoding::decode(&bytes, decoding::format(kind))?;
            drop(bytes);
            match writing::write(decoded, kind, &input, &output)? == kind {
                true => Ok(Outcome::Written),
                false => Ok(Outcome::WrittenAsJpeg),
            }
        }
        Task::Site => {
            let made = site_picture::make(&bytes);
            let made = made.map_err(|reason| PictureError::Unfit(reason.0))?;
            output.write_all(&made)?;
            Ok(Outcome::Written)
        }
    }
}

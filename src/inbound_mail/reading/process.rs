//! Reads an email in a child process, which is this program with the hidden command `read-email`.
//! It gets a line with the task and the bytes of the email on its standard input, and writes a line
//! with what it has read, and the bytes of the files.

use std::io::{self, BufRead, Read as _, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{AttachedFile, Read, Reader};
use domain::email::message_id::MessageIds;
use domain::email::received_email::ReceivedEmail;
use domain::email::reply_address::ReplyAddresses;
use storage::child_process::{self, Limits};

/// The name of the hidden command.
pub const COMMAND: &str = "read-email";
/// Memory for each byte of an email: the email itself, a repaired one, its files, their packed
/// form.
const MEMORY_PER_BYTE: u64 = 6;
/// Memory beside that, in bytes.
const SPARE_MEMORY: u64 = 48 * 1024 * 1024;
/// Maximum bytes of the answer for each byte of an email: text of another encoding grows.
const ANSWER_PER_BYTE: u64 = 3;
/// Maximum bytes of the answer beside that.
const SPARE_ANSWER: u64 = 4 * 1024 * 1024;

/// What the reader has to know, as the process gets it. It holds keys.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReaderSettings {
    /// The key of the signed addresses.
    pub address_key: [u8; 32],
    /// The key of our Message-IDs.
    pub message_id_key: [u8; 32],
    /// The address at which the office receives; empty: none.
    pub mailbox: String,
    /// As `Reader::authserv_id`.
    pub authserv_id: String,
    /// As `Reader::own_addresses`.
    pub own_addresses: Vec<String>,
    /// As `Reader::own_names`.
    pub own_names: Vec<String>,
}

impl ReaderSettings {
    /// The reader. Fails if a key has a wrong length.
    pub fn reader(&self) -> Result<Reader, hmac::digest::InvalidLength> {
        Ok(Reader {
            addresses: ReplyAddresses::new(&self.address_key, &self.mailbox)?,
            message_ids: MessageIds::new(&self.message_id_key)?,
            authserv_id: self.authserv_id.clone(),
            own_addresses: self.own_addresses.clone(),
            own_names: self.own_names.clone(),
        })
    }
}

/// How much of an email is read, and what that may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    /// All of it, at once: other emails wait.
    Quick,
    /// All of it, when none is left that was never tried.
    Whole,
    /// The header only.
    Header,
}

impl Extent {
    /// Seconds of processor time. The largest emails of people take a tenth of a second.
    const fn cpu_seconds(self) -> u64 {
        match self {
            Self::Quick => 1,
            // The last try: a debug build takes a second for the largest.
            Self::Header => 5,
            Self::Whole => 20,
        }
    }

    /// How long the process may take. Its processor time ends what computes too long; this ends
    /// what waits for ever. On a busy machine a process waits many times as long as it computes,
    /// and the email is not the cause.
    const fn time_limit(self) -> Duration {
        Duration::from_secs(30 * self.cpu_seconds())
    }

    const fn nice(self) -> i32 {
        match self {
            Self::Quick | Self::Header => 0,
            Self::Whole => 10,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Task {
    settings: ReaderSettings,
    recipient: Option<String>,
    extent: Extent,
    /// Of the email, in bytes.
    size: u64,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    email: ReceivedEmail,
    files: Vec<FileHead>,
}

#[derive(Serialize, Deserialize)]
struct FileHead {
    name: String,
    media_type: String,
    size: usize,
}

/// Why an email was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The process cannot be started; the email is not the cause.
    #[error("the reader of emails cannot be started: {0}")]
    NotStarted(io::Error),
    /// The process did not come back: the email takes too much time or memory, or is its end.
    #[error("the reader of emails ended: {0}")]
    Ended(String),
}

/// Starts the program that reads emails.
#[derive(Clone)]
pub struct EmailProgram {
    program: PathBuf,
    settings: ReaderSettings,
}

impl EmailProgram {
    /// `program` is this one, or a debug build of it.
    pub fn of(program: PathBuf, settings: ReaderSettings) -> Self {
        Self { program, settings }
    }

    /// Reads an email of this size. `recipient` is the address of its envelope, if it is known.
    /// Blocks.
    pub fn read(
        &self,
        mut email: impl io::Read + Send,
        size: u64,
        recipient: Option<String>,
        extent: Extent,
    ) -> Result<Read, ReadError> {
        let task = Task {
            settings: self.settings.clone(),
            recipient,
            extent,
            size,
        };
        let ended = |error: &dyn std::fmt::Display| ReadError::Ended(error.to_string());
        let mut task = serde_json::to_vec(&task).map_err(|error| ended(&error))?;
        task.push(b'\n');
        let mut child = Command::new(&self.program)
            .arg(COMMAND)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(ReadError::NotStarted)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (waited, answer) = std::thread::scope(|scope| {
            // A process that ends early closes its input.
            scope.spawn(move || {
                let mut input = input?;
                let sent = input.write_all(&task);
                sent.and_then(|()| io::copy(&mut email, &mut input)).ok()
            });
            let answer = scope.spawn(move || {
                let mut answer = Vec::new();
                let most = SPARE_ANSWER + ANSWER_PER_BYTE * size;
                let taken = output.map(|output| output.take(most).read_to_end(&mut answer));
                taken.transpose().map(|_| answer)
            });
            let waited = child_process::wait(child, extent.time_limit());
            (waited, answer.join())
        });
        let (status, message) = waited.map_err(|error| ended(&error))?;
        if !status.success() {
            return Err(ReadError::Ended(format!("{status} {message}")));
        }
        let answer = answer.map_err(|_| ended(&"its answer cannot be read"))?;
        let read = answer.and_then(|answer| unpacked(&answer.into()));
        read.map_err(|error| ended(&error))
    }
}

/// The email and its files from the answer of the process.
fn unpacked(answer: &Bytes) -> io::Result<Read> {
    let end = memchr::memchr(b'\n', answer).unwrap_or(answer.len());
    let Answer { email, files } = serde_json::from_slice(&answer[..end])?;
    let mut at = end + 1;
    let mut read = Vec::new();
    for file in files {
        let after = at.checked_add(file.size);
        let after = after.filter(|after| *after <= answer.len());
        let after = after.ok_or(io::ErrorKind::UnexpectedEof)?;
        read.push(AttachedFile {
            name: file.name,
            media_type: file.media_type,
            bytes: answer.slice(at..after),
        });
        at = after;
    }
    Ok(Read { email, files: read })
}

/// Does the task on standard input, within its limits.
///
/// # Errors
/// If the task cannot be read, or the answer cannot be written.
pub fn run() -> anyhow::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    input.read_until(b'\n', &mut line)?;
    let task: Task = serde_json::from_slice(&line)?;
    let limits = Limits {
        memory: SPARE_MEMORY + MEMORY_PER_BYTE * task.size,
        cpu_seconds: task.extent.cpu_seconds(),
        written: 0,
        nice: task.extent.nice(),
    };
    limits.apply()?;
    let mut bytes = Vec::with_capacity(usize::try_from(task.size)?);
    input.take(task.size).read_to_end(&mut bytes)?;
    let reader = task.settings.reader()?;
    let read = match task.extent {
        Extent::Quick | Extent::Whole => reader.read(&bytes, task.recipient.as_deref()),
        Extent::Header => reader.read_header(&bytes, task.recipient.as_deref()),
    };
    let mut output = io::BufWriter::new(io::stdout().lock());
    let heads = read.files.iter().map(|file| FileHead {
        name: file.name.clone(),
        media_type: file.media_type.clone(),
        size: file.bytes.len(),
    });
    let answer = Answer {
        email: read.email,
        files: heads.collect(),
    };
    serde_json::to_writer(&mut output, &answer)?;
    output.write_all(b"\n")?;
    for file in &read.files {
        output.write_all(&file.bytes)?;
    }
    output.flush()?;
    // What the process has read ends with it: to drop it piece by piece would take as long again.
    std::process::exit(0)
}

//! Every name that a command can leave in the data folder, or in a folder of backups, when it is
//! killed: who writes and who removes it, and what others do when they meet it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, flock};

use super::file_permissions::quoted;

/// What a name that is met in the data folder means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The folder is incomplete: no command opens it, `check` calls it a fault, and the operator
    /// empties it.
    Incomplete,
    /// Part of work that did not end: the next `serve` removes it.
    Unfinished,
    /// A copy of the database with all its rows: `check` names it with its age, and an erasure, or
    /// a server after thirty days, removes it.
    Copy,
    /// It belongs to a running process and says nothing after its end.
    Lock,
    /// In a folder of backups: the next backup there removes it.
    UnfinishedBackup,
}

/// A name, or the beginning of one, and the command that writes it.
#[derive(Clone, Copy, Debug)]
pub struct Leftover {
    pub name: &'static str,
    pub written_by: &'static str,
    pub meaning: Meaning,
}

/// The folder in which a restore works.
pub const RESTORING: &str = ".restoring";
/// The copy before a migration until it is complete.
pub const MIGRATION: &str = ".migration-";
/// The restored backup of a proof.
pub const PROOF: &str = ".proof-";
/// The copy of the database for a backup that is sealed, or in a bucket.
pub const SNAPSHOT: &str = ".snapshot-";
/// A key file until it is complete.
pub const KEYS: &str = ".keys-";
/// The file by which it is found out whether the folder can be written.
pub const PROBE: &str = ".probe-";
/// The lock of the running server.
pub const SERVER_LOCK: &str = "server.lock";
/// A backup until it is complete.
pub const PARTIAL_BACKUP: &str = ".partial-";
/// The lock of a running backup.
pub const BACKUP_LOCK: &str = ".lock";

/// All of them. A name that ends with a hyphen is the beginning of others.
pub const LEFTOVERS: [Leftover; 11] = [
    leftover(RESTORING, "restore", Meaning::Incomplete),
    leftover(MIGRATION, "serve", Meaning::Unfinished),
    leftover(PROOF, "serve", Meaning::Unfinished),
    leftover(SNAPSHOT, "backup", Meaning::Unfinished),
    leftover(KEYS, "rotate-keys", Meaning::Unfinished),
    leftover(PROBE, "check", Meaning::Unfinished),
    leftover("guardpost.db.schema-", "serve", Meaning::Copy),
    // The line that goes back to an older program renames the database so, with its log.
    leftover("guardpost.db.newer", "the operator", Meaning::Copy),
    leftover(SERVER_LOCK, "serve", Meaning::Lock),
    leftover(PARTIAL_BACKUP, "backup", Meaning::UnfinishedBackup),
    leftover(BACKUP_LOCK, "backup", Meaning::Lock),
];

const fn leftover(name: &'static str, written_by: &'static str, meaning: Meaning) -> Leftover {
    Leftover {
        name,
        written_by,
        meaning,
    }
}

impl Leftover {
    fn is(&self, name: &str) -> bool {
        match self.name.ends_with('-') || self.meaning == Meaning::Copy {
            true => name.starts_with(self.name),
            false => name == self.name,
        }
    }
}

/// The files and folders of a meaning in `folder`; none if there is no such folder.
fn found(folder: &Path, meaning: Meaning) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut known = LEFTOVERS.iter().filter(|known| known.meaning == meaning);
        if known.any(|known| known.is(&name)) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// Marks a file or folder of a running process as in use: no other removes it. The kernel ends that
/// with the process.
pub fn use_while_open(file: &File) -> io::Result<()> {
    Ok(flock(file, FlockOperation::NonBlockingLockShared)?)
}

fn is_in_use(path: &Path) -> bool {
    let opened = File::open(path);
    opened.is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_err())
}

/// Why the data folder `folder` must not be used, and what to do; `None` if it is complete.
pub fn explain_incomplete(folder: &Path) -> Option<String> {
    let incomplete = found(folder, Meaning::Incomplete).ok()?;
    let (name, path) = (folder.display(), quoted(folder));
    Some(match is_in_use(incomplete.first()?) {
        true => format!("{name} is being restored: wait until that has ended"),
        false => format!(
            "the restore into {name} was interrupted, so the folder is incomplete: type `rm -r \
             {path}`, and restore again"
        ),
    })
}

/// Removes what ended processes have left unfinished in the data folder. Fails if something cannot
/// be removed.
pub fn remove_unfinished(folder: &Path) -> io::Result<()> {
    let unfinished = found(folder, Meaning::Unfinished)?.into_iter();
    for path in unfinished.filter(|path| !is_in_use(path)) {
        match path.is_dir() {
            true => fs::remove_dir_all(&path)?,
            false => fs::remove_file(&path)?,
        }
    }
    Ok(())
}

/// Removes what killed backups have left in a folder of backups. Call it with the lock. Fails if
/// something cannot be removed.
pub fn remove_unfinished_backups(folder: &Path) -> io::Result<()> {
    let unfinished = found(folder, Meaning::UnfinishedBackup)?;
    unfinished.iter().try_for_each(fs::remove_dir_all)
}

/// The copies of the database in the data folder, with the time of their last change.
pub fn copies(folder: &Path) -> io::Result<Vec<(PathBuf, SystemTime)>> {
    let copies = found(folder, Meaning::Copy)?.into_iter();
    let copies = copies.map(|path| Ok((path.clone(), path.metadata()?.modified()?)));
    copies.collect()
}

/// Removes the copies of the database that were last changed before a time, or all; returns how
/// many files there were. Fails if the folder cannot be read, or a copy not removed.
pub fn remove_copies(folder: &Path, before: Option<SystemTime>) -> io::Result<usize> {
    let mut removed = 0;
    for (path, changed_at) in copies(folder)? {
        if before.is_none_or(|before| changed_at < before) {
            fs::remove_file(path)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Writes and removes a file in `folder`. Errors: the error of the system, with its cause.
pub fn probe(folder: &Path) -> io::Result<()> {
    tempfile::NamedTempFile::with_prefix_in(PROBE, folder)?.close()
}

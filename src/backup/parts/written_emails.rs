//! Emails written as files without a mail server: the names in `mail/` contain the time of the
//! email and its id.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use domain::clock::Time;

/// The length of the time in a name, as in `2026-11-22T05-02-40.123Z`.
const TIME: usize = 24;

/// A file in `mail/`.
struct Written {
    path: PathBuf,
    created_at: Option<Time>,
    id: Option<i64>,
}

impl Written {
    fn of(path: PathBuf) -> Option<Self> {
        let name = path.file_name()?.to_str()?.trim_start_matches('.');
        let name = name.trim_end_matches(".part").strip_suffix(".eml")?;
        let (rest, id) = name.rsplit_once('-')?;
        let time = rest.get(..TIME).unwrap_or_default();
        let (day, clock) = time.split_once('T').unwrap_or_default();
        let created_at = Time::parse(&format!("{day}T{}", clock.replace('-', ":")));
        let id = id.parse().ok();
        Some(Self {
            path,
            created_at,
            id,
        })
    }

    /// The addresses in lower case that its header and its text name.
    fn people(&self) -> Result<BTreeSet<String>> {
        match fs::read(&self.path) {
            // A temporary file that was renamed; `written` has its later name too.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeSet::new()),
            read => {
                let read = read.with_context(|| format!("cannot read {}", self.path.display()))?;
                // Long lines are broken.
                let text = String::from_utf8_lossy(&read).replace("=\r\n", "");
                Ok(addresses(&text).collect())
            }
        }
    }
}

/// Strings in a text that may be email addresses, in lower case.
fn addresses(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_border = |c: char| c.is_whitespace() || "<>()[]\"',;:".contains(c);
    let words = text.split(is_border).filter(|word| word.contains('@'));
    words.map(|word| word.trim_end_matches(['.', '!', '?']).to_lowercase())
}

/// The files in `mail/` in the data folder, a temporary one under its later name too; none if there
/// is no such folder.
fn written(data: &Path) -> Result<Vec<Written>> {
    let folder = data.join("mail");
    let describe = || format!("cannot read {}", folder.display());
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(describe),
    };
    let mut paths = BTreeSet::new();
    for entry in entries {
        let path = entry.with_context(describe)?.path();
        // One that is being written has its name soon.
        let name = path.file_name().and_then(|name| name.to_str());
        let final_name = name.and_then(|name| name.strip_prefix('.')?.strip_suffix(".part"));
        paths.extend(final_name.map(|name| folder.join(name)));
        paths.insert(path);
    }
    Ok(paths.into_iter().filter_map(Written::of).collect())
}

/// Removes a file; returns whether it was there.
fn remove(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        // A temporary file that was renamed.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        removed => removed
            .map(|()| true)
            .with_context(|| format!("cannot remove {}", path.display())),
    }
}

/// Removes the files of these emails from `mail/` in the data folder; returns how many there were.
/// Fails if the folder cannot be read, or a file not removed.
pub fn remove_written_emails(data: &Path, ids: &[i64]) -> Result<usize> {
    remove_emails_of(data, ids, &|_| None)
}

/// Removes the files of these emails, and those about a person whose data is erased until a time
/// not before that of the email. Returns how many there were. Fails if the folder cannot be read,
/// or a file not read or removed.
pub fn remove_emails_of(
    data: &Path,
    ids: &[i64],
    erased_until: &dyn Fn(&str) -> Option<Time>,
) -> Result<usize> {
    let mut removed = 0;
    for email in written(data)? {
        let is_named = email.id.is_some_and(|id| ids.contains(&id));
        if is_named || is_about(&email, erased_until)? {
            removed += usize::from(remove(&email.path)?);
        }
    }
    Ok(removed)
}

/// The number of files in `mail/` about the person with this address. Fails if the folder or a file
/// cannot be read.
pub fn count_emails_of(data: &Path, person: &str, until: Time) -> Result<usize> {
    let erased_until = until_for(person, until);
    let mut count = 0;
    for email in written(data)? {
        count += usize::from(is_about(&email, &erased_until)?);
    }
    Ok(count)
}

/// An erasure of one person, for `remove_emails_of`.
pub fn until_for(person: &str, until: Time) -> impl Fn(&str) -> Option<Time> + use<> {
    let person = person.trim().to_lowercase();
    move |address: &str| (address == person).then_some(until)
}

fn is_about(email: &Written, erased_until: &dyn Fn(&str) -> Option<Time>) -> Result<bool> {
    let until = |address: &String| erased_until(address);
    let until = email.people()?.iter().filter_map(until).max();
    Ok(until.is_some_and(|until| email.created_at.is_none_or(|at| at <= until)))
}

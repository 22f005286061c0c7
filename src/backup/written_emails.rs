//! Without a mail server, emails are files in `mail/` whose names end in the id of the email.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

/// Removes the files of these emails from `mail/` in the data folder; returns how many there were.
///
/// # Errors
/// If the folder cannot be read, or a file not removed.
pub fn remove_written_emails(data: &Path, ids: &[i64]) -> Result<usize> {
    let folder = data.join("mail");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", folder.display()));
        }
    };
    let mut removed = 0;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let id = name
            .trim_end_matches(".part")
            .trim_end_matches(".eml")
            .rsplit('-')
            .next();
        let id = id.and_then(|id| id.parse().ok());
        if id.is_some_and(|id| ids.contains(&id)) {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

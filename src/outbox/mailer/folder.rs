//! Writes emails as `.eml` files if no mail server is configured. Writes are atomic; a retry of the
//! same email overwrites its file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use futures_util::future::BoxFuture;

use super::{DeliveryError, Mailer};
use crate::email::Email;

/// Writes emails into a folder.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A mailer that writes into `path`, which is created if missing.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("cannot create the mail folder {}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }
}

impl Mailer for Folder {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let (folder, name) = (self.path.clone(), file_name(email));
        let content = email.message.formatted();
        Box::pin(async move {
            let written = tokio::task::spawn_blocking(move || write(&folder, &name, &content))
                .await
                .unwrap_or_else(|error| Err(io::Error::other(error)));
            written.map_err(|error| DeliveryError {
                down: Some("the mail folder".to_owned()),
                ..DeliveryError::temporary("the mail folder cannot be written", error)
            })
        })
    }

    fn concurrency(&self) -> u32 {
        32
    }
}

/// Sorts by creation time and contains the row's id, so that a retry overwrites the same file.
/// Colons are replaced, because some file systems do not allow them.
fn file_name(email: &Email) -> String {
    let created_at = email.created_at.to_string().replace(':', "-");
    format!("{created_at}-{}-{}.eml", email.kind, email.id)
}

/// Writes beside the file, syncs and renames, and syncs the directory entry before the email counts
/// as sent. What a full disk has left is removed.
fn write(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let temporary = folder.join(format!(".{name}.part"));
    let written = write_file(&temporary, content)
        .and_then(|()| fs::rename(&temporary, folder.join(name)))
        .and_then(|()| File::open(folder)?.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

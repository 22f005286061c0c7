//! Letters as `.eml` files, for a house without a mail server: whole or not there at all, and one file a letter however often it is tried.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use futures_util::future::BoxFuture;

use super::{DeliveryError, Mailer};
use crate::outbox::email::Email;

/// Writes letters into a folder.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A mailer that writes into `path`, which is made where it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the mail folder {}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
        })
    }
}

impl Mailer for Folder {
    fn send<'a>(&'a self, letter: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let (folder, name, content) = (self.path.clone(), name(letter), letter.message.formatted());
        Box::pin(async move {
            let written = tokio::task::spawn_blocking(move || write(&folder, &name, &content))
                .await
                .unwrap_or_else(|error| Err(io::Error::other(error)));
            written.map_err(|error| {
                DeliveryError::temporary("the mail folder cannot be written", error)
            })
        })
    }

    fn at_once(&self) -> u32 {
        32
    }
}

/// Sorts by time and carries the row's id, so that a second try writes over the first. Colons are not for file names.
fn name(letter: &Email) -> String {
    let at = letter.created_at.to_string().replace(':', "-");
    format!("{at}-{}-{}.eml", letter.kind, letter.id)
}

/// On disk before it has its name; the folder's entry on disk before the letter counts as sent. The unfinished file has a name of its own for each letter,
/// so that a process that dies leaves nothing that the next try does not take up.
fn write(folder: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    let unfinished = folder.join(format!(".{name}.part"));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&unfinished, folder.join(name))?;
    File::open(folder)?.sync_all()
}

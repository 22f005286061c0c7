//! Permissions of files with secrets or visitors' data: only their owner may open them.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why a file or folder is not private.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Its metadata or content cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Other users of this host can read or change it.
    #[error(
        "other users of this host can open {} (mode {mode:03o}); run: chmod {wanted:o} {}",
        path.display(),
        quoted(path)
    )]
    Exposed {
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
        /// The recommended permission bits.
        wanted: u32,
    },
}

/// Fails if users other than its owner can open `path`, a file or a folder. Follows symbolic links.
/// Errors: names the path, its mode and the command that fixes it.
pub fn require_private(path: &Path) -> Result<(), AccessError> {
    require(path, |_| 0o077)
}

/// The same for the key of a TLS certificate. If root owns the file, its group may read it:
/// distributions grant servers access to keys that way (`root:ssl-cert`, mode 640), and so do
/// mounted secrets. Errors: names the path, its mode and the command that fixes it.
pub fn require_private_tls_key(path: &Path) -> Result<(), AccessError> {
    require(path, tls_key_bits)
}

fn tls_key_bits(owner: u32) -> u32 {
    if owner == 0 { 0o037 } else { 0o077 }
}

fn require(path: &Path, forbidden: impl FnOnce(u32) -> u32) -> Result<(), AccessError> {
    let found = fs::metadata(path).map_err(|error| AccessError::Unreadable {
        path: path.to_owned(),
        error,
    })?;
    let mode = found.mode() & 0o777;
    if mode & forbidden(found.uid()) == 0 {
        return Ok(());
    }
    Err(AccessError::Exposed {
        path: path.to_owned(),
        mode,
        wanted: if found.is_dir() { 0o700 } else { 0o600 },
    })
}

/// A path, quoted for a shell if needed.
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_may_read_a_tls_key_of_root_only() {
        for (owner, mode, allowed) in [
            (0, 0o600, true),
            (0, 0o640, true),
            (0, 0o440, true),
            (0, 0o660, false),
            (0, 0o644, false),
            (1000, 0o600, true),
            (1000, 0o640, false),
        ] {
            let forbidden = tls_key_bits(owner);
            assert_eq!(mode & forbidden == 0, allowed, "{owner} {mode:o}");
        }
    }

    #[test]
    fn a_path_stays_one_word_of_the_shell() {
        for (path, word) in [
            ("/var/lib/guardpost", "/var/lib/guardpost"),
            ("my data", "'my data'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
        ] {
            assert_eq!(quoted(Path::new(path)), word);
        }
    }
}

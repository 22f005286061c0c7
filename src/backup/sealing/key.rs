//! The key file that seals backups: 32 random bytes in hexadecimal, readable by its owner only.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use domain::ids;
use store::database::disk::file_permissions::require_private;

/// The first word of a key file.
const LABEL: &str = "guardpost-backup-key-1";

/// A key that seals backups.
#[derive(Clone)]
pub struct BackupKey(Hmac<Sha256>);

impl BackupKey {
    /// Reads a key file. Fails if it cannot be read, other users can read it, or it holds no key.
    pub fn read(path: &Path) -> Result<Self> {
        require_private(path)?;
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the backup key {}", path.display()))?;
        let key = text.trim().strip_prefix(LABEL).map(str::trim);
        let Some(Ok(Ok(key))) = key.map(|key| hex::decode(key).map(<[u8; 32]>::try_from)) else {
            bail!("{} holds no backup key", path.display());
        };
        Ok(Self(Hmac::new_from_slice(&key)?))
    }

    /// Writes a new key to `path`, which must not exist. Fails if the file exists or cannot be
    /// written.
    pub fn create(path: &Path) -> Result<()> {
        let mut options = fs::OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let key = hex::encode(ids::random_bytes::<32>());
        let mut file = options
            .write(true)
            .create_new(true)
            .open(path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        writeln!(file, "{LABEL} {key}")?;
        Ok(file.sync_all()?)
    }

    /// Identifies the key without revealing it.
    pub fn id(&self) -> String {
        hex::encode(&self.derive("id", &[])[..8])
    }

    pub(crate) fn derive(&self, purpose: &str, context: &[u8]) -> [u8; 32] {
        self.mac(purpose, context).finalize().into_bytes().into()
    }

    /// The authentication code of a manifest.
    pub(crate) fn manifest_mac(&self, manifest: &[u8]) -> String {
        hex::encode(self.derive("manifest", manifest))
    }

    /// Whether `code` is the authentication code of `manifest`; takes the same time for every wrong
    /// one.
    pub(crate) fn verifies(&self, manifest: &[u8], code: &str) -> bool {
        hex::decode(code)
            .is_ok_and(|code| self.mac("manifest", manifest).verify_slice(&code).is_ok())
    }

    fn mac(&self, purpose: &str, context: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(context);
        mac
    }
}

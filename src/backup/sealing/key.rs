//! The key file that seals backups: an age identity, readable by its owner only.

use std::fs;
use std::io::Write;
use std::path::Path;

use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use anyhow::{Context, Result, bail};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use store::database::disk::file_permissions::require_private;

/// The first word of the key files of older programs.
const OLD_LABEL: &str = "guardpost-backup-key-1";

/// A key that seals backups.
#[derive(Clone)]
pub struct BackupKey {
    /// Opens the parts; its recipient seals them.
    pub(super) identity: Identity,
    /// Authenticates manifests, keyed by the same secret.
    mac: Hmac<Sha256>,
}

impl BackupKey {
    /// Reads a key file. Fails if it cannot be read, other users can read it, or it holds no key.
    pub fn read(path: &Path) -> Result<Self> {
        require_private(path)?;
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the backup key {}", path.display()))?;
        if text.starts_with(OLD_LABEL) {
            bail!(
                "{} is a key of an older guardpost, whose sealed backups the build of November 29, \
                 2026 opens: make a new key with `guardpost backup-key` and back up with it",
                path.display()
            );
        }
        let mut lines = text.lines().map(str::trim);
        let Some(identity) = lines.find_map(|line| line.parse::<Identity>().ok()) else {
            bail!("{} holds no backup key", path.display());
        };
        let mac = Hmac::new_from_slice(identity.to_string().expose_secret().as_bytes())?;
        Ok(Self { identity, mac })
    }

    /// Writes a new key to `path`, which must not exist. Fails if the file exists or cannot be
    /// written.
    pub fn create(path: &Path) -> Result<()> {
        let mut options = fs::OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let identity = Identity::generate();
        let mut file = options
            .write(true)
            .create_new(true)
            .open(path)
            .with_context(|| format!("cannot create {}", path.display()))?;
        writeln!(file, "# public key: {}", identity.to_public())?;
        writeln!(file, "{}", identity.to_string().expose_secret())?;
        Ok(file.sync_all()?)
    }

    /// Identifies the key without revealing it.
    pub fn id(&self) -> String {
        hex::encode(&self.derive("id", &[])[..8])
    }

    fn derive(&self, purpose: &str, context: &[u8]) -> [u8; 32] {
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
        let mut mac = self.mac.clone();
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(context);
        mac
    }
}

//! The files of the folder `acme/` in the data folder: the account with the authority, and the
//! certificate with its key in one file, so that both are replaced at once.

use std::fs::{self, DirBuilder};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use instant_acme::AccountCredentials;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use tokio_rustls::rustls::crypto::CryptoProvider;
use tokio_rustls::rustls::sign::CertifiedKey;

/// The account with the authority at `directory`.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedAccount {
    pub directory: String,
    pub credentials: AccountCredentials,
}

pub(super) fn folder(data: &Path) -> PathBuf {
    data.join("acme")
}

/// The file of the certificate in the data folder.
pub fn certificate_file(data: &Path) -> PathBuf {
    folder_certificate(&folder(data))
}

pub(super) fn folder_certificate(folder: &Path) -> PathBuf {
    folder.join("certificate.pem")
}

/// The account; `None` without a file.
pub(super) fn account(folder: &Path) -> Result<Option<SavedAccount>> {
    let path = folder.join("account.json");
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text,
    };
    let read = || anyhow::Ok(serde_json::from_str(&text?)?);
    let account = read().with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Some(account))
}

/// Writes the account.
pub(super) fn save_account(folder: &Path, account: &SavedAccount) -> Result<()> {
    let text = serde_json::to_string_pretty(account)?;
    Replacement::begin(folder)?.finish("account.json", &text)
}

/// Deletes the account.
pub(super) fn forget_account(folder: &Path) -> Result<()> {
    let path = folder.join("account.json");
    fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))
}

/// A file that will replace another, created before an order that would be wasted without space for
/// it.
pub(super) struct Replacement(NamedTempFile, PathBuf);

impl Replacement {
    /// Creates an empty file that only its owner can open.
    pub(super) fn begin(folder: &Path) -> Result<Self> {
        let create = || -> std::io::Result<NamedTempFile> {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
            NamedTempFile::new_in(folder)
        };
        let file = create().with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(Self(file, folder.to_owned()))
    }

    /// Writes `text` and replaces the file `name` by it. Fails if the disk refuses; the old file
    /// stays.
    pub(super) fn finish(self, name: &str, text: &str) -> Result<()> {
        let Self(mut file, folder) = self;
        let path = folder.join(name);
        let mut write = || -> std::io::Result<()> {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        file.persist(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        // The rename is durable once its folder is.
        let synced = fs::File::open(&folder).and_then(|folder| folder.sync_all());
        synced.with_context(|| format!("cannot write {}", folder.display()))
    }
}

/// The certificate chain and the key in `pem`. Fails if one is missing, or they do not fit.
pub(super) fn certified(pem: &str) -> Result<CertifiedKey> {
    let certified = uncompared(pem)?;
    certified
        .keys_match()
        .context("certificate and key do not fit")?;
    Ok(certified)
}

/// The same without checking that they fit: the certificate of a challenge has an extension that
/// the check does not recognize. Fails if one is missing.
pub(super) fn uncompared(pem: &str) -> Result<CertifiedKey> {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<Result<_, _>>()
        .context("it has no certificate")?;
    let key = PrivateKeyDer::from_pem_slice(pem.as_bytes()).context("it has no key")?;
    let provider = CryptoProvider::get_default().context("no TLS provider was chosen")?;
    let key = provider.key_provider.load_private_key(key);
    Ok(CertifiedKey::new(chain, key.context("its key is unknown")?))
}

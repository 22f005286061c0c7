//! The manifest of a backup: its contents, and the SHA-256 of each part. `SHA256SUMS` beside it
//! covers the manifest itself; `sha256sum -c SHA256SUMS` checks a backup without this program.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::sealing::key::BackupKey;
use crate::sealing::opening::Opening;
use crate::{MANIFEST, Place};
use store::database::schema::VERSION as SCHEMA_VERSION;

/// The version of the layout of a backup.
const FORMAT: u32 = 4;
/// The first one whose sealed parts are age files.
const AGE_FORMAT: u32 = 4;
pub(crate) const SUMS: &str = "SHA256SUMS";
pub(crate) const MAC: &str = "manifest.mac";

/// The contents of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the layout.
    pub format: u32,
    /// Its sequence number in its place: the highest is the newest, regardless of the clock and the
    /// names of folders. 0 in backups of format 1.
    #[serde(default)]
    pub sequence: u64,
    /// When the backup was started, RFC 3339 UTC: it contains everything committed before.
    pub created_at: String,
    /// The version of the program that made it, with commit and date since format 3.
    pub program: String,
    /// Whether it was made by hand: it is kept for seven days, and takes no other's place.
    #[serde(default)]
    pub by_hand: bool,
    /// The schema version of the database.
    pub schema: u32,
    /// The id of the key that seals its parts, if they are sealed.
    pub key: Option<String>,
    /// The number of rows of each table.
    pub counts: BTreeMap<String, u64>,
    /// The files.
    pub parts: Vec<Part>,
}

/// One file of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its path in the data folder; in the backup, `.age` may follow.
    pub name: String,
    /// Bytes of its file in the backup.
    pub bytes: u64,
    /// SHA-256 of these bytes, in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// A manifest without parts.
    pub(crate) fn new(sequence: u64, created_at: String, key: Option<&BackupKey>) -> Self {
        Self {
            format: FORMAT,
            sequence,
            created_at,
            program: domain::program::build().text.to_owned(),
            by_hand: false,
            schema: 0,
            key: key.map(BackupKey::id),
            counts: BTreeMap::new(),
            parts: Vec::new(),
        }
    }

    pub(crate) fn file_name(&self, part: &str) -> String {
        match self.key {
            Some(_) => format!("{part}.age"),
            None => part.to_owned(),
        }
    }

    /// The sort key of the backups of a place, the newest last.
    pub(crate) fn order(&self) -> (u64, &str) {
        (self.sequence, &self.created_at)
    }

    /// Bytes of all parts.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }

    /// Writes its sums, its authentication code if the backup is sealed, and last the manifest.
    pub(crate) fn write(&self, place: &Place, key: Option<&BackupKey>) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        let sums = self.sums(text.as_bytes());
        place.write(SUMS, sums.as_bytes())?;
        if let Some(key) = key {
            let code = key.manifest_mac(text.as_bytes()) + "\n";
            place.write(MAC, code.as_bytes())?;
        }
        place.write(MANIFEST, text.as_bytes())
    }

    /// Reads the manifest of the backup in `place` and checks it against the sums, and against the
    /// key if the backup is sealed. Errors: names the file that is missing or damaged, or why this
    /// program cannot read the backup; `Unsealed` as `Opening` says.
    pub fn read<'a>(place: &Place, opening: impl Into<Opening<'a>>) -> Result<Self> {
        let read = |name: &str| {
            place.read_text(name).with_context(|| {
                format!(
                    "{} cannot be read: it is no complete backup, or it is damaged",
                    place.below(name)
                )
            })
        };
        let (text, sums) = (read(MANIFEST)?, read(SUMS)?);
        let digest = hex::encode(Sha256::digest(text.as_bytes()));
        if !sums.starts_with(&format!("{digest}  {MANIFEST}\n")) {
            bail!("{MANIFEST} or {SUMS} of the backup is damaged: the sums differ");
        }
        let format: serde_json::Value = serde_json::from_str(&text)
            .with_context(|| format!("{MANIFEST} of the backup is damaged"))?;
        if format["format"].as_u64() > Some(FORMAT.into()) {
            bail!("the backup was made by a newer guardpost: install that version");
        }
        let manifest: Self = serde_json::from_str(&text)
            .with_context(|| format!("{MANIFEST} of the backup is damaged"))?;
        if manifest.sums(text.as_bytes()) != sums {
            bail!("{SUMS} of the backup is damaged: it differs from {MANIFEST}");
        }
        manifest.check_key(place, opening.into(), &text)?;
        if manifest.schema > SCHEMA_VERSION {
            bail!(
                "the backup was made by guardpost {} (schema {}, this program knows \
                 {SCHEMA_VERSION}): install that version",
                manifest.program,
                manifest.schema
            );
        }
        if let Some(part) = manifest
            .parts
            .iter()
            .find(|part| !is_inside(Path::new(&part.name)))
        {
            bail!(
                "{MANIFEST} of the backup is damaged: `{}` is no path in it",
                part.name
            );
        }
        Ok(manifest)
    }

    fn check_key(&self, place: &Place, opening: Opening<'_>, text: &str) -> Result<()> {
        let Some(id) = &self.key else {
            return opening.check_unsealed(place);
        };
        if self.format < AGE_FORMAT {
            bail!(
                "the backup was sealed by an older guardpost: {} opens it",
                self.program
            );
        }
        let Some(key) = opening.key else {
            bail!("the backup is sealed: name its key file with --key-file or `backup.key_file`");
        };
        if key.id() != *id {
            bail!(
                "the backup is sealed with another key ({id}; the key file holds {})",
                key.id()
            );
        }
        let code = place.read_text(MAC).unwrap_or_default();
        let is_exact = code.len() == 65 && code.ends_with('\n') && code == code.to_lowercase();
        if !is_exact || !key.verifies(text.as_bytes(), code.trim_end_matches('\n')) {
            bail!("{MAC} of the backup is damaged, or {MANIFEST} was changed");
        }
        Ok(())
    }

    /// The text of `SHA256SUMS`.
    fn sums(&self, manifest: &[u8]) -> String {
        let mut text = format!("{}  {MANIFEST}\n", hex::encode(Sha256::digest(manifest)));
        for part in &self.parts {
            text += &format!("{}  {}\n", part.sha256, self.file_name(&part.name));
        }
        text
    }
}

/// Whether a path stays inside of the folder that it is joined to.
fn is_inside(path: &Path) -> bool {
    path.components().next().is_some()
        && path
            .components()
            .all(|component| matches!(component, Component::Normal(_)))
}

//! Looks for lost files, and reads contents to compare their bytes with their name, which is their
//! SHA-256.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::contents::Contents;
use super::moving::digest;
use super::{Result, blocking};
use domain::clock::{DAY_MS, Time};
use store::Store;
use store::storage::object_contents;

/// Days in which every content is read once.
const DAYS: i64 = 7;

/// The contents that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// No contents are read: only lost ones are looked for.
    Nothing,
    /// The sevenths of the days after the last success until now, and all after a week: what was
    /// found damaged is read again until it is mended.
    Since {
        succeeded_at: Option<Time>,
        now: Time,
    },
    All,
}

impl Share {
    fn contains(self, sha256: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::Since { succeeded_at, now } => {
                let day = |at: Time| at.millis().div_euclid(DAY_MS);
                let days = succeeded_at.map_or(DAYS, |at| day(now) - day(at)).max(1);
                let first = sha256.get(..4).unwrap_or_default();
                let number = i64::from_str_radix(first, 16).unwrap_or(0);
                (day(now) - number).rem_euclid(DAYS) < days
            }
        }
    }
}

/// The result of an examination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// The number of contents that rows name.
    pub contents: usize,
    /// The number of contents that were read.
    pub read: usize,
    /// Contents without bytes.
    pub lost: BTreeSet<String>,
    /// Contents whose bytes are not those of their name.
    pub damaged: BTreeSet<String>,
}

/// Looks for lost contents, and reads those of `share`. Fails if the database or the place of the
/// contents cannot be read.
pub async fn examine(store: &Store, contents: Contents, share: Share) -> Result<Examined> {
    let contents = Arc::new(contents);
    let used = store.read(object_contents::contents).await?;
    let mut found = blocking(move || Ok(contents.examine(&used, share)?)).await?;
    // Some were removed since.
    let used = store.read(object_contents::contents).await?;
    found.lost.retain(|sha256| used.contains(sha256));
    Ok(found)
}

impl Contents {
    fn examine(&self, used: &BTreeSet<String>, share: Share) -> io::Result<Examined> {
        let listed = self.list()?.into_iter();
        let listed: BTreeSet<String> = listed.map(|content| content.name).collect();
        let mut found = Examined {
            contents: used.len(),
            ..Examined::default()
        };
        for sha256 in used {
            if !listed.contains(sha256) && !self.has(sha256)? {
                found.lost.insert(sha256.clone());
            } else if share.contains(sha256) {
                match self.file(sha256).and_then(|mut file| digest(&mut file)) {
                    Ok(digest) if digest == *sha256 => {}
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        found.lost.insert(sha256.clone());
                    }
                    Err(error) if s3::is_failure(&error) => return Err(error),
                    // Other bytes, or a disk that cannot read them.
                    _ => {
                        found.damaged.insert(sha256.clone());
                    }
                }
                found.read += 1;
            }
        }
        Ok(found)
    }
}

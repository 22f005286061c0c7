//! Looks for lost files, and reads contents to compare their bytes with their name, which is their
//! SHA-256.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::contents::Contents;
use super::moving::digest;
use super::{Result, blocking};
use crate::domain::clock::Time;
use crate::store::Store;
use crate::store::storage::object_contents;

/// Days in which the shares of all days contain every file.
const DAYS: i64 = 7;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The contents that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None: only what is lost is looked for.
    Nothing,
    /// A seventh, another one each day.
    OfDay(Time),
    All,
}

impl Share {
    fn contains(self, sha256: &str) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::OfDay(now) => {
                let first = sha256.get(..4).unwrap_or_default();
                let number = i64::from_str_radix(first, 16).unwrap_or(0);
                (number - now.millis().div_euclid(DAY_MS)).rem_euclid(DAYS) == 0
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
        let listed: BTreeSet<String> = listed.map(|content| content.sha256).collect();
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
                    Err(error) if crate::s3::is_failure(&error) => return Err(error),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_content_is_read_once_in_seven_days() {
        let start = Time::parse("2026-11-22T05:02:40Z").unwrap();
        for number in 0..100_u32 {
            let sha256 = format!("{:04x}", number * 641);
            let days = (0..7).map(|day| start.plus_millis(day * DAY_MS));
            let read = days.filter(|day| Share::OfDay(*day).contains(&sha256));
            assert_eq!(read.count(), 1, "{sha256}");
        }
    }
}

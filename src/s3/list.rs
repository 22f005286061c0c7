//! Lists what a bucket contains.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::TryStreamExt;
use object_store::ObjectStore;

use super::Bucket;
use super::error::{Result, failed};

/// An object below the prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name below the prefix.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// When it was stored.
    pub written_at: SystemTime,
}

impl Bucket {
    /// Every object below the prefix, in the order of their names.
    pub fn list(&self) -> Result<Vec<Found>> {
        let (store, prefix) = (self.store.clone(), self.prefix.clone());
        let mut found: Vec<Found> = self.background.wait(async move {
            let listed = store.list(Some(&prefix)).map_err(failed);
            let found = listed.try_filter_map(|object| {
                let name = object.location.prefix_match(&prefix).map(|parts| {
                    let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
                    parts.join("/")
                });
                let millis = u64::try_from(object.last_modified.timestamp_millis()).unwrap_or(0);
                let found = name.map(|name| Found {
                    name,
                    size: object.size,
                    written_at: UNIX_EPOCH + Duration::from_millis(millis),
                });
                std::future::ready(Ok(found))
            });
            found.try_collect().await
        })?;
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// The names before the first slash below the prefix.
    pub fn folders(&self) -> Result<Vec<String>> {
        let (store, prefix) = (self.store.clone(), self.prefix.clone());
        self.background.wait(async move {
            let listed = store.list_with_delimiter(Some(&prefix)).await;
            let folders = listed.map_err(failed)?.common_prefixes.into_iter();
            let names = folders.filter_map(|folder| folder.filename().map(ToOwned::to_owned));
            Ok(names.collect())
        })
    }
}

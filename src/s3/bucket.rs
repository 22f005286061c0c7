//! A bucket, or a part of one: its objects by name.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use object_store::ObjectStoreExt;
use object_store::aws::AmazonS3;
use object_store::path::Path;

use super::background::Background;
use super::download::{Download, Reading};
use super::error::{Error, Result, failed};

/// A bucket, or the part of one below a prefix. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    pub(super) store: Arc<AmazonS3>,
    pub(super) name: Arc<str>,
    pub(super) prefix: Path,
    pub(super) background: Arc<Background>,
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", config::SCHEME, self.name)?;
        match self.prefix.as_ref() {
            "" => Ok(()),
            prefix => write!(f, "/{prefix}"),
        }
    }
}

impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bucket({self})")
    }
}

impl Bucket {
    /// The part of the bucket below `name`.
    pub fn below(&self, name: &str) -> Self {
        Self {
            prefix: self.path(name),
            ..self.clone()
        }
    }

    /// The part of the bucket around this one; `None` for the whole bucket.
    pub fn above(&self) -> Option<Self> {
        let parts: Vec<_> = self.prefix.parts().collect();
        let (_, above) = parts.split_last()?;
        Some(Self {
            prefix: above.iter().cloned().collect(),
            ..self.clone()
        })
    }

    pub(super) fn path(&self, name: &str) -> Path {
        self.prefix
            .parts()
            .chain(Path::from(name).parts())
            .collect()
    }

    /// Stores `bytes` under `name`, whole or not at all.
    pub fn put(&self, name: &str, bytes: impl Into<Bytes>) -> Result<()> {
        let (store, path, bytes) = (self.store.clone(), self.path(name), bytes.into());
        self.background.wait(async move {
            store.put(&path, bytes.into()).await.map_err(failed)?;
            Ok(())
        })
    }

    /// All bytes of a small object. Errors: `Missing`; if the service fails.
    pub fn get(&self, name: &str) -> Result<Bytes> {
        let (store, path) = (self.store.clone(), self.path(name));
        self.background
            .wait(async move { Ok(store.get(&path).await?.bytes().await?) })
    }

    /// Opens an object to be read from a blocking thread. Errors: `Missing`; if the service fails.
    pub fn open_object(&self, name: &str) -> Result<Download> {
        let (store, path) = (self.store.clone(), self.path(name));
        let reading = self
            .background
            .wait(async move { Reading::open(store, path, None).await })?;
        Ok(Download {
            reading: Some(reading),
            piece: Bytes::new(),
            background: self.background.clone(),
        })
    }

    /// Opens a part of an object to be read as a stream. Errors: `Missing`; if the service fails.
    pub fn read(&self, name: &str, range: Range<u64>) -> Result<Reading> {
        let (store, path) = (self.store.clone(), self.path(name));
        self.background
            .wait(async move { Reading::open(store, path, Some(range)).await })
    }

    /// Copies the object `name` of `from`, in the same bucket, to the same name here; the service
    /// does it. Errors: `Missing`; if the service fails.
    pub fn copy_from(&self, from: &Self, name: &str) -> Result<()> {
        let (store, from, to) = (self.store.clone(), from.path(name), self.path(name));
        self.background
            .wait(async move { Ok(store.copy(&from, &to).await?) })
    }

    /// Whether there is an object of this name.
    pub fn has(&self, name: &str) -> Result<bool> {
        let (store, path) = (self.store.clone(), self.path(name));
        let found = self.background.wait(async move {
            store.head(&path).await?;
            Ok(())
        });
        match found {
            Ok(()) => Ok(true),
            Err(Error::Missing(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes an object. One that does not exist is no error.
    pub fn delete(&self, name: &str) -> Result<()> {
        let (store, path) = (self.store.clone(), self.path(name));
        let deleted = self
            .background
            .wait(async move { Ok(store.delete(&path).await?) });
        match deleted {
            Err(Error::Missing(_)) => Ok(()),
            result => result,
        }
    }
}

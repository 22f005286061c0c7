//! A client of buckets that speak S3, for stored files and for backups: put, get, list and delete
//! below a prefix.
//!
//! All requests run on a thread of their own, whose connections outlive the thread that asks.
//! Functions that are not `async` block until their request is answered.

mod background;
mod download;
mod upload;

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};

use crate::config::{self, bucket_and_prefix};
use background::Background;
pub use download::{Download, Reading};
pub use upload::Upload;

/// Timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the service may be silent.
const SILENCE: Duration = Duration::from_secs(30);
/// Characters of an error that are shown: the service's own text may be a page.
const MAX_ERROR: usize = 300;

/// How long a request is tried again while the service cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A few seconds: a visitor waits.
    Request,
    /// A few minutes: a backup can wait.
    Job,
}

impl Patience {
    fn retries(self) -> RetryConfig {
        let (max_retries, seconds) = match self {
            Self::Request => (3, 5),
            Self::Job => (10, 180),
        };
        RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries,
            retry_timeout: Duration::from_secs(seconds),
        }
    }
}

/// Why a request failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of this name.
    #[error("{0} does not exist")]
    Missing(String),
    /// The service cannot be reached, or refuses.
    #[error("{0}")]
    Failed(String),
}

/// Result of a request.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        let text = describe(&error);
        match error {
            // The bucket itself is missing.
            _ if text.contains("NoSuchBucket") => Self::Failed("the bucket does not exist".into()),
            object_store::Error::NotFound { path, .. } => Self::Missing(path),
            _ => Self::Failed(text),
        }
    }
}

/// What an error says, and its first cause, such as a certificate that is not trusted.
fn describe(error: &object_store::Error) -> String {
    let text: String = error.to_string().chars().take(MAX_ERROR).collect();
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let cause = cause.to_string();
    match text.contains(&cause) {
        true => text,
        false => format!("{text}: {cause}"),
    }
}

/// The error of a request that names nothing that could be missing but the bucket.
fn failed(error: object_store::Error) -> Error {
    match Error::from(error) {
        Error::Missing(_) => Error::Failed("the bucket does not exist".to_owned()),
        failed => failed,
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Missing(_) => Self::new(io::ErrorKind::NotFound, error),
            Error::Failed(_) => Self::other(error),
        }
    }
}

/// Whether an error of the operating system is one of the service.
pub fn is_failure(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(Error::Failed(_)))
}

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

/// A bucket, or the part of one below a prefix. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    store: Arc<AmazonS3>,
    name: Arc<str>,
    prefix: Path,
    background: Arc<Background>,
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
    /// The bucket of `address`, as in `s3://bucket/prefix`. Nothing is requested.
    ///
    /// # Errors
    /// If the address is none, or the access key is missing or cannot be read.
    pub fn open(settings: &config::S3, address: &str, patience: Patience) -> anyhow::Result<Self> {
        let (name, prefix) = bucket_and_prefix(address)?;
        let secret = settings.secret()?;
        if settings.access_key_id.is_empty() || secret.is_empty() {
            bail!(
                "{address} needs an access key: set `s3.access_key_id`, and \
                 GUARDPOST_S3__SECRET_ACCESS_KEY or `s3.secret_access_key_file`"
            );
        }
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_read_timeout(SILENCE)
            .with_allow_http(settings.endpoint.starts_with("http://"));
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(name)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key_id)
            .with_secret_access_key(secret.reveal())
            .with_client_options(options)
            .with_retry(patience.retries())
            // Not every service deletes many objects at once.
            .with_disable_bulk_delete(true);
        if !settings.endpoint.is_empty() {
            builder = builder.with_endpoint(&settings.endpoint);
        }
        let store = builder
            .build()
            .with_context(|| format!("the client of {address}"))?;
        Ok(Self {
            store: Arc::new(store),
            name: name.into(),
            prefix: Path::from(prefix),
            background: Arc::new(Background::start()?),
        })
    }

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

    fn path(&self, name: &str) -> Path {
        self.prefix
            .parts()
            .chain(Path::from(name).parts())
            .collect()
    }

    /// Stores `bytes` under `name`, whole or not at all.
    ///
    /// # Errors
    /// If the service fails.
    pub fn put(&self, name: &str, bytes: impl Into<Bytes>) -> Result<()> {
        let (store, path, bytes) = (self.store.clone(), self.path(name), bytes.into());
        self.background.wait(async move {
            store.put(&path, bytes.into()).await.map_err(failed)?;
            Ok(())
        })
    }

    /// Begins to store under `name` what is written to the result, of `size` bytes at most.
    pub fn upload(&self, name: &str, size: u64) -> Upload {
        Upload::new(
            self.store.clone(),
            self.path(name),
            self.background.clone(),
            size,
        )
    }

    /// All bytes of a small object.
    ///
    /// # Errors
    /// `Missing`; if the service fails.
    pub fn get(&self, name: &str) -> Result<Bytes> {
        let (store, path) = (self.store.clone(), self.path(name));
        self.background
            .wait(async move { Ok(store.get(&path).await?.bytes().await?) })
    }

    /// Opens an object to be read from a blocking thread.
    ///
    /// # Errors
    /// `Missing`; if the service fails.
    pub fn open_object(&self, name: &str) -> Result<Download> {
        let (store, path) = (self.store.clone(), self.path(name));
        let reading = self
            .background
            .wait(async move { Reading::open(store, path, None).await })?;
        Ok(Download::new(reading, self.background.clone()))
    }

    /// Opens a part of an object to be read as a stream.
    ///
    /// # Errors
    /// `Missing`; if the service fails.
    pub fn read(&self, name: &str, range: Range<u64>) -> Result<Reading> {
        let (store, path) = (self.store.clone(), self.path(name));
        self.background
            .wait(async move { Reading::open(store, path, Some(range)).await })
    }

    /// Whether there is an object of this name.
    ///
    /// # Errors
    /// If the service fails.
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

    /// Every object below the prefix, in the order of their names.
    ///
    /// # Errors
    /// If the service fails.
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
    ///
    /// # Errors
    /// If the service fails.
    pub fn folders(&self) -> Result<Vec<String>> {
        let (store, prefix) = (self.store.clone(), self.prefix.clone());
        self.background.wait(async move {
            let listed = store.list_with_delimiter(Some(&prefix)).await;
            let folders = listed.map_err(failed)?.common_prefixes.into_iter();
            let names = folders.filter_map(|folder| folder.filename().map(ToOwned::to_owned));
            Ok(names.collect())
        })
    }

    /// Deletes an object. One that does not exist is no error.
    ///
    /// # Errors
    /// If the service fails.
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

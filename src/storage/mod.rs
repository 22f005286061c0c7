//! The storage service: buckets, objects and uploads. `contents` keeps bytes in a folder or in a
//! bucket of another machine, `store` keeps the rows, and the rules of the contract are here. A
//! rule checks first and writes last: what it wrote before a refusal is stored
//! (`Store::write_rule`). Nothing here depends on HTTP.
//!
//! Files are stored in this order: temporary file, checks, fsync, rename, fsync of the folder (or
//! put into the bucket), row, answer. A crash at any point leaves a file whole or absent.

pub mod access;
pub mod appending;
pub mod buckets;
pub mod clamd;
pub mod contents;
pub mod error;
mod folder;
pub mod grants;
pub mod listing;
pub mod objects;
mod picture;
mod picture_writer;
pub mod place;
pub mod resumable;
mod running_uploads;
pub mod scan;
pub mod signing;
pub mod site_picture;
pub mod space;
pub mod storing;
pub mod sweep;
pub mod target;
mod token;
pub mod upload;
mod upload_locks;

use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};

use crate::config;
use crate::domain::clock::Clock;
use crate::domain::sealing::SealingKey;
use crate::store;
use crate::store::{Connection, Store};

use clamd::Address;
use contents::Contents;
pub use error::{Code, Error, Refusal, Result};
use running_uploads::RunningUploads;
use site_picture::Unfit;
use space::Space;
use upload_locks::Locks;

/// How many contents are sent to a bucket at once.
const PUBLICATIONS_TO_A_BUCKET: usize = 4;

/// The storage service. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    store: Store,
    clock: Clock,
    config: Arc<config::Files>,
    contents: Arc<Contents>,
    /// The free space that uploads may take.
    space: Space,
    key: SealingKey,
    /// How many contents are stored at once: with a bucket, each takes the memory of a part.
    publications: Arc<Semaphore>,
    /// Pictures are decoded one at a time, because each takes much memory.
    pictures: Arc<Semaphore>,
    running_uploads: RunningUploads,
    locks: Locks,
    /// The virus scanner, if there is one.
    scanner: Option<Address>,
    /// Tells the scanning task that a file was stored.
    to_scan: Arc<Notify>,
}

impl Files {
    /// Opens the service on `contents`, and creates the built-in buckets. `key` seals tokens.
    pub async fn open(
        store: Store,
        clock: Clock,
        config: config::Files,
        contents: Contents,
        key: SealingKey,
    ) -> store::Result<Self> {
        let contents = Arc::new(contents);
        let files = Self {
            space: Space::new(contents.clone(), &config),
            contents,
            publications: Arc::new(Semaphore::new(match config.to.is_empty() {
                true => Semaphore::MAX_PERMITS,
                false => PUBLICATIONS_TO_A_BUCKET,
            })),
            pictures: Arc::new(Semaphore::new(1)),
            running_uploads: RunningUploads::default(),
            locks: Locks::default(),
            scanner: Address::parse(&config.clamd),
            to_scan: Arc::default(),
            config: Arc::new(config),
            store,
            clock,
            key,
        };
        files.create_builtin_buckets().await?;
        Ok(files)
    }

    /// The settings.
    pub fn config(&self) -> &config::Files {
        &self.config
    }

    /// The bytes on disk.
    pub fn contents(&self) -> &Arc<Contents> {
        &self.contents
    }

    /// The free space that uploads may take.
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// A picture for the public site, made of `bytes`; one at a time, as all pictures.
    ///
    /// # Errors
    /// If the work ends early. The inner error says why the picture is not taken.
    pub async fn site_picture(&self, bytes: Vec<u8>) -> Result<Result<Vec<u8>, Unfit>> {
        let permit = self.pictures.clone().acquire_owned().await;
        blocking(move || {
            let _permit = permit;
            Ok(site_picture::make(&bytes))
        })
        .await
    }

    /// `Store::write_rule` with the errors of this service.
    async fn write<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store.write_rule(rule).await
    }

    /// `Store::read_rule` with the errors of this service.
    async fn read<T, F>(&self, rule: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T> + Send + 'static,
    {
        self.store.read_rule(rule).await
    }
}

/// Runs file work on a blocking thread.
async fn blocking<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => Err(Error::Internal("file work panicked")),
        Err(_) => Err(Error::Store(store::Error::Busy)),
    }
}

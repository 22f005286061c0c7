//! The storage service: buckets, objects and uploads. `contents` keeps bytes in a folder or in a
//! bucket of another machine, `store` keeps the rows, and the rules of the contract are here. A
//! rule checks first and writes last: rows written before a refusal are stored
//! (`Store::write_rule`). Nothing here depends on HTTP.
//!
//! Files are stored in this order: temporary file, checks, fsync, rename, fsync of the folder (or
//! put into the bucket), row, answer. A crash at any point leaves a file whole or absent.

pub mod access;
pub mod buckets;
pub mod child_process;
pub mod contents;
pub mod error;
pub mod examination;
mod inspecting;
pub mod listing;
pub mod moving;
pub mod objects;
pub mod pictures;
mod quota;
pub mod received;
pub mod resumable;
mod running_uploads;
pub mod scan;
pub mod signing;
pub mod space;
pub mod storing;
pub mod sweep;
pub mod target;
mod token;
pub mod upload;

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::sync::Arc;

use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinError;

use domain::clock::Clock;
use domain::sealing::SealingKey;
use domain::storage::{PUBLIC, QUOTES};
use store::{Connection, Store};

use crate::pictures::decoding::PictureError;
use crate::pictures::process::{PictureProgram, Task};
use crate::pictures::turns::Turns;
use contents::Contents;
pub use error::{Code, Error, Refusal, Result};
use quota::Quota;
use running_uploads::RunningUploads;
use scan::clamd::Address;
use space::Space;

/// Maximum number of contents sent to a bucket at once.
const PUBLICATIONS_TO_A_BUCKET: usize = 4;

/// The storage service. Cheap to clone.
#[derive(Clone)]
pub struct Files {
    store: Store,
    clock: Clock,
    /// The settings.
    pub config: Arc<config::Files>,
    /// The bytes on disk.
    pub contents: Arc<Contents>,
    /// The free space that uploads may take.
    pub space: Space,
    /// The bytes that visitors may send on a day.
    quota: Quota,
    key: SealingKey,
    /// Maximum number of contents stored at once: with a bucket, each takes the memory of a part.
    publications: Arc<Semaphore>,
    /// Decodes pictures.
    pictures: PictureProgram,
    /// Pictures are decoded one at a time, because each takes much memory.
    turns: Turns,
    running_uploads: RunningUploads,
    /// The requests that write to resumable uploads, one at a time to each.
    writing: RunningUploads,
    /// The virus scanner, if there is one.
    scanner: Option<Address>,
    /// Signals the scanning task that a file was stored.
    to_scan: Arc<Notify>,
}

impl Files {
    /// Opens the service on `contents`, and creates the built-in buckets. `key` seals tokens,
    /// `pictures` decodes pictures.
    pub async fn open(
        store: Store,
        clock: Clock,
        config: config::Files,
        contents: Contents,
        key: SealingKey,
        pictures: PictureProgram,
    ) -> store::Result<Self> {
        let contents = Arc::new(contents);
        let files = Self {
            space: Space::new(contents.clone(), &config),
            quota: Quota::of(&config),
            contents,
            publications: Arc::new(Semaphore::new(match config.to.is_empty() {
                true => Semaphore::MAX_PERMITS,
                false => PUBLICATIONS_TO_A_BUCKET,
            })),
            pictures,
            turns: Turns::default(),
            running_uploads: RunningUploads::default(),
            writing: RunningUploads::default(),
            scanner: Address::parse(&config.clamd),
            to_scan: Arc::default(),
            config: Arc::new(config),
            store,
            clock,
            key,
        };
        files.create_builtin_buckets(&[QUOTES, PUBLIC]).await?;
        Ok(files)
    }

    /// A picture for the public site, made of `bytes`; decoded one at a time, like all pictures.
    pub async fn site_picture(&self, bytes: Vec<u8>) -> Result<Result<Vec<u8>, PictureError>> {
        let (contents, program) = (self.contents.clone(), self.pictures.clone());
        let turn = self.turns.wait("site".to_owned()).await;
        blocking(move || {
            let (sent, made) = (contents.temporary()?, contents.temporary()?);
            let mut file: &File = sent.file();
            file.write_all(&bytes)?;
            let result = program.make(Task::Site, sent.file(), made.file());
            drop(turn);
            match result {
                Ok(_) => {
                    let (mut file, mut bytes): (&File, _) = (made.file(), Vec::new());
                    file.rewind()?;
                    file.read_to_end(&mut bytes)?;
                    Ok(Ok(bytes))
                }
                Err(PictureError::Io(error)) => Err(error.into()),
                Err(unfit) => Ok(Err(unfit)),
            }
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
    joined(tokio::task::spawn_blocking(work).await)
}

/// The result of work that ran in a separate task.
fn joined<T>(ended: std::result::Result<Result<T>, JoinError>) -> Result<T> {
    match ended {
        Ok(result) => result,
        Err(error) if error.is_panic() => Err(Error::Internal("file work panicked")),
        Err(_) => Err(Error::Store(store::Error::Busy)),
    }
}

//! Resumable uploads (TUS 1.0). The row says what is uploaded, the length of the file how far it
//! is, so that an upload survives a restart.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::sync::Arc;

use rusqlite::Connection;

use super::appending::Appending;
use super::contents::Temporary;
use super::running_uploads::too_many_files;
use super::token::Token;
use super::upload::{Description, Right, Target, check_target, empty_file};
use super::upload_locks::Lock;
use super::{Code, Error, Files, Result, blocking};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::storage::{MAX_FILE_BYTES, MAX_QUOTE_FILES};
use crate::store;
use crate::store::uploads::{self, ResumableUpload};

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uploader {
    /// An admin.
    Admin {
        /// The admin's user id.
        user_id: String,
    },
    /// The bearer of an upload token or a grant.
    Token(ValidToken),
}

/// A valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidToken(Token);

impl Uploader {
    fn creator(&self) -> String {
        match self {
            Self::Admin { user_id } => format!("admin:{user_id}"),
            Self::Token(ValidToken(token)) => format!("token:{}", token.id),
        }
    }
}

/// How far an upload is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Its row.
    pub upload: ResumableUpload,
    /// Bytes received.
    pub offset: u64,
}

impl Files {
    /// The caller with this token.
    ///
    /// # Errors
    /// `InvalidJwt`, `ExpiredToken`.
    pub fn token_caller(&self, token: &str) -> Result<Uploader> {
        let token = self.unseal(token)?;
        token.check_time(self.clock.now())?;
        Ok(Uploader::Token(ValidToken(token)))
    }

    /// Creates an upload of `length` bytes; returns its row.
    ///
    /// # Errors
    /// The refusals of an upload; errors of the disk and the store.
    pub async fn create_resumable(
        &self,
        caller: &Uploader,
        (bucket, name): (String, String),
        upsert: bool,
        length: u64,
        metadata: String,
    ) -> Result<ResumableUpload> {
        let target = self.resumable_target(caller, bucket, name, upsert)?;
        let (target, limit) = self.check_target(target, MAX_FILE_BYTES).await?;
        if length > limit {
            return Err(Code::EntityTooLarge.into());
        }
        if length == 0 {
            return Err(empty_file());
        }
        self.require_space(length).await?;
        let now = self.clock.now();
        let upload = ResumableUpload {
            id: hex::encode(ids::random_bytes::<16>()),
            creator: caller.creator(),
            quote_id: match &target.right {
                Right::Grant { quote_id, .. } => Some(quote_id.clone()),
                _ => None,
            },
            bucket_id: target.bucket.clone(),
            name: target.name.clone(),
            length,
            upsert: target.upsert,
            owner: target.owner.clone(),
            metadata,
            finished: false,
            expires_at: self.resumable_expiry(now).to_string(),
        };
        let (contents, id) = (self.contents.clone(), upload.id.clone());
        let file = blocking(move || Ok(contents.create_resumable(&id)?)).await?;
        let running = self.running_uploads.clone();
        let upload = self
            .write(move |conn| {
                check_target(conn, &target)?;
                if let Some(quote_id) = &upload.quote_id {
                    let used = uploads::quote_files(conn, quote_id, None, now)?;
                    if used + running.count(quote_id) >= MAX_QUOTE_FILES {
                        return Err(too_many_files().into());
                    }
                }
                uploads::insert(conn, &upload)?;
                Ok(upload)
            })
            .await?;
        file.keep();
        Ok(upload)
    }

    fn resumable_target(
        &self,
        caller: &Uploader,
        bucket: String,
        name: String,
        upsert: bool,
    ) -> Result<Target> {
        match caller {
            Uploader::Admin { user_id } => Ok(Target::by_admin(user_id, bucket, name, upsert)),
            Uploader::Token(ValidToken(token)) => self.target_of(token.clone(), bucket, name),
        }
    }

    fn resumable_expiry(&self, now: Time) -> Time {
        now.plus_seconds(self.config.resumable_seconds.into())
    }

    /// How far an upload is.
    ///
    /// # Errors
    /// `NoSuchUpload`, `AccessDenied`, `UploadExpired`, `UploadLocked`; store errors.
    pub async fn progress(&self, caller: Uploader, id: String) -> Result<Progress> {
        let found = self.progress_of_locked(caller.clone(), id.clone()).await;
        if !matches!(&found, Err(Error::Refused(refusal)) if refusal.code == Code::NoSuchUpload) {
            return found;
        }
        // While an upload is stored, its file is already gone and its row is not yet finished.
        if self.locks.is_taken(&id) {
            return Err(Code::UploadLocked.into());
        }
        self.progress_of_locked(caller, id).await
    }

    /// How far an upload is, of which the caller has the lock.
    async fn progress_of_locked(&self, caller: Uploader, id: String) -> Result<Progress> {
        let now = self.clock.now();
        let upload = self.read(move |conn| find(conn, &caller, &id, now)).await?;
        let contents = self.contents.clone();
        blocking(move || {
            let offset = match upload.finished {
                true => upload.length,
                false => match std::fs::metadata(contents.resumable_path(&upload.id)) {
                    Ok(file) => file.len().min(upload.length),
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        return Err(Code::NoSuchUpload.into());
                    }
                    Err(error) => return Err(error.into()),
                },
            };
            Ok(Progress { upload, offset })
        })
        .await
    }

    /// Begins to write `announced` bytes at `offset`, if the length is known.
    ///
    /// # Errors
    /// `NoSuchUpload`, `AccessDenied`, `UploadExpired`, `UploadLocked`, `OffsetConflict`,
    /// `EntityTooLarge`, `InsufficientStorage`; store errors.
    pub async fn append(
        &self,
        caller: Uploader,
        id: String,
        offset: u64,
        announced: Option<u64>,
    ) -> Result<Appending> {
        let lock = self.locks.take(&id)?;
        let Progress {
            upload,
            offset: reached,
        } = self.progress_of_locked(caller, id).await?;
        if offset != reached || upload.finished {
            return Err(Code::OffsetConflict.into());
        }
        let missing = upload.length - offset;
        if announced.is_some_and(|announced| announced > missing) {
            return Err(Code::EntityTooLarge.into());
        }
        self.require_space(announced.unwrap_or(0)).await?;
        let path = self.contents.resumable_path(&upload.id);
        let file = blocking(move || Ok(OpenOptions::new().append(true).open(path)?)).await?;
        Ok(Appending::new(upload, file, offset, lock))
    }

    /// Ends a request that has written to an upload; with the last byte, the object is stored.
    /// Returns the progress.
    ///
    /// # Errors
    /// Refusals of the file and its target, after which the upload is gone; errors of the disk and
    /// the store.
    pub async fn end_append(
        &self,
        mut appending: Appending,
        description: Description,
    ) -> Result<Progress> {
        let files = self.clone();
        detached(async move {
            appending.flush(true).await?;
            let (mut upload, offset, lock) = appending.into_parts();
            let expires_at = files.resumable_expiry(files.clock.now());
            upload.expires_at = expires_at.to_string();
            let id = upload.id.clone();
            files
                .write(move |conn| Ok(uploads::extend(conn, &id, expires_at)?))
                .await?;
            let progress = Progress { upload, offset };
            files.store_if_whole(progress, description, lock).await
        })
        .await
    }

    /// Stores an upload whose last byte has arrived before a crash. Returns the progress.
    ///
    /// # Errors
    /// Those of `progress` and `end_append`; `UploadLocked`.
    pub async fn complete(
        &self,
        caller: Uploader,
        id: String,
        description: Description,
    ) -> Result<Progress> {
        let lock = Arc::new(self.locks.take(&id)?);
        let progress = self.progress_of_locked(caller, id).await?;
        let files = self.clone();
        detached(async move { files.store_if_whole(progress, description, lock).await }).await
    }

    async fn store_if_whole(
        &self,
        mut progress: Progress,
        description: Description,
        _lock: Arc<Lock>,
    ) -> Result<Progress> {
        let upload = &mut progress.upload;
        if progress.offset == upload.length && !upload.finished {
            let stored = self.finish_resumable(upload, description).await;
            if let Err(error) = stored {
                if !self.can_store_later(&error, &upload.id).await? {
                    self.forget_resumable(upload.id.clone()).await?;
                }
                return Err(error);
            }
            upload.finished = true;
        }
        Ok(progress)
    }

    /// Whether an upload that could not be stored is kept: its client asks for the offset, and it
    /// is stored then.
    async fn can_store_later(&self, error: &Error, id: &str) -> Result<bool> {
        if !matches!(error, Error::Unavailable(_) | Error::Store(_)) {
            return Ok(false);
        }
        let path = self.contents.resumable_path(id);
        blocking(move || Ok(path.try_exists()?)).await
    }

    async fn finish_resumable(
        &self,
        upload: &ResumableUpload,
        description: Description,
    ) -> Result<()> {
        let right = match (&upload.quote_id, upload.creator.split_once(':')) {
            (Some(quote_id), _) => Right::Grant {
                quote_id: quote_id.clone(),
                running: None,
            },
            (None, Some(("token", token))) => Right::Url {
                token: token.to_owned(),
                expires_at: self
                    .clock
                    .now()
                    .plus_seconds(self.config.upload_url_seconds.into()),
            },
            _ => Right::Admin,
        };
        let target = Target {
            bucket: upload.bucket_id.clone(),
            name: upload.name.clone(),
            upsert: upload.upsert,
            owner: upload.owner.clone(),
            right,
            resumable: Some(upload.id.clone()),
        };
        let path = self.contents.resumable_path(&upload.id);
        let contents = self.contents.clone();
        let temporary = blocking(move || Ok(Temporary::open(&contents, path)?)).await?;
        self.store_file(temporary, target, description).await?;
        self.remove_resumable_file(&upload.id).await
    }

    async fn forget_resumable(&self, id: String) -> Result<()> {
        let row = id.clone();
        self.write(move |conn| Ok(uploads::delete(conn, &row)?))
            .await?;
        self.remove_resumable_file(&id).await
    }

    /// Removes the file of an upload, unless it was renamed when it was stored.
    async fn remove_resumable_file(&self, id: &str) -> Result<()> {
        let path = self.contents.resumable_path(id);
        blocking(move || match std::fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        })
        .await
    }

    /// Terminates an unfinished upload.
    ///
    /// # Errors
    /// `NoSuchUpload`, `AccessDenied`, `UploadExpired`, `UploadLocked`, `InvalidRequest` for a
    /// finished one; store errors.
    pub async fn terminate(&self, caller: Uploader, id: String) -> Result<()> {
        let _lock = self.locks.take(&id)?;
        let progress = self.progress_of_locked(caller, id.clone()).await?;
        if progress.upload.finished {
            let message = "A finished upload cannot be terminated";
            return Err(super::Refusal::invalid(message).into());
        }
        self.forget_resumable(id).await
    }
}

/// Runs work that goes on when its request is gone: half done, it would lose a file.
async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::spawn(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => Err(Error::Internal("file work panicked")),
        Err(_) => Err(Error::Store(store::Error::Busy)),
    }
}

fn find(conn: &Connection, caller: &Uploader, id: &str, now: Time) -> Result<ResumableUpload> {
    let upload = uploads::find(conn, id)?.ok_or(Code::NoSuchUpload)?;
    if !matches!(caller, Uploader::Admin { .. }) && upload.creator != caller.creator() {
        return Err(Code::AccessDenied.into());
    }
    if upload.expires_at < now.to_string() {
        return Err(Code::UploadExpired.into());
    }
    Ok(upload)
}

//! Resumable uploads (TUS 1.0). The row describes the upload, and the length of the file is its
//! progress, so that an upload survives a restart.

pub mod appending;
mod creating;
mod finishing;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::sync::Arc;

use rusqlite::Connection;

use super::target::check_maker;
use super::token::Token;
use super::{Code, Error, Files, Result, blocking};
use crate::resumable::appending::Appending;
use crate::running_uploads::RunningUpload;
use crate::upload::BufferedFile;
use domain::clock::Time;
use store::storage::uploads::{self, ResumableUpload};

/// How long a resumable upload is kept after its last byte, in seconds.
const RESUMABLE_SECONDS: i64 = 86_400;

/// What a client requests when it begins an upload.
pub struct NewUpload {
    pub bucket: String,
    pub name: String,
    /// Whether it may replace an object.
    pub upsert: bool,
    /// Its bytes.
    pub length: u64,
    /// The `Upload-Metadata` as sent.
    pub metadata: String,
}

/// The caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uploader {
    Admin {
        /// The admin's user id.
        user_id: String,
    },
    /// The bearer of an upload token or a grant.
    Token(ValidToken),
}

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

/// The progress of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub upload: ResumableUpload,
    /// Bytes received.
    pub offset: u64,
}

impl Files {
    /// The caller with this token. Errors: `InvalidJwt`, `ExpiredToken`.
    pub fn token_caller(&self, token: &str) -> Result<Uploader> {
        let token = self.unseal(token)?;
        token.check_time(self.clock.now())?;
        Ok(Uploader::Token(ValidToken(token)))
    }

    /// How far an upload is. Errors: `NoSuchUpload`, `AccessDenied`, `UploadExpired`,
    /// `UploadLocked`.
    pub async fn progress(&self, caller: Uploader, id: String) -> Result<Progress> {
        let found = self.progress_of_locked(caller.clone(), id.clone()).await;
        if !matches!(&found, Err(Error::Refused(refusal)) if refusal.code == Code::NoSuchUpload) {
            return found;
        }
        // While an upload is stored, its file is already gone and its row is not yet finished.
        if self.writing.count(&id) > 0 {
            return Err(Code::UploadLocked.into());
        }
        self.progress_of_locked(caller, id).await
    }

    /// The progress of an upload whose lock the caller holds.
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

    /// Begins to write `announced` bytes at `offset`, if the length is known. Errors:
    /// `NoSuchUpload`, `AccessDenied`, `UploadExpired`, `UploadLocked`, `OffsetConflict`,
    /// `EntityTooLarge`, `InsufficientStorage`.
    pub async fn append(
        &self,
        caller: Uploader,
        id: String,
        offset: u64,
        announced: Option<u64>,
    ) -> Result<Appending> {
        let lock = Arc::new(self.lock(&id)?);
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
        let (file, space) = (Arc::new(file), self.space.clone());
        Ok(Appending {
            upload,
            file: BufferedFile::new(file, space, Some(lock.clone())),
            start: offset,
            offset,
            lock,
        })
    }

    /// Excludes other requests from an upload until the result is dropped. Errors: `UploadLocked`.
    fn lock(&self, id: &str) -> Result<RunningUpload> {
        let lock = self.writing.start(id, 1);
        lock.ok_or_else(|| Code::UploadLocked.into())
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

    /// Terminates an unfinished upload. Errors: `NoSuchUpload`, `AccessDenied`, `UploadExpired`,
    /// `UploadLocked`, `InvalidRequest` for a finished one.
    pub async fn terminate(&self, caller: Uploader, id: String) -> Result<()> {
        let _lock = self.lock(&id)?;
        let progress = self.progress_of_locked(caller, id.clone()).await?;
        if progress.upload.finished {
            let message = "A finished upload cannot be terminated";
            return Err(super::Refusal::invalid(message).into());
        }
        self.forget_resumable(id).await
    }
}

fn find(conn: &Connection, caller: &Uploader, id: &str, now: Time) -> Result<ResumableUpload> {
    let upload = uploads::find(conn, id)?.ok_or(Code::NoSuchUpload)?;
    if !matches!(caller, Uploader::Admin { .. }) && upload.creator != caller.creator() {
        return Err(Code::AccessDenied.into());
    }
    if upload.expires_at < now {
        return Err(Code::UploadExpired.into());
    }
    // A visitor's grant has no maker.
    if matches!(caller, Uploader::Token(_)) && upload.quote_id.is_none() {
        check_maker(conn, upload.owner.as_deref(), now)?;
    }
    Ok(upload)
}

//! Ends the requests that write to resumable uploads, and stores the file when its last byte has
//! arrived.

use std::sync::Arc;

use super::{Progress, RESUMABLE_SECONDS, Uploader};
use crate::contents::temporary::Temporary;
use crate::resumable::appending::Appending;
use crate::running_uploads::RunningUpload;
use crate::signing::UPLOAD_URL_SECONDS;
use crate::target::{Description, Right, Target};
use crate::{Error, Files, Result, blocking, joined};
use store::storage::uploads::{self, ResumableUpload};

impl Files {
    /// Ends a request that has written to an upload; with the last byte, the object is stored.
    /// Returns the progress. Errors: refusals of the file and its target, after which the upload is
    /// gone; errors of the disk and the store.
    pub async fn end_append(
        &self,
        mut appending: Appending,
        description: Description,
    ) -> Result<Progress> {
        let files = self.clone();
        detached(async move {
            appending.flush().await?;
            let Appending {
                mut upload,
                offset,
                lock,
                ..
            } = appending;
            let expires_at = files.clock.now().plus_seconds(RESUMABLE_SECONDS);
            upload.expires_at = expires_at;
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
    pub async fn complete(
        &self,
        caller: Uploader,
        id: String,
        description: Description,
    ) -> Result<Progress> {
        let lock = Arc::new(self.lock(&id)?);
        let progress = self.progress_of_locked(caller, id).await?;
        let files = self.clone();
        detached(async move { files.store_if_whole(progress, description, lock).await }).await
    }

    async fn store_if_whole(
        &self,
        mut progress: Progress,
        description: Description,
        _lock: Arc<RunningUpload>,
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

    /// Whether an upload that could not be stored is kept, to be stored when its client requests
    /// the offset.
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
                expires_at: self.clock.now().plus_seconds(UPLOAD_URL_SECONDS),
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
}

/// Runs work that continues after a cancelled request: half done, it would lose a file.
async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    joined(tokio::spawn(work).await)
}

//! Creates resumable uploads.

use rusqlite::Connection;

use super::{NewUpload, RESUMABLE_SECONDS, Uploader, ValidToken};
use crate::running_uploads::too_many_files;
use crate::target::{Right, Target, check_target};
use crate::upload::empty_file;
use crate::{Code, Files, Result, blocking};
use domain::clock::Time;
use domain::ids;
use domain::sender::Sender;
use domain::storage::{MAX_FILE_BYTES, MAX_QUOTE_FILES};
use store::accounts::used_nonces;
use store::storage::uploads::{self, ResumableUpload};

/// How often an upload may begin by one signed upload URL.
const MAX_BEGINNINGS: u32 = 3;

impl Files {
    /// Creates an upload of `caller` by `sender`; returns its row.
    ///
    /// # Errors
    /// The refusals of an upload; errors of the disk and the store.
    pub async fn create_resumable(
        &self,
        caller: &Uploader,
        sender: Sender,
        upload: NewUpload,
    ) -> Result<ResumableUpload> {
        let (length, metadata) = (upload.length, upload.metadata);
        let (bucket, name, upsert) = (upload.bucket, upload.name, upload.upsert);
        let target = match caller {
            Uploader::Admin { user_id } => Target::by_admin(user_id, bucket, name, upsert),
            Uploader::Token(ValidToken(token)) => self.target_of(token.clone(), bucket, name)?,
        };
        let (target, limit) = self
            .check_target(target, Some(sender.clone()), MAX_FILE_BYTES)
            .await?;
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
            quote_id: target.quote_id().map(str::to_owned),
            bucket_id: target.bucket.clone(),
            name: target.name.clone(),
            length,
            upsert: target.upsert,
            owner: target.owner.clone(),
            metadata,
            finished: false,
            expires_at: now.plus_seconds(RESUMABLE_SECONDS),
        };
        let (contents, id) = (self.contents.clone(), upload.id.clone());
        let file = blocking(move || Ok(contents.create_resumable(&id)?)).await?;
        let files = self.clone();
        let upload = self
            .write(move |conn| {
                check_target(conn, &target, now)?;
                if let Right::Url { token, expires_at } = &target.right {
                    count_beginning(conn, token, *expires_at)?;
                }
                if let Some(quote_id) = &upload.quote_id {
                    files.forget_begun(conn, &upload, now)?;
                    let used = uploads::quote_files(conn, quote_id, None, now)?;
                    if used + files.running_uploads.count(quote_id) >= MAX_QUOTE_FILES {
                        return Err(too_many_files().into());
                    }
                    // Counted whole: unfinished, it takes space too.
                    files.quota.check(conn, Some(&sender), length, now)?;
                    files.quota.count(conn, Some(&sender), length, now)?;
                }
                uploads::insert(conn, &upload)?;
                Ok(upload)
            })
            .await?;
        file.keep();
        Ok(upload)
    }

    /// Deletes the uploads of the same file that have no bytes: their client has lost the answer,
    /// and begins again.
    fn forget_begun(&self, conn: &Connection, upload: &ResumableUpload, now: Time) -> Result<()> {
        for id in uploads::same_file(conn, upload, now)? {
            let Ok(_lock) = self.lock(&id) else {
                continue;
            };
            let path = self.contents.resumable_path(&id);
            if !std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
                uploads::delete(conn, &id)?;
                // A sweep deletes what stays.
                let _ = std::fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

/// Counts an upload that begins by a signed upload URL. The URL is good for one file, whose client
/// may begin again if it lost the answer.
fn count_beginning(conn: &Connection, token: &str, expires_at: Time) -> Result<()> {
    for number in 1..=MAX_BEGINNINGS {
        if used_nonces::mark_used(conn, &format!("{token} begun {number}"), expires_at)? {
            return Ok(());
        }
    }
    Err(Code::InvalidSignature.into())
}

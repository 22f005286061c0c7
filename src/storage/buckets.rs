//! Rules of buckets, all for admins.

use rusqlite::Connection;

use super::access::bucket;
use super::{Code, Error, Files, Refusal, Result};
use domain::clock::Time;
use domain::storage::names::is_bucket_name;
use domain::storage::values::is_type_pattern;
use domain::storage::{MAIL, MAX_FILE_BYTES, PUBLIC, QUOTES};
use store::storage::buckets::{self, Bucket, BucketQuery};
use store::storage::objects;

/// Objects removed in one transaction.
const REMOVED_AT_ONCE: u32 = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BucketSettings {
    /// Whether it is public; `None`: unchanged.
    pub public: Option<bool>,
    /// Maximum size of a file, `Some(None)` for no limit; `None`: unchanged.
    pub file_size_limit: Option<Option<u64>>,
    /// Patterns of media types, `Some(None)` for all; `None`: unchanged.
    pub allowed_mime_types: Option<Option<Vec<String>>>,
}

impl BucketSettings {
    /// Whether nothing is to be changed.
    pub const fn is_empty(&self) -> bool {
        self.public.is_none() && self.file_size_limit.is_none() && self.allowed_mime_types.is_none()
    }

    fn check(&self) -> Result<()> {
        if let Some(Some(limit)) = self.file_size_limit
            && limit > MAX_FILE_BYTES
        {
            return Err(Code::EntityTooLarge.into());
        }
        let types = self.allowed_mime_types.iter().flatten().flatten();
        for pattern in types {
            if !is_type_pattern(pattern) {
                return Err(Refusal::media_type(pattern).into());
            }
        }
        Ok(())
    }

    fn apply(self, bucket: &mut Bucket) {
        if let Some(public) = self.public {
            bucket.public = public;
        }
        if let Some(limit) = self.file_size_limit {
            bucket.file_size_limit = limit;
        }
        if let Some(types) = self.allowed_mime_types {
            bucket.allowed_mime_types = types.filter(|types| !types.is_empty());
        }
    }
}

fn is_builtin(id: &str) -> bool {
    matches!(id, MAIL | QUOTES | PUBLIC)
}

fn denied(message: &'static str) -> Error {
    Refusal::new(Code::AccessDenied, message).into()
}

/// A new bucket, private and without limits.
fn private_bucket(id: String, name: String, owner: Option<String>, now: Time) -> Bucket {
    Bucket {
        id,
        name,
        owner,
        public: false,
        file_size_limit: None,
        allowed_mime_types: None,
        created_at: now,
        updated_at: now,
    }
}

impl Files {
    /// Creates those of these built-in buckets that do not exist.
    pub(super) async fn create_builtin_buckets(
        &self,
        ids: &'static [&'static str],
    ) -> store::Result<()> {
        let missing = move |conn: &Connection| {
            let mut missing = Vec::new();
            for id in ids {
                if buckets::find(conn, id)?.is_none() {
                    missing.push(*id);
                }
            }
            Ok(missing)
        };
        if self.store.read(missing).await?.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        self.store
            .write(move |conn| {
                for id in missing(conn)? {
                    let mut bucket = private_bucket(id.to_owned(), id.to_owned(), None, now);
                    bucket.public = id == PUBLIC;
                    buckets::insert(conn, &bucket)?;
                }
                Ok(())
            })
            .await
    }

    /// The buckets that `query` selects.
    pub async fn list_buckets(&self, query: BucketQuery) -> Result<Vec<Bucket>> {
        self.read(move |conn| Ok(buckets::list(conn, &query)?))
            .await
    }

    /// One bucket. Errors: `NoSuchBucket`.
    pub async fn bucket(&self, id: String) -> Result<Bucket> {
        self.read(move |conn| bucket(conn, &id)).await
    }

    /// Creates a bucket. Errors: `InvalidBucketName`, `BucketAlreadyExists`, those of its settings.
    pub async fn create_bucket(
        &self,
        id: String,
        name: String,
        owner: String,
        settings: BucketSettings,
    ) -> Result<()> {
        if !is_bucket_name(&id) || !is_bucket_name(&name) {
            return Err(Code::InvalidBucketName.into());
        }
        if id == MAIL || name == MAIL {
            // It is made with the first email.
            return Err(Code::BucketAlreadyExists.into());
        }
        settings.check()?;
        let now = self.clock.now();
        self.write(move |conn| {
            let used = |segment: &str| objects::is_first_segment(conn, PUBLIC, segment);
            if buckets::exists(conn, &id, &name)? || used(&id)? || used(&name)? {
                return Err(Code::BucketAlreadyExists.into());
            }
            let mut bucket = private_bucket(id, name, Some(owner), now);
            settings.apply(&mut bucket);
            Ok(buckets::insert(conn, &bucket)?)
        })
        .await
    }

    /// Changes a bucket's settings. Errors: `NoSuchBucket`, `AccessDenied` for making `quotes`
    /// public, those of the settings.
    pub async fn update_bucket(&self, id: String, settings: BucketSettings) -> Result<()> {
        let now = self.clock.now();
        self.write(move |conn| {
            let mut bucket = bucket(conn, &id)?;
            if [MAIL, QUOTES].contains(&id.as_str()) && settings.public == Some(true) {
                return Err(denied("The bucket of quote requests cannot be made public"));
            }
            settings.check()?;
            settings.apply(&mut bucket);
            Ok(buckets::update(conn, &bucket, now)?)
        })
        .await
    }

    /// Removes all objects of a bucket. Errors: `NoSuchBucket`, `AccessDenied` for `quotes`.
    pub async fn empty_bucket(&self, id: String) -> Result<()> {
        self.bucket(id.clone()).await?;
        if [MAIL, QUOTES].contains(&id.as_str()) {
            return Err(denied("The bucket of quote requests cannot be emptied"));
        }
        loop {
            let id = id.clone();
            let removed = self
                .store
                .write(move |conn| objects::delete_some(conn, &id, REMOVED_AT_ONCE))
                .await?;
            self.collect_released().await;
            if removed < REMOVED_AT_ONCE as usize {
                return Ok(());
            }
        }
    }

    /// Deletes an empty bucket. Errors: `NoSuchBucket`, `AccessDenied` for a built-in one,
    /// `ResourceNotEmpty`.
    pub async fn delete_bucket(&self, id: String) -> Result<()> {
        self.write(move |conn| {
            bucket(conn, &id)?;
            if is_builtin(&id) {
                return Err(denied("A built-in bucket cannot be deleted"));
            }
            if objects::any_in(conn, &id)? {
                return Err(Code::ResourceNotEmpty.into());
            }
            Ok(buckets::delete(conn, &id)?)
        })
        .await
    }
}

//! Rules of stored objects: removing, moving, copying, and opening for reading.

use std::ops::Range;

use serde_json::{Map, Value};

use super::access::{bucket, check_key, check_new_key, object};
use super::{Code, Files, Refusal, Result, blocking};
use crate::contents::place::Opened;
use domain::ids;
use domain::storage::ScanState;
use store::inbox::files;
use store::storage::buckets::Bucket;
use store::storage::objects::{self, Object};

/// A source and a destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The bucket of the source.
    pub bucket: String,
    /// The key of the source.
    pub name: String,
    /// The bucket of the destination.
    pub to_bucket: String,
    /// The key of the destination.
    pub to_name: String,
}

impl Route {
    fn is_loop(&self) -> bool {
        (&self.bucket, &self.name) == (&self.to_bucket, &self.to_name)
    }
}

/// What a copy takes over, and what it replaces.
#[derive(Clone, Debug, Default)]
pub struct CopyOptions {
    /// Whether an existing object is replaced.
    pub upsert: bool,
    /// Whether the metadata of the source is copied.
    pub copy_metadata: bool,
    /// Another `Cache-Control`.
    pub cache_control: Option<String>,
    /// The metadata if it is not copied.
    pub metadata: Option<Map<String, Value>>,
}

impl Files {
    /// Opens a part of the bytes of an object. Errors: `AccessDenied` for an infected file; errors
    /// of the disk, `Unavailable`.
    pub async fn open_object(&self, object: &Object, part: Range<u64>) -> Result<Opened> {
        refuse_infected(object)?;
        let (contents, sha256) = (self.contents.clone(), object.sha256.clone());
        blocking(move || Ok(contents.open_part(&sha256, part)?)).await
    }

    /// Removes the objects with these keys; returns the removed rows. Missing ones are skipped.
    /// `by` is the id of the admin who removes them. Errors: `NoSuchBucket`.
    pub async fn remove(
        &self,
        bucket_id: String,
        names: Vec<String>,
        by: String,
    ) -> Result<Vec<Object>> {
        let now = self.clock.now();
        let removed = self
            .write(move |conn| {
                bucket(conn, &bucket_id)?;
                let removed = names
                    .iter()
                    .map(|name| objects::delete(conn, &bucket_id, name));
                let removed: store::Result<Vec<_>> = removed.collect();
                let removed: Vec<_> = removed?.into_iter().flatten().collect();
                for file in &removed {
                    files::deleted(conn, file, &by, now)?;
                }
                Ok(removed)
            })
            .await?;
        self.collect_released().await;
        Ok(removed)
    }

    /// Removes one object. Errors: `NoSuchBucket`, `NoSuchKey`.
    pub async fn remove_one(&self, bucket_id: String, name: String, by: String) -> Result<()> {
        check_key(&name)?;
        match self.remove(bucket_id, vec![name], by).await?.is_empty() {
            true => Err(Code::NoSuchKey.into()),
            false => Ok(()),
        }
    }

    /// Moves an object; returns it. Onto itself, nothing happens. Errors: `NoSuchBucket`,
    /// `NoSuchKey`, `InvalidKey`, `ResourceAlreadyExists`, refusals of the limits of the
    /// destination's bucket.
    pub async fn move_object(&self, route: Route) -> Result<Object> {
        check_key(&route.name)?;
        let now = self.clock.now();
        self.write(move |conn| {
            bucket(conn, &route.bucket)?;
            let to = bucket(conn, &route.to_bucket)?;
            let mut moved = object(conn, &route.bucket, &route.name)?;
            if route.is_loop() {
                return Ok(moved);
            }
            check_new_key(conn, &route.to_bucket, &route.to_name)?;
            check_limits(&to, &moved)?;
            if objects::find(conn, &route.to_bucket, &route.to_name)?.is_some() {
                return Err(Code::ResourceAlreadyExists.into());
            }
            moved.bucket_id = route.to_bucket;
            moved.name = route.to_name;
            moved.updated_at = now;
            objects::update(conn, &moved)?;
            Ok(moved)
        })
        .await
    }

    /// Copies an object for the admin `owner`; returns the copy.
    pub async fn copy_object(
        &self,
        route: Route,
        owner: String,
        options: CopyOptions,
    ) -> Result<Object> {
        check_key(&route.name)?;
        let now = self.clock.now();
        let copy = self
            .write(move |conn| {
                bucket(conn, &route.bucket)?;
                let to = bucket(conn, &route.to_bucket)?;
                let source = object(conn, &route.bucket, &route.name)?;
                check_new_key(conn, &route.to_bucket, &route.to_name)?;
                check_limits(&to, &source)?;
                let present = objects::find(conn, &route.to_bucket, &route.to_name)?;
                if present.is_some() && !options.upsert {
                    return Err(Code::ResourceAlreadyExists.into());
                }
                let (id, created_at) = match &present {
                    Some(present) => (present.id.clone(), present.created_at),
                    None => (ids::new(now).to_string(), now),
                };
                let metadata = options.metadata.map(|map| Value::from(map).to_string());
                let copy = Object {
                    id,
                    bucket_id: route.to_bucket,
                    name: route.to_name,
                    owner: Some(owner),
                    version: ids::new(now).to_string(),
                    cache_control: options.cache_control.unwrap_or(source.cache_control),
                    user_metadata: match options.copy_metadata {
                        true => source.user_metadata,
                        false => metadata,
                    },
                    created_at,
                    updated_at: now,
                    ..source
                };
                match present {
                    Some(_) => objects::update(conn, &copy)?,
                    None => objects::insert(conn, &copy)?,
                }
                Ok(copy)
            })
            .await?;
        self.collect_released().await;
        Ok(copy)
    }
}

/// Refuses to hand out an infected file. Errors: `AccessDenied`.
pub fn refuse_infected(object: &Object) -> Result<()> {
    if object.scan == ScanState::Infected {
        let message = "The virus scan has found something in this file";
        return Err(Refusal::new(Code::AccessDenied, message).into());
    }
    Ok(())
}

/// Refuses an object that a bucket does not take.
fn check_limits(bucket: &Bucket, object: &Object) -> Result<()> {
    let limit = bucket.file_size_limit;
    if limit.is_some_and(|limit| object.size > limit) {
        return Err(Code::EntityTooLarge.into());
    }
    match bucket.takes(&object.media_type) {
        true => Ok(()),
        false => Err(Refusal::media_type(&object.media_type).into()),
    }
}

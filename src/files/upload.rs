//! Receives a file: rights are checked before the first byte, and bytes are written to a temporary
//! file as they arrive, so that an upload takes little memory whatever its size.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use rusqlite::Connection;
use serde_json::{Map, Value};

use super::access::{bucket, check_new_key};
use super::contents::Temporary;
use super::running_uploads::RunningUpload;
use super::token::{Permit, Token};
use super::{Code, Error, Files, Refusal, Result, blocking};
use crate::domain::clock::Time;
use crate::domain::storage::names::{is_visitor_name, split_quote_key};
use crate::domain::storage::{MAX_FILE_BYTES, QUOTES};
use crate::store::{Bucket, objects};

/// Bytes collected before they are written.
const BUFFER_BYTES: usize = 64 * 1024;
/// Memory of one upload, in bytes: a buffer that fills and one that is written.
pub const UPLOAD_MEMORY: usize = 2 * BUFFER_BYTES;

/// The right under which a file is stored.
#[derive(Debug)]
pub enum Right {
    /// An admin's.
    Admin,
    /// Of a signed upload URL, which is good for one file.
    Url {
        /// The token's id.
        token: String,
        /// When it expires.
        expires_at: Time,
    },
    /// A visitor's grant for a quote.
    Grant {
        /// The quote.
        quote_id: String,
        /// Counts this upload; resumable ones are counted by their row.
        running: Option<RunningUpload>,
    },
}

/// Where a file is to be stored, and by which right.
#[derive(Debug)]
pub struct Target {
    /// The bucket.
    pub bucket: String,
    /// The key.
    pub name: String,
    /// Whether an existing object is replaced.
    pub upsert: bool,
    /// The admin for whom it is stored.
    pub owner: Option<String>,
    /// The right.
    pub right: Right,
    /// The resumable upload that ends with this file.
    pub resumable: Option<String>,
}

/// What the sender says about a file.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The declared media type.
    pub media_type: String,
    /// The `Cache-Control` to store.
    pub cache_control: String,
    /// Metadata to store.
    pub metadata: Option<Map<String, Value>>,
}

impl Target {
    /// A file that an admin stores.
    pub fn by_admin(user_id: &str, bucket: String, name: String, upsert: bool) -> Self {
        Self {
            bucket,
            name,
            upsert,
            owner: Some(user_id.to_owned()),
            right: Right::Admin,
            resumable: None,
        }
    }

    /// Whether only the types that visitors may send are taken.
    pub const fn is_visitors(&self) -> bool {
        matches!(self.right, Right::Grant { .. })
    }
}

impl Files {
    /// What a token for uploads allows at this path.
    ///
    /// # Errors
    /// `InvalidJwt`, `InvalidSignature`, `ExpiredToken`.
    pub fn upload_target(&self, token: &str, bucket: String, name: String) -> Result<Target> {
        let token = self.unseal(token)?;
        self.target_of(token, bucket, name)
    }

    pub(super) fn target_of(&self, token: Token, bucket: String, name: String) -> Result<Target> {
        let mismatch = || Err(Code::InvalidSignature.into());
        let (upsert, owner, right) = match &token.permit {
            Permit::Upload {
                bucket: allowed,
                name: key,
                owner,
                upsert,
            } if (allowed, key) == (&bucket, &name) => {
                let right = Right::Url {
                    token: token.id.clone(),
                    expires_at: token.expires_at(),
                };
                (*upsert, Some(owner.clone()), right)
            }
            Permit::Grant { quote } if bucket == QUOTES => match split_quote_key(&name) {
                Some((id, file)) if id == quote && is_visitor_name(file) => {
                    let right = Right::Grant {
                        quote_id: quote.clone(),
                        running: None,
                    };
                    (false, None, right)
                }
                _ => return mismatch(),
            },
            _ => return mismatch(),
        };
        token.check_time(self.clock.now())?;
        Ok(Target {
            bucket,
            name,
            upsert,
            owner,
            right,
            resumable: None,
        })
    }

    /// Begins an upload: checks everything that can be checked before the file has arrived.
    /// `announced` is its length, if known.
    ///
    /// # Errors
    /// Refusals of `check_target`, `AccessDenied` if a quote has all its files,
    /// `InsufficientStorage`; store errors.
    pub async fn begin_upload(
        &self,
        target: Target,
        announced: Option<u64>,
    ) -> Result<(Incoming, Target)> {
        let (mut target, limit) = self.check_target(target, MAX_FILE_BYTES).await?;
        if let Right::Grant { quote_id, running } = &mut target.right {
            *running = Some(self.start_upload(quote_id).await?);
        }
        let incoming = self
            .receive(announced.unwrap_or(0).min(limit), limit)
            .await?;
        Ok((incoming, target))
    }

    /// Begins to receive a file of up to `limit` bytes whose target is not known yet. `announced`
    /// is its length, or 0.
    ///
    /// # Errors
    /// `InsufficientStorage`; errors of the disk.
    pub async fn receive(&self, announced: u64, limit: u64) -> Result<Incoming> {
        self.require_space(announced).await?;
        let contents = self.contents.clone();
        let temporary = blocking(move || Ok(contents.temporary()?)).await?;
        Ok(Incoming {
            temporary,
            limit,
            written: 0,
            buffer: Vec::new(),
        })
    }

    /// Checks a target in the state of now; returns it with the maximum size of its file.
    pub(super) async fn check_target(&self, target: Target, limit: u64) -> Result<(Target, u64)> {
        self.read(move |conn| {
            let bucket = check_target(conn, &target)?;
            let limit = limit.min(bucket.file_size_limit.unwrap_or(limit));
            Ok((target, limit))
        })
        .await
    }

    /// Refuses files if storing `bytes` more would leave less than `files.reserve_mb`.
    pub(super) async fn require_space(&self, bytes: u64) -> Result<()> {
        let contents = self.contents.clone();
        let reserve = u64::from(self.config.reserve_mb) * 1_000_000;
        blocking(move || {
            if contents.free_bytes()? < reserve.saturating_add(bytes) {
                return Err(Code::InsufficientStorage.into());
            }
            Ok(())
        })
        .await
    }
}

/// Refuses a target that cannot be stored now: unknown bucket, invalid key, key taken, token used
/// up, quote gone. Returns the bucket.
pub(super) fn check_target(conn: &Connection, target: &Target) -> Result<Bucket> {
    let found = bucket(conn, &target.bucket)?;
    if let Right::Grant { quote_id, .. } = &target.right
        && !objects::quote_exists(conn, quote_id)?
    {
        // A grant ends with its quote.
        return Err(Code::InvalidSignature.into());
    }
    check_new_key(conn, &target.bucket, &target.name)?;
    if !target.upsert && objects::find(conn, &target.bucket, &target.name)?.is_some() {
        return Err(Code::ResourceAlreadyExists.into());
    }
    if let Right::Url { token, .. } = &target.right
        && crate::store::used_nonces::is_used(conn, token)?
    {
        return Err(Code::InvalidSignature.into());
    }
    Ok(found)
}

/// A file that is arriving.
pub struct Incoming {
    temporary: Temporary,
    limit: u64,
    written: u64,
    buffer: Vec<u8>,
}

impl Incoming {
    /// Maximum size of the file, in bytes.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes received so far.
    pub const fn received(&self) -> u64 {
        self.written
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// `EntityTooLarge`; `InsufficientStorage` and other errors of the disk.
    pub async fn write(&mut self, bytes: Bytes) -> Result<()> {
        self.written += bytes.len() as u64;
        if self.written > self.limit {
            return Err(Code::EntityTooLarge.into());
        }
        self.buffer.extend_from_slice(&bytes);
        if self.buffer.len() >= BUFFER_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<()> {
        let file = self.temporary.file().clone();
        let mut buffer = std::mem::take(&mut self.buffer);
        self.buffer = blocking(move || {
            write_all(&file, &buffer)?;
            buffer.clear();
            Ok(buffer)
        })
        .await?;
        Ok(())
    }
}

fn write_all(file: &Arc<std::fs::File>, bytes: &[u8]) -> Result<()> {
    let mut file: &std::fs::File = file;
    Ok(file.write_all(bytes)?)
}

impl Files {
    /// Stores a file that has arrived whole; returns its object.
    ///
    /// # Errors
    /// Refusals of the file and of the target; errors of the disk and the store. Nothing is stored
    /// then.
    pub async fn finish_upload(
        &self,
        mut incoming: Incoming,
        target: Target,
        description: Description,
    ) -> Result<objects::Object> {
        if incoming.written == 0 {
            return Err(empty_file());
        }
        incoming.flush().await?;
        self.store_file(incoming.temporary, target, description)
            .await
    }
}

pub(super) fn empty_file() -> Error {
    Refusal::invalid("The file is empty").into()
}

//! The target of a file and the right to store it there.

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::access::{bucket, check_key, check_new_key};
use super::running_uploads::RunningUpload;
use super::token::{Permit, Token};
use super::{Code, Files, Refusal, Result};
use domain::account::Role;
use domain::clock::Time;
use domain::sender::Sender;
use domain::storage::names::{is_visitor_name, split_quote_key};
use domain::storage::{MAX_FAILED_PICTURES, QUOTES};
use store::accounts::{roles, used_nonces};
use store::storage::buckets::Bucket;
use store::storage::{objects, uploads};

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
    /// Of an email of a customer.
    Received,
    /// A visitor's grant for a quote.
    Grant {
        quote_id: String,
        /// Counts this upload; resumable ones are counted by their row.
        running: Option<RunningUpload>,
    },
}

/// Where a file is to be stored, and by which right.
#[derive(Debug)]
pub struct Target {
    pub bucket: String,
    /// The key.
    pub name: String,
    /// Whether an existing object is replaced.
    pub upsert: bool,
    /// The admin for whom it is stored.
    pub owner: Option<String>,
    pub right: Right,
    /// The resumable upload that ends with this file.
    pub resumable: Option<String>,
}

/// The sender's description of the file.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The declared media type.
    pub media_type: String,
    /// The `Cache-Control` to store.
    pub cache_control: String,
    /// Metadata to store.
    pub metadata: Option<Map<String, Value>>,
    /// Who sends it: clients take turns when pictures are decoded.
    pub sender: Option<Sender>,
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

    /// Whether it came with an email: whatever it is, it is kept.
    pub const fn is_received(&self) -> bool {
        matches!(self.right, Right::Received)
    }

    /// Whether a visitor stores it: only some types are accepted, and it counts for the quota.
    pub const fn is_visitors(&self) -> bool {
        self.quote_id().is_some()
    }

    /// The quote request that a visitor sends a file of.
    pub(super) const fn quote_id(&self) -> Option<&str> {
        match &self.right {
            Right::Grant { quote_id, .. } => Some(quote_id.as_str()),
            _ => None,
        }
    }
}

impl Files {
    /// The target of a token for uploads at this path.
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

    /// Checks a target in the state of now; returns it with the maximum size of its file.
    /// Refuses a visitor's whose sender has used up the quota of the day.
    pub(super) async fn check_target(
        &self,
        target: Target,
        sender: Option<Sender>,
        limit: u64,
    ) -> Result<(Target, u64)> {
        let (now, quota) = (self.clock.now(), self.quota);
        self.read(move |conn| {
            let bucket = check_target(conn, &target, now)?;
            if target.is_visitors() {
                quota.check(conn, sender.as_ref(), 1, now)?;
            }
            let limit = limit.min(bucket.file_size_limit.unwrap_or(limit));
            Ok((target, limit))
        })
        .await
    }
}

/// Refuses further files of a quote after too many unreadable pictures.
pub(super) fn refuse_after_failures(conn: &Connection, quote_id: &str) -> Result<()> {
    if uploads::failed_pictures(conn, quote_id)? < MAX_FAILED_PICTURES {
        return Ok(());
    }
    let message = "Too many pictures of this request could not be read; please email the files";
    Err(Refusal::new(Code::AccessDenied, message).into())
}

/// Refuses a target that cannot be stored now: unknown bucket, invalid key, key taken, token used
/// up or made by one who is no longer an admin, quote gone. Returns the bucket.
pub(super) fn check_target(conn: &Connection, target: &Target, now: Time) -> Result<Bucket> {
    let found = bucket(conn, &target.bucket)?;
    if let Right::Grant { quote_id, .. } = &target.right {
        if !objects::quote_exists(conn, quote_id)? {
            // A grant ends with its quote.
            return Err(Code::InvalidSignature.into());
        }
        refuse_after_failures(conn, quote_id)?;
    }
    match &target.right {
        Right::Received => check_key(&target.name)?,
        _ => check_new_key(conn, &target.bucket, &target.name)?,
    }
    if !target.upsert && objects::find(conn, &target.bucket, &target.name)?.is_some() {
        return Err(Code::ResourceAlreadyExists.into());
    }
    if let Right::Url { token, .. } = &target.right {
        check_maker(conn, target.owner.as_deref(), now)?;
        if used_nonces::is_used(conn, token)? {
            return Err(Code::InvalidSignature.into());
        }
    }
    Ok(found)
}

/// Refuses a signed upload URL whose maker is no longer an admin: demoted, suspended or deleted.
pub(super) fn check_maker(conn: &Connection, maker: Option<&str>, now: Time) -> Result<()> {
    match maker {
        Some(maker) if roles::active(conn, maker, now)? == Some(Role::Admin) => Ok(()),
        _ => Err(Code::InvalidSignature.into()),
    }
}

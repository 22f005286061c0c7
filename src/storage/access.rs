//! Access to buckets and objects: the caller's rights.

use rusqlite::Connection;

use super::{Code, Files, Refusal, Result};
use domain::storage::{MAIL, PUBLIC, QUOTES, names};
use store::storage::buckets::{self, Bucket};
use store::storage::objects::{self, Object};

pub(super) fn bucket(conn: &Connection, id: &str) -> Result<Bucket> {
    buckets::find(conn, id)?.ok_or_else(|| Code::NoSuchBucket.into())
}

/// The object with this key.
pub(super) fn object(conn: &Connection, bucket: &str, name: &str) -> Result<Object> {
    objects::find(conn, bucket, name)?.ok_or_else(|| Code::NoSuchKey.into())
}

/// Refuses an invalid key.
pub(super) fn check_key(name: &str) -> Result<()> {
    match names::is_key(name) {
        true => Ok(()),
        false => Err(Code::InvalidKey.into()),
    }
}

/// Refuses a key at which the bucket may hold no object (contract sections 1 and 3).
pub(super) fn check_new_key(conn: &Connection, bucket: &str, name: &str) -> Result<()> {
    check_key(name)?;
    let valid = match bucket {
        QUOTES => match names::split_quote_key(name) {
            Some((quote, _)) => objects::quote_exists(conn, quote)?,
            None => false,
        },
        // Files of replies; emails bring theirs.
        MAIL => match names::split_quote_key(name) {
            Some((request, _)) => objects::request_exists(conn, request)?,
            None => false,
        },
        PUBLIC => {
            let first = names::first_segment(name);
            !buckets::exists(conn, first, first)?
        }
        _ => true,
    };
    if valid {
        return Ok(());
    }
    Err(Code::InvalidKey.into())
}

/// A public object, or why the caller has to be an admin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visible {
    /// In a public bucket.
    Public(Box<Object>),
    /// In a private bucket, or in none: admins get this result, others `NoSuchBucket`.
    Private(std::result::Result<Box<Object>, Refusal>),
    /// Missing in a public bucket.
    Missing,
}

impl Files {
    /// The object at a key, with the data that decides who may read it. Errors: `InvalidKey`.
    pub async fn look_up(&self, bucket: String, name: String) -> Result<Visible> {
        check_key(&name)?;
        self.read(move |conn| {
            let Some(found) = buckets::find(conn, &bucket)? else {
                return Ok(Visible::Private(Err(Code::NoSuchBucket.into())));
            };
            let object = objects::find(conn, &bucket, &name)?.map(Box::new);
            Ok(match object {
                Some(object) if found.public => Visible::Public(object),
                None if found.public => Visible::Missing,
                object => Visible::Private(object.ok_or_else(|| Code::NoSuchKey.into())),
            })
        })
        .await
    }

    /// Splits the path below `/object/public/`: the first segment is a bucket if one of that name
    /// exists and more follows, else the whole path is a key of the bucket `public`.
    pub async fn split_public(&self, path: String) -> Result<(String, String)> {
        self.read(move |conn| {
            if let Some((first, rest)) = path.split_once('/')
                && !rest.is_empty()
                && buckets::find(conn, first)?.is_some()
            {
                return Ok((first.to_owned(), rest.to_owned()));
            }
            Ok((PUBLIC.to_owned(), path))
        })
        .await
    }
}

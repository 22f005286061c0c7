//! Signed URLs: an admin lets the holder of a URL download an object, or upload one file. Grants: a
//! visitor who has sent a quote request may add a few files to it.

use super::access::{bucket, check_key, object};
use super::target::{Right, Target, check_target};
use super::token::Permit;
use super::{Code, Files, Result};
use domain::clock::Time;
use domain::storage::QUOTES;
use store::storage::objects::{self, Object};

/// Lifetime of a signed upload URL, in seconds.
pub(super) const UPLOAD_URL_SECONDS: i64 = 7_200;
/// Lifetime of a grant for the files of a request, in seconds.
const GRANT_SECONDS: i64 = 86_400;

impl Files {
    /// A token to download an object for `seconds`. Errors: `InvalidKey`, `NoSuchBucket`,
    /// `NoSuchKey`.
    pub async fn sign_download(
        &self,
        bucket_id: String,
        name: String,
        seconds: u32,
    ) -> Result<String> {
        check_key(&name)?;
        let found = self
            .read(move |conn| {
                bucket(conn, &bucket_id)?;
                object(conn, &bucket_id, &name)
            })
            .await?;
        self.download_token(found, seconds)
    }

    /// Tokens to download several objects, `None` for a missing one. Errors: `NoSuchBucket`.
    pub async fn sign_downloads(
        &self,
        bucket_id: String,
        names: Vec<String>,
        seconds: u32,
    ) -> Result<Vec<(String, Option<String>)>> {
        let found = self
            .read(move |conn| {
                bucket(conn, &bucket_id)?;
                let mut found = Vec::new();
                for name in names {
                    let object = objects::find(conn, &bucket_id, &name)?;
                    found.push((name, object));
                }
                Ok(found)
            })
            .await?;
        let sign = |object| self.download_token(object, seconds);
        found
            .into_iter()
            .map(|(name, object)| Ok((name, object.map(sign).transpose()?)))
            .collect()
    }

    fn download_token(&self, object: Object, seconds: u32) -> Result<String> {
        let permit = Permit::Download {
            bucket: object.bucket_id,
            name: object.name,
            object: object.id,
        };
        self.seal(permit, self.clock.now().plus_seconds(seconds.into()))
    }

    /// The object that the holder of a token may download at this path. Errors: `InvalidJwt`,
    /// `InvalidSignature` for another path or another object at this path, `ExpiredToken`,
    /// `NoSuchKey`.
    pub async fn signed_object(
        &self,
        token: &str,
        bucket_id: String,
        name: String,
    ) -> Result<Object> {
        let token = self.unseal(token)?;
        let id = match &token.permit {
            Permit::Download {
                bucket: allowed,
                name: key,
                object,
            } if (allowed, key) == (&bucket_id, &name) => object.clone(),
            _ => return Err(Code::InvalidSignature.into()),
        };
        token.check_time(self.clock.now())?;
        let found = self
            .read(move |conn| object(conn, &bucket_id, &name))
            .await?;
        match found.id == id {
            true => Ok(found),
            false => Err(Code::InvalidSignature.into()),
        }
    }

    /// A token to upload one file for the admin `owner`. Errors: `NoSuchBucket`, `InvalidKey`,
    /// `ResourceAlreadyExists`.
    pub async fn sign_upload(
        &self,
        owner: String,
        bucket: String,
        name: String,
        upsert: bool,
    ) -> Result<String> {
        let target = Target::by_admin(&owner, bucket, name, upsert);
        let now = self.clock.now();
        let target = self
            .read(move |conn| {
                check_target(conn, &target, now)?;
                Ok(target)
            })
            .await?;
        let permit = Permit::Upload {
            bucket: target.bucket,
            name: target.name,
            owner,
            upsert,
        };
        self.seal(permit, now.plus_seconds(UPLOAD_URL_SECONDS))
    }
}

/// A grant in the form sent to the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub token: String,
    pub expires_at: Time,
}

/// The target of a file that a visitor sends with the request itself.
pub fn visitor_target(quote_id: &str, file: &str) -> Target {
    Target {
        bucket: QUOTES.to_owned(),
        name: format!("{quote_id}/{file}"),
        upsert: false,
        owner: None,
        right: Right::Grant {
            quote_id: quote_id.to_owned(),
            running: None,
        },
        resumable: None,
    }
}

impl Files {
    /// A grant for a quote; `None` if no files are accepted now.
    pub async fn grant(&self, quote_id: &str) -> Option<Grant> {
        if let Err(error) = self.require_space(0).await {
            tracing::warn!(%error, "a quote request gets no grant for files");
            return None;
        }
        let expires_at = self.clock.now().plus_seconds(GRANT_SECONDS);
        let quote = quote_id.to_owned();
        let token = self.seal(Permit::Grant { quote }, expires_at);
        let token = token.inspect_err(|error| tracing::error!(%error, "no grant"));
        Some(Grant {
            token: token.ok()?,
            expires_at,
        })
    }
}

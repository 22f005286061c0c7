//! `[s3]`: the service of the buckets in `files.to` and `backup.to`.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::Secret;

/// The scheme of a bucket's address.
pub const SCHEME: &str = "s3://";

/// The service of the buckets, and its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct S3 {
    /// The URL of the service; empty: Amazon's.
    pub endpoint: String,
    /// The region that requests are signed for.
    pub region: String,
    pub access_key_id: String,
    /// The secret of the access key; only from the environment or `secret_access_key_file`.
    pub secret_access_key: Secret,
    /// A file that contains only the secret.
    pub secret_access_key_file: String,
}

impl Default for S3 {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            region: "us-east-1".to_owned(),
            access_key_id: String::new(),
            secret_access_key: Secret::default(),
            secret_access_key_file: String::new(),
        }
    }
}

impl S3 {
    /// The secret of the access key, from the setting or its file.
    pub fn secret(&self) -> Result<Secret> {
        if self.secret_access_key_file.is_empty() {
            return Ok(self.secret_access_key.clone());
        }
        let secret = Secret::of_file("s3.secret_access_key_file", &self.secret_access_key_file)?;
        Ok(Secret::new(secret.reveal().trim()))
    }

    pub(super) fn check(&self) -> Result<()> {
        let is_url = ["http://", "https://"]
            .iter()
            .any(|scheme| self.endpoint.starts_with(scheme));
        if !(self.endpoint.is_empty() || is_url) {
            bail!("setting `s3.endpoint`: must be a URL, as in https://s3.company.example");
        }
        if self.region.is_empty() {
            bail!("setting `s3.region`: must not be empty");
        }
        Ok(())
    }
}

/// The bucket and the prefix in an address such as `s3://bucket/prefix`. Fails if it is no such
/// address.
pub fn bucket_and_prefix(address: &str) -> Result<(&str, &str)> {
    let path = address.strip_prefix(SCHEME).unwrap_or_default();
    let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
    let prefix = prefix.trim_end_matches('/');
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let is_path = prefix.is_empty()
        || prefix
            .split('/')
            .all(|segment| is_name(segment) && ![".", ".."].contains(&segment));
    if !is_name(bucket) || !is_path {
        bail!("`{address}` is no address of a bucket, as in s3://bucket/prefix");
    }
    Ok((bucket, prefix))
}

#[cfg(test)]
mod tests {
    use super::bucket_and_prefix;

    #[test]
    fn an_address_names_a_bucket_and_a_prefix() {
        for (address, expected) in [
            ("s3://plans", Some(("plans", ""))),
            ("s3://plans/", Some(("plans", ""))),
            ("s3://plans/site/a", Some(("plans", "site/a"))),
            ("s3://plans/site/a/", Some(("plans", "site/a"))),
            ("s3://", None),
            ("s3:///site", None),
            ("s3://plans/../a", None),
            ("s3://plans//a", None),
            ("s3://key:secret@plans/a", None),
            ("plans/site", None),
        ] {
            assert_eq!(bucket_and_prefix(address).ok(), expected, "{address}");
        }
    }
}

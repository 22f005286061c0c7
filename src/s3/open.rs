//! Opens a bucket: its address, access key, timeouts and retries.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use super::Bucket;
use super::background::Background;
use super::checked_lists::CheckedLists;
use config::{self, bucket_and_prefix};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the service may be silent.
const SILENCE: Duration = Duration::from_secs(30);

/// How long a request is tried again while the service cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// A few seconds: a visitor waits.
    Request,
    /// A few minutes: a backup can wait.
    Job,
}

impl Patience {
    fn retries(self) -> RetryConfig {
        let (max_retries, seconds) = match self {
            Self::Request => (3, 5),
            Self::Job => (10, 180),
        };
        RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries,
            retry_timeout: Duration::from_secs(seconds),
        }
    }
}

impl Bucket {
    /// The bucket of `address`, as in `s3://bucket/prefix`. Nothing is requested. Fails if the
    /// address is none, or the access key is missing or cannot be read.
    pub fn open(settings: &config::S3, address: &str, patience: Patience) -> anyhow::Result<Self> {
        let (name, prefix) = bucket_and_prefix(address)?;
        let secret = settings.secret()?;
        if settings.access_key_id.is_empty() || secret.is_empty() {
            bail!(
                "{address} needs an access key: set `s3.access_key_id`, and \
                 GUARDPOST_S3__SECRET_ACCESS_KEY or `s3.secret_access_key_file`"
            );
        }
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(CONNECT_TIMEOUT)
            .with_read_timeout(SILENCE)
            .with_allow_http(settings.endpoint.starts_with("http://"));
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(name)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key_id)
            .with_secret_access_key(secret.reveal())
            .with_client_options(options)
            .with_retry(patience.retries())
            .with_http_connector(CheckedLists)
            // Not every service deletes many objects at once.
            .with_disable_bulk_delete(true);
        if !settings.endpoint.is_empty() {
            builder = builder.with_endpoint(&settings.endpoint);
        }
        let store = builder
            .build()
            .with_context(|| format!("the client of {address}"))?;
        Ok(Self {
            store: Arc::new(store),
            name: name.into(),
            prefix: Path::from(prefix),
            background: Arc::new(Background::start()?),
        })
    }
}

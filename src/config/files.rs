//! `[files]`: the storage service.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::bucket_and_prefix;

/// Where files are stored, lifetimes of upload grants, limits of the disk, and the virus scanner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Files {
    /// The bucket in which files are stored, as `s3://bucket/prefix`; empty: the data folder.
    pub to: String,
    /// Free disk space that uploads leave to the database, in MB; below it they get 507.
    pub reserve_mb: u32,
    /// How many MB of files a visitor's network may send on a day; an IPv6 /48 ten times as many.
    pub client_mb_per_day: u32,
    /// How many MB of files all visitors may send on a day.
    pub mb_per_day: u32,
    /// An upload that sends nothing for this many seconds is ended.
    #[serde(skip)]
    pub silence_seconds: u32,
    /// The address of the virus scanner clamd: a Unix socket or `host:port`. Empty: no scan.
    pub clamd: String,
    /// How long the scanner may take for one file, in seconds: longer than its own limit.
    pub clamd_seconds: u32,
}

impl Default for Files {
    fn default() -> Self {
        Self {
            to: String::new(),
            reserve_mb: 512,
            client_mb_per_day: 200,
            mb_per_day: 5_000,
            silence_seconds: 30,
            clamd: String::new(),
            clamd_seconds: 300,
        }
    }
}

impl Files {
    pub(super) fn check(&self) -> Result<()> {
        if !self.to.is_empty() {
            bucket_and_prefix(&self.to).context("setting `files.to`")?;
        }
        let positive = [
            ("client_mb_per_day", self.client_mb_per_day),
            ("mb_per_day", self.mb_per_day),
            ("clamd_seconds", self.clamd_seconds),
        ];
        if let Some((key, _)) = positive.iter().find(|(_, value)| *value == 0) {
            bail!("setting `files.{key}`: must be at least 1");
        }
        let has_port = |host: &str| {
            let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
            matches!(port, Some(Ok(1..)))
        };
        if !(self.clamd.is_empty() || self.clamd.starts_with('/') || has_port(&self.clamd)) {
            bail!("setting `files.clamd`: must be an absolute path or host:port");
        }
        Ok(())
    }
}

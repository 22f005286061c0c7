//! `guardpost list-backups`: lists backups.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::backup;
use crate::cli::output::print::StandardOutput;
use crate::cli::startup::global_args::GlobalArgs;
use ::backup::list;

/// List the backups in a folder or bucket, oldest first.
///
/// Reads the manifests only; `verify-backup` reads every byte.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost list-backups\n  \
    guardpost list-backups /mnt/backups/guardpost --json")]
pub(in crate::cli) struct ListBackups {
    /// The folder of backups, or s3://bucket/prefix [default: `backup.to`]
    from: Option<PathBuf>,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

impl ListBackups {
    pub(in crate::cli) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let place = backup::place(self.from, &globals.settings()?)?;
        let mut out = StandardOutput;
        for (path, entry) in list(&place)? {
            let path = path.to_string();
            match entry {
                Ok(entry) if self.json => {
                    let manifest = &entry.manifest;
                    let line = json!({
                        "path": path, "created_at": manifest.created_at, "bytes": manifest.bytes(),
                        "sealed": manifest.key.is_some(), "schema": manifest.schema,
                        "program": manifest.program, "counts": manifest.counts,
                    });
                    writeln!(out, "{line}")?;
                }
                Ok(entry) => {
                    let manifest = &entry.manifest;
                    let quotes = manifest.counts.get("quotes").copied().unwrap_or_default();
                    writeln!(
                        out,
                        "{}  {:>6} MB  {quotes} quotes  guardpost {}{}  {path}",
                        manifest.created_at,
                        manifest.bytes().div_ceil(1 << 20),
                        manifest.program,
                        if manifest.key.is_some() {
                            "  sealed"
                        } else {
                            ""
                        },
                    )?;
                }
                Err(error) if self.json => {
                    writeln!(
                        out,
                        "{}",
                        json!({"path": path, "error": format!("{error:#}")})
                    )?;
                }
                Err(error) => writeln!(out, "damaged  {path}: {error:#}")?,
            }
        }
        Ok(())
    }
}

//! `guardpost openapi`: prints the API description, for client generators and for the
//! committed copy.

use std::io::Write;

use anyhow::Result;
use clap::Args;

use super::output::print::StandardOutput;

/// Print the API description (OpenAPI, JSON).
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost openapi > openapi.json")]
pub(super) struct Openapi {}

impl Openapi {
    pub(super) fn run(self) -> Result<()> {
        let description = api::description();
        let mut out = StandardOutput;
        out.write_all(description.trim_end().as_bytes())?;
        Ok(out.write_all(b"\n")?)
    }
}

//! `guardpost render-pages`, which the server starts to render changed content; not for people.

use anyhow::Result;
use clap::Args;

use site::engine;

/// Render the documents of the site: all sections of the content as JSON on standard input, the
/// documents as JSON on standard output.
#[derive(Args)]
pub(super) struct RenderPages {}

impl RenderPages {
    pub(super) fn run(&self) -> Result<()> {
        engine::run(std::io::stdin().lock(), std::io::stdout().lock())
    }
}

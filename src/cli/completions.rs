//! `guardpost completions`: completion scripts for shells.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost completions bash > /etc/bash_completion.d/guardpost\n  \
    guardpost completions zsh > ~/.zfunc/_guardpost")]
pub(super) struct Completions {
    /// The shell to complete in
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the script for `cli`, the definition of all commands.
    pub(super) fn run(self, mut cli: clap::Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "guardpost", &mut script);
        Ok(std::io::stdout().write_all(&script)?)
    }
}

//! `guardpost completions`: the shell's help with typing the other commands.

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
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, mut declared: clap::Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut declared, "guardpost", &mut script);
        Ok(std::io::stdout().write_all(&script)?)
    }
}

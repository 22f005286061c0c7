//! `guardpost completions`: completion scripts for shells.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use super::output::print::StandardOutput;

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost completions bash > /etc/bash_completion.d/guardpost\n  \
    guardpost completions zsh > ~/.zfunc/_guardpost")]
pub(super) struct Completions {
    /// The shell to complete in: bash, zsh or fish
    #[arg(value_parser = parse_shell)]
    shell: Shell,
}

fn parse_shell(name: &str) -> Result<Shell, &'static str> {
    match name {
        "bash" => Ok(Shell::Bash),
        "zsh" => Ok(Shell::Zsh),
        "fish" => Ok(Shell::Fish),
        _ => Err("a shell is bash, zsh or fish"),
    }
}

impl Completions {
    /// Prints the script for `cli`, the definition of all commands.
    pub(super) fn run(self, mut cli: clap::Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "guardpost", &mut script);
        Ok(StandardOutput.write_all(&script)?)
    }
}

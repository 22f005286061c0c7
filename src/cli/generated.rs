//! `guardpost completions`, `man` and `openapi`: what is generated from the definitions of the
//! commands and calls.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
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
    pub(super) fn run(self, mut cli: Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut cli, "guardpost", &mut script);
        Ok(StandardOutput.write_all(&script)?)
    }
}

/// Write the manual pages of all commands.
///
/// One file per command, as in guardpost-backup.1.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost man --out /usr/local/share/man/man1")]
pub(super) struct Man {
    /// The folder, created if missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Man {
    pub(super) fn run(self, program: Command) -> Result<()> {
        let describe = || format!("cannot write into {}", self.out.display());
        std::fs::create_dir_all(&self.out).with_context(describe)?;
        clap_mangen::generate_to(program, &self.out).with_context(describe)?;
        say!("The manual pages are in {}.", self.out.display());
        Ok(())
    }
}

/// Prints the API description, for client generators and for the committed copy.
pub(super) fn print_api_description() -> Result<()> {
    let description = api::description();
    Ok(writeln!(StandardOutput, "{}", description.trim_end())?)
}

//! `guardpost read-email`, which the server starts to read an email; not for people.

use anyhow::Result;
use clap::Args;

use inbound_mail::reading::process;

/// Read an email: a task as a line of JSON and the email on standard input, what it says as a line
/// of JSON and its files on standard output.
#[derive(Args)]
pub(super) struct ReadEmail {}

impl ReadEmail {
    pub(super) fn run(&self) -> Result<()> {
        process::run()
    }
}

//! `guardpost receive`: takes one email from a mail server.

use std::io::Read;

use anyhow::{Context, Result};
use clap::Args;

use super::serve::install_tls_provider;
use super::startup::global_args::GlobalArgs;
use crate::app;
use domain::clock::Clock;
use inbound_mail::ReceiveError;
use s3::ownership::Role;
use store::conversation::received::Way;

/// The email will never be accepted (`EX_DATAERR`, sysexits.h): the mail server returns it to its
/// sender.
const DATA_ERROR: i32 = 65;
/// Try again later (`EX_TEMPFAIL`): the mail server keeps the email.
const TEMPORARY_FAILURE: i32 = 75;

/// Receive one email of a customer from standard input.
///
/// For an alias or a pipe of a mail server. The server reads the email within a second, or when it
/// starts. The exit code is 0 when the email is stored durably, 75 when the mail server should try
/// again, and 65 when it should return the email to its sender, because it is empty or larger than
/// 30 MB.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost receive < answer.eml\n  \
    office: \"|/usr/bin/guardpost receive --config /etc/guardpost/config.toml\"")]
pub(super) struct Receive {
    /// The address of the envelope to which the email was sent
    #[arg(long, value_name = "ADDRESS")]
    recipient: Option<String>,
}

impl Receive {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let code = match self.receive(globals).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error @ ReceiveError::Refused(_))) => {
                note!("guardpost: {error}");
                DATA_ERROR
            }
            Ok(Err(error)) => {
                note!("guardpost: {error}");
                TEMPORARY_FAILURE
            }
            Err(error) => {
                note!("guardpost: {error:#}");
                TEMPORARY_FAILURE
            }
        };
        std::process::exit(code)
    }

    async fn receive(self, globals: &GlobalArgs) -> Result<Result<(), ReceiveError>> {
        let config = globals.settings()?;
        globals.refuse_drill(&config, "emails of customers go to the production server")?;
        install_tls_provider()?;
        let store = GlobalArgs::open_existing(&config)?;
        let clock = Clock::system();
        let role = Role::of(&store, &config.data, &clock).await?;
        let inbound = app::workers::open_inbound(&config, store.clone(), clock, &role).await?;
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(inbound.max_bytes + 1)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        let received = inbound.receive(bytes, Way::Pipe, self.recipient).await;
        store.close().await;
        Ok(received)
    }
}

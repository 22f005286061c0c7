//! `guardpost reset-password`: emails or prints a link that sets a new password.

use anyhow::Result;
use clap::Args;

use super::account_service::{Account, warn_if_loopback_origin};
use crate::cli::startup::global_args::GlobalArgs;
use auth::Auth;

/// Let a user choose a new password.
///
/// The user gets an email with a link and a code. If no mail server is configured, or with
/// --print, a link that works once is printed instead. Links start with `server.base_url`, or with
/// `server.listen` if that is empty. The old password works until a new one is chosen; second
/// factors are kept (disable-factor removes them).
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost reset-password --email dispatcher@company.example\n  \
    guardpost reset-password --email dispatcher@company.example --print")]
pub(in crate::cli) struct ResetPassword {
    #[command(flatten)]
    account: Account,
    /// Print the link even if a mail server is configured
    #[arg(long)]
    print: bool,
}

impl ResetPassword {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let account = self.account;
        if self.print || config.mail.smtp_host.is_empty() {
            let make = async |auth: Auth, email| auth.recovery_link(email).await;
            say!("{}", account.with(globals, make).await?);
        } else {
            let send = async |auth: Auth, email| auth.mail_recovery_link(email).await;
            account.with(globals, send).await?;
            say!("The running server sends an email to {}.", account.email);
        }
        warn_if_loopback_origin(&config.server);
        Ok(())
    }
}

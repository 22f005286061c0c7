//! `guardpost reset-password`: emails or prints a link that sets a new password.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::startup::global_args::GlobalArgs;
use domain::email::email_address::EmailAddress;

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
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Print the link even if a mail server is configured
    #[arg(long)]
    print: bool,
}

impl ResetPassword {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(&config, IfMissing::Fail).await?;
        let explain = account_service::explain_not_found(&self.email);
        if self.print || config.mail.smtp_host.is_empty() {
            let link = auth.recovery_link(self.email).await.map_err(explain)?;
            say!("{link}");
        } else {
            let email = self.email.as_str().to_owned();
            auth.mail_recovery_link(self.email).await.map_err(explain)?;
            say!("The running server sends an email to {email}.");
        }
        account_service::warn_if_loopback_origin(&config.server);
        Ok(())
    }
}

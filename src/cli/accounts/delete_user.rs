//! `guardpost delete-user`: deletes an account.

use anyhow::{Result, bail};
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::startup::global_args::GlobalArgs;
use domain::email::email_address::EmailAddress;

/// Delete a user with all sessions and second factors, and release their requests.
///
/// This cannot be undone; suspend-user can. The last admin cannot be deleted.
#[derive(Args)]
#[command(
    after_help = "Example:\n  guardpost delete-user --email dispatcher@company.example --yes"
)]
pub(in crate::cli) struct DeleteUser {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Confirm the deletion
    #[arg(long)]
    yes: bool,
}

impl DeleteUser {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        if !self.yes {
            bail!(
                "this cannot be undone; run it with --yes to delete {}",
                self.email
            );
        }
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        auth.remove_user(self.email.clone())
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        say!("{} is deleted.", self.email.as_str());
        Ok(())
    }
}

//! `guardpost demote-admin`: revokes a user's admin role.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::global_args::GlobalArgs;
use crate::domain::email_address::EmailAddress;

/// Revoke a user's admin role and release their requests.
///
/// The account stays, without access to the dashboard. The last admin cannot be demoted.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost demote-admin --email dispatcher@company.example")]
pub(in crate::cli) struct DemoteAdmin {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl DemoteAdmin {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        let had_role = auth
            .demote_admin(self.email.clone())
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let outcome = match had_role {
            true => "is no admin any longer",
            false => "was not an admin",
        };
        println!("{} {outcome}.", self.email.as_str());
        Ok(())
    }
}

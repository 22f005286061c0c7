//! `guardpost demote-admin`: revokes a user's role.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::startup::global_args::GlobalArgs;
use domain::email::email_address::EmailAddress;

/// Revoke the role of an admin or dispatcher and release their requests.
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
        let former = auth
            .set_role(self.email.clone(), None)
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let email = self.email.as_str();
        match former {
            Some(role) => println!("{email} is no {} any longer.", role.as_str()),
            None => println!("{email} was not an admin."),
        }
        Ok(())
    }
}

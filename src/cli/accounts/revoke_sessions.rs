//! `guardpost revoke-sessions`: signs a user out on all devices.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use domain::email::email_address::EmailAddress;

/// Sign a user out on all devices, immediately.
///
/// Use it for a lost phone or after a user has left the company. The account stays; it can still
/// be signed in to with the password.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost revoke-sessions --email guard@company.example")]
pub(in crate::cli) struct RevokeSessions {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl RevokeSessions {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        let ended = auth
            .revoke_sessions(self.email.clone())
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let sessions = count_noun(ended, "session");
        say!("{sessions} of {} ended.", self.email.as_str());
        Ok(())
    }
}

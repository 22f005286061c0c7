//! `guardpost disable-factor`: removes the second factors of a user who has lost them.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use domain::email::email_address::EmailAddress;

/// Remove a user's second factors and recovery codes.
///
/// Verify the user's identity first: until they set up a new factor, the password alone is enough
/// to sign in.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost disable-factor --email dispatcher@company.example")]
pub(in crate::cli) struct DisableFactor {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl DisableFactor {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        let removed = auth
            .disable_factors(self.email.clone())
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let factors = count_noun(removed, "factor");
        say!("{factors} of {} removed.", self.email.as_str());
        Ok(())
    }
}

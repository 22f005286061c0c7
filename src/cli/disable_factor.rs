//! `guardpost disable-factor`: a way back in for somebody who has lost the phone with the codes.

use anyhow::Result;
use clap::Args;

use super::account_service::{self, Folder};
use super::counted;
use super::global_args::GlobalArgs;
use crate::domain::account::EmailAddress;

/// Remove somebody's second factors and recovery codes.
///
/// Make sure that it is they who ask: from then on the password alone opens the account, until they set up a new factor.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost disable-factor --email dispatcher@company.example")]
pub(super) struct DisableFactor {
    /// Whose factors
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl DisableFactor {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let auth = account_service::service(&place.settings()?, Folder::There).await?;
        let removed = auth
            .disable_factors(self.email.clone())
            .await
            .map_err(account_service::unknown(&self.email))?;
        let factors = counted(removed, "factor");
        println!("{factors} of {} removed.", self.email.as_str());
        Ok(())
    }
}

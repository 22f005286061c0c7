//! `guardpost revoke-sessions`: signs somebody out everywhere.

use anyhow::Result;
use clap::Args;

use super::account_service::{self, Folder};
use super::counted;
use super::global_args::GlobalArgs;
use crate::domain::account::EmailAddress;

/// Sign somebody out everywhere, at once.
///
/// For a lost phone or somebody who has left. The account stays; whoever knows the password can sign in again.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost revoke-sessions --email guard@company.example")]
pub(super) struct RevokeSessions {
    /// Whose sessions
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl RevokeSessions {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let auth = account_service::service(&place.settings()?, Folder::There).await?;
        let ended = auth
            .revoke_sessions(self.email.clone())
            .await
            .map_err(account_service::unknown(&self.email))?;
        let sessions = counted(ended, "session");
        println!("{sessions} of {} ended.", self.email.as_str());
        Ok(())
    }
}

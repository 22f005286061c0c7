//! `guardpost revoke-sessions`, `disable-factor`, `suspend-user` and `delete-user`: commands of an
//! operator for one account.

use anyhow::{Result, bail};
use clap::Args;

use super::account_service::Account;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use auth::Auth;
use auth::accounts::ban::Ban;

/// Sign a user out on all devices, immediately.
///
/// Use it for a lost phone or after a user has left the company. The account stays; it can still
/// be signed in to with the password.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost revoke-sessions --email guard@company.example")]
pub(in crate::cli) struct RevokeSessions {
    #[command(flatten)]
    account: Account,
}

impl RevokeSessions {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let account = self.account;
        let revoke = async |auth: Auth, email| auth.revoke_sessions(email).await;
        let ended = count_noun(account.with(globals, revoke).await?, "session");
        say!("{ended} of {} ended.", account.email);
        Ok(())
    }
}

/// Remove a user's second factors and recovery codes.
///
/// Verify the user's identity first: until they set up a new factor, the password alone is enough
/// to sign in.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost disable-factor --email dispatcher@company.example")]
pub(in crate::cli) struct DisableFactor {
    #[command(flatten)]
    account: Account,
}

impl DisableFactor {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let account = self.account;
        let disable = async |auth: Auth, email| auth.disable_factors(email).await;
        let removed = count_noun(account.with(globals, disable).await?, "factor");
        say!("{removed} of {} removed.", account.email);
        Ok(())
    }
}

/// Block a user from signing in and from using open sessions.
///
/// The account, its role and its requests stay. The last admin cannot be suspended.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost suspend-user --email dispatcher@company.example\n  \
    guardpost suspend-user --email dispatcher@company.example --hours 48\n  \
    guardpost suspend-user --email dispatcher@company.example --lift")]
pub(in crate::cli) struct SuspendUser {
    #[command(flatten)]
    account: Account,
    /// For how long [default: until it is lifted]
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=876_000))]
    hours: Option<u32>,
    /// Let the user sign in again
    #[arg(long, conflicts_with = "hours")]
    lift: bool,
}

/// A hundred years.
const UNTIL_LIFTED_HOURS: u32 = 876_000;

impl SuspendUser {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let hours = self.hours.unwrap_or(UNTIL_LIFTED_HOURS);
        let ban = match self.lift {
            true => Ban::None,
            false => Ban::Seconds(i64::from(hours) * 3600),
        };
        let suspend = async |auth: Auth, email| auth.suspend_user(email, ban).await;
        self.account.with(globals, suspend).await?;
        let outcome = match (self.lift, self.hours) {
            (true, _) => "can sign in again".to_owned(),
            (false, None) => "is suspended until you run this with --lift".to_owned(),
            (false, Some(hours)) => format!("is suspended for {hours} hours"),
        };
        say!("{} {outcome}.", self.account.email);
        Ok(())
    }
}

/// Delete a user with all sessions and second factors, and release their requests.
///
/// This cannot be undone; suspend-user can. The last admin cannot be deleted.
#[derive(Args)]
#[command(
    after_help = "Example:\n  guardpost delete-user --email dispatcher@company.example --yes"
)]
pub(in crate::cli) struct DeleteUser {
    #[command(flatten)]
    account: Account,
    /// Confirm the deletion
    #[arg(long)]
    yes: bool,
}

impl DeleteUser {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let account = self.account;
        if !self.yes {
            let email = account.email;
            bail!("this cannot be undone; run it with --yes to delete {email}");
        }
        let delete = async |auth: Auth, email| auth.remove_user(email).await;
        account.with(globals, delete).await?;
        say!("{} is deleted.", account.email);
        Ok(())
    }
}

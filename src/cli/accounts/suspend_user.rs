//! `guardpost suspend-user`: blocks a user from signing in, for a time or until it is lifted.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::startup::global_args::GlobalArgs;
use auth::accounts::ban::Ban;
use domain::email::email_address::EmailAddress;

/// Block a user from signing in and from using open sessions.
///
/// The account, its role and its requests stay. The last admin cannot be suspended.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost suspend-user --email dispatcher@company.example\n  \
    guardpost suspend-user --email dispatcher@company.example --hours 48\n  \
    guardpost suspend-user --email dispatcher@company.example --lift")]
pub(in crate::cli) struct SuspendUser {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
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
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        let hours = self.hours.unwrap_or(UNTIL_LIFTED_HOURS);
        let ban = match self.lift {
            true => Ban::None,
            false => Ban::Seconds(i64::from(hours) * 3600),
        };
        auth.suspend_user(self.email.clone(), ban)
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let outcome = match (self.lift, self.hours) {
            (true, _) => "can sign in again".to_owned(),
            (false, None) => "is suspended until you run this with --lift".to_owned(),
            (false, Some(hours)) => format!("is suspended for {hours} hours"),
        };
        say!("{} {outcome}.", self.email.as_str());
        Ok(())
    }
}

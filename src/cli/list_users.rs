//! `guardpost list-users`: who has an account.

use std::io::Write;

use anyhow::Result;
use clap::Args;

use super::account_service::{self, Folder};
use super::global_args::GlobalArgs;

/// List the people who have an account, newest first.
///
/// One line each: address, roles, whether the address is confirmed, a second factor is set up or the account is banned, and the last sign-in.
#[derive(Args)]
#[command(after_help = "Examples:\n  guardpost list-users\n  guardpost list-users --limit 10")]
pub(super) struct ListUsers {
    /// How many at most
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: u32,
}

impl ListUsers {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let auth = account_service::service(&place.settings()?, Folder::There).await?;
        let now = auth.clock().now();
        let people = auth.list_users(self.limit).await?;
        if people.is_empty() {
            eprintln!("Nobody has an account yet; create-admin makes the first.");
        }
        let mut out = std::io::stdout().lock();
        for (user, roles) in people {
            let address = user.email.as_deref().unwrap_or(&user.id);
            let mut marks = roles;
            if user.email_confirmed_at.is_none() {
                marks.push("unconfirmed".to_owned());
            }
            if user.has_verified_factor() {
                marks.push("second factor".to_owned());
            }
            if user.is_banned(now) {
                marks.push("banned".to_owned());
            }
            let seen = match user.last_sign_in_at {
                Some(at) => format!("last signed in {at}"),
                None => "never signed in".to_owned(),
            };
            writeln!(out, "{address}  [{}]  {seen}", marks.join(", "))?;
        }
        Ok(())
    }
}

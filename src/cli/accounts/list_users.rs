//! `guardpost list-users`: lists all accounts.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::account_service;
use crate::cli::output::print::StandardOutput;
use crate::cli::startup::global_args::GlobalArgs;
use auth::admin::UserWithRoles;

/// List all users, newest first.
///
/// One line per user: email address, then roles and any of `unconfirmed`, `second factor` and
/// `banned` in brackets, then the last sign-in.
#[derive(Args)]
#[command(after_help = "Examples:\n  guardpost list-users\n  guardpost list-users --limit 10")]
pub(in crate::cli) struct ListUsers {
    /// Maximum number of users
    #[arg(long, default_value_t = 1000, value_name = "N")]
    limit: u32,
    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

impl ListUsers {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(GlobalArgs::open_existing(&config)?, &config).await?;
        let now = auth.clock.now();
        let users = auth.list_users(self.limit).await?;
        if users.is_empty() {
            note!("There are no accounts yet; create-admin creates the first one.");
        }
        let mut out = StandardOutput;
        for UserWithRoles { user, roles } in users {
            if self.json {
                let line = json!({
                    "id": user.id, "email": user.email, "roles": roles,
                    "confirmed": user.email_confirmed_at.is_some(),
                    "second_factor": user.has_verified_factor(), "banned": user.is_banned(now),
                    "last_sign_in_at": user.last_sign_in_at,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let address = user.email.as_deref().unwrap_or(&user.id);
            let mut labels = roles;
            if user.email_confirmed_at.is_none() {
                labels.push("unconfirmed".to_owned());
            }
            if user.has_verified_factor() {
                labels.push("second factor".to_owned());
            }
            if user.is_banned(now) {
                labels.push("banned".to_owned());
            }
            let last_sign_in = match user.last_sign_in_at {
                Some(at) => format!("last signed in {at}"),
                None => "never signed in".to_owned(),
            };
            writeln!(out, "{address}  [{}]  {last_sign_in}", labels.join(", "))?;
        }
        Ok(())
    }
}

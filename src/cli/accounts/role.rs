//! `guardpost set-role`: changes the role of a user. The argument is shared with the commands that
//! create and invite.

use anyhow::Result;
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::cli::startup::global_args::GlobalArgs;
use domain::account::Role;
use domain::email::email_address::EmailAddress;

/// Parses the name of a role.
pub(super) fn parse_role(name: &str) -> Result<Role, &'static str> {
    Role::parse(name).ok_or("a role is `admin` or `dispatcher`")
}

/// `an admin`, `a dispatcher`.
pub(super) const fn with_article(role: Role) -> &'static str {
    match role {
        Role::Admin => "an admin",
        Role::Dispatcher => "a dispatcher",
    }
}

/// Make a user an admin or a dispatcher.
///
/// A dispatcher works on requests, without users, content, erasure and exports. The user keeps
/// their requests. The last admin stays one; demote-admin takes the role away.
#[derive(Args)]
#[command(
    after_help = "Example:\n  guardpost set-role --email night@company.example --role dispatcher"
)]
pub(in crate::cli) struct SetRole {
    /// The user's email address
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// `admin` or `dispatcher`
    #[arg(long, value_name = "ROLE", value_parser = parse_role)]
    role: Role,
}

impl SetRole {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let auth = account_service::open(&globals.settings()?, IfMissing::Fail).await?;
        let former = auth
            .set_role(self.email.clone(), Some(self.role))
            .await
            .map_err(account_service::explain_not_found(&self.email))?;
        let (email, role) = (self.email.as_str(), with_article(self.role));
        match former == Some(self.role) {
            true => println!("{email} is {role} already; nothing was changed."),
            false => println!("{email} is {role} now."),
        }
        Ok(())
    }
}

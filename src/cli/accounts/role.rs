//! `guardpost set-role`: changes the role of a user. The argument is shared with the commands that
//! create and invite.

use anyhow::Result;
use clap::Args;

use super::account_service::Account;
use crate::cli::startup::global_args::GlobalArgs;
use auth::Auth;
use domain::account::Role;

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

/// Make a user an admin or a dispatcher, or neither.
///
/// A dispatcher works on requests, without users, content, erasure and exports. The user keeps
/// their requests, and stays signed in. The last admin stays one.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost set-role --email night@company.example --role dispatcher\n  \
    guardpost set-role --email former@company.example --role none")]
pub(in crate::cli) struct SetRole {
    #[command(flatten)]
    account: Account,
    /// `admin`, `dispatcher` or `none`
    #[arg(long, value_name = "ROLE", value_parser = parse_any)]
    role: AnyRole,
}

/// A role, or none.
#[derive(Clone)]
struct AnyRole(Option<Role>);

fn parse_any(name: &str) -> Result<AnyRole, &'static str> {
    match name {
        "none" => Ok(AnyRole(None)),
        name => parse_role(name).map(|role| AnyRole(Some(role))),
    }
}

impl SetRole {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let set = async |auth: Auth, email| auth.set_role(email, self.role.0).await;
        let former = self.account.with(globals, set).await?;
        let role = match self.role.0 {
            Some(role) => with_article(role),
            None => "neither an admin nor a dispatcher",
        };
        let email = self.account.email;
        match former == self.role.0 {
            true => say!("{email} is {role} already; nothing was changed."),
            false => say!("{email} is {role} now."),
        }
        Ok(())
    }
}

//! `guardpost create-admin`: creates the first admin, further ones, and dispatchers.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::account_service;
use super::role::{parse_role, with_article};
use crate::cli::startup::global_args::GlobalArgs;
use auth::accounts::role::RoleCreation;
use domain::account::Role;
use domain::email::email_address::EmailAddress;

/// Create an admin or a dispatcher, or give an existing account that role.
///
/// Asks for a password twice, without showing it. If a confirmed account with this address
/// exists, it gets the role and keeps its password. An unconfirmed account may have been created
/// by someone else: it gets the password given here.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost create-admin --email you@company.example\n  \
    guardpost create-admin --email night@company.example --role dispatcher\n  \
    pass show guardpost | guardpost create-admin --email you@company.example --password-stdin")]
pub(in crate::cli) struct CreateAdmin {
    /// The email address to sign in with
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// `admin`, or `dispatcher`: requests only, without users, content, erasure and exports
    #[arg(long, value_name = "ROLE", default_value = "admin", value_parser = parse_role)]
    role: Role,
    /// Read the password from the first line of standard input
    #[arg(long)]
    password_stdin: bool,
}

impl CreateAdmin {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(GlobalArgs::open(&config)?, &config).await?;
        let email = self.email.as_str().to_owned();
        let password = if self.password_stdin {
            read_first_line()?
        } else if auth.has_confirmed(self.email.clone()).await? {
            // The account keeps its password.
            String::new()
        } else {
            prompt_twice()?
        };
        let role = with_article(self.role);
        let created = auth.create_with_role(self.email, &password, self.role);
        match created.await? {
            RoleCreation::Created => say!("{email} is {role} now, with a new account."),
            RoleCreation::Granted => {
                say!("{email} had an account and is {role} now; the password is unchanged.")
            }
            RoleCreation::Confirmed => say!(
                "{email} had an unconfirmed account; it is confirmed and {role} now, with the \
                 password given here."
            ),
            RoleCreation::Already => say!("{email} is {role} already; nothing was changed."),
        }
        Ok(())
    }
}

fn read_first_line() -> Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("cannot read the password from standard input")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Prompts twice, since the password is not shown while it is typed.
fn prompt_twice() -> Result<String> {
    if !std::io::stdin().is_terminal() {
        bail!("cannot prompt for a password without a terminal; use --password-stdin");
    }
    let prompt = |text| rpassword::prompt_password(text).context("cannot read the password");
    let password = prompt("Password: ")?;
    if password != prompt("Repeat the password: ")? {
        bail!("the two passwords differ");
    }
    Ok(password)
}

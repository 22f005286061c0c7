//! `guardpost create-admin`: creates the first admin and further ones.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::auth::accounts::admin_role::AdminCreation;
use crate::cli::global_args::GlobalArgs;
use crate::domain::email_address::EmailAddress;

/// Create an admin, or make an existing account an admin.
///
/// Asks for a password twice, without showing it. If a confirmed account with this address
/// exists, it gets the role and keeps its password. An unconfirmed account may have been created
/// by someone else: it gets the password given here.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost create-admin --email you@company.example\n  \
    pass show guardpost | guardpost create-admin --email you@company.example --password-stdin")]
pub(in crate::cli) struct CreateAdmin {
    /// The email address to sign in with
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Read the password from the first line of standard input
    #[arg(long)]
    password_stdin: bool,
}

impl CreateAdmin {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let auth = account_service::open(&globals.settings()?, IfMissing::Create).await?;
        let email = self.email.as_str().to_owned();
        let password = if self.password_stdin {
            read_first_line()?
        } else if auth.has_confirmed(self.email.clone()).await? {
            // The account keeps its password.
            String::new()
        } else {
            prompt_twice()?
        };
        match auth.create_admin(self.email, &password).await? {
            AdminCreation::Created => println!("{email} is an admin now, with a new account."),
            AdminCreation::Granted => {
                println!("{email} had an account and is an admin now; the password is unchanged.")
            }
            AdminCreation::Confirmed => println!(
                "{email} had an unconfirmed account; it is confirmed and an admin now, with the \
                 password given here."
            ),
            AdminCreation::Already => {
                println!("{email} is an admin already; nothing was changed.")
            }
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

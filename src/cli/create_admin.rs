//! `guardpost create-admin`: the first admin, and any other, made by whoever may run commands on the host.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::account_service::{self, Folder};
use super::global_args::GlobalArgs;
use crate::auth::accounts::AdminCreation;
use crate::domain::account::EmailAddress;

/// Make somebody an admin.
///
/// Asks for a password twice, without showing it. Where the address has a confirmed account already, the account gets the role and keeps its
/// password. An account that was never confirmed may be a stranger's sign-up: it gets the password given here.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost create-admin --email you@company.example\n  \
    pass show guardpost | guardpost create-admin --email you@company.example --password-stdin")]
pub(super) struct CreateAdmin {
    /// The address to sign in with
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Read the password from standard input, up to the end of the first line
    #[arg(long)]
    password_stdin: bool,
}

impl CreateAdmin {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let auth = account_service::service(&place.settings()?, Folder::Made).await?;
        let email = self.email.as_str().to_owned();
        let password = if self.password_stdin {
            first_line()?
        } else if auth.has_confirmed(self.email.clone()).await? {
            // The account keeps the password it has.
            String::new()
        } else {
            ask_twice()?
        };
        match auth.create_admin(self.email, &password).await? {
            AdminCreation::Created => println!("{email} is an admin now, with a new account."),
            AdminCreation::Granted => {
                println!("{email} had an account and is an admin now; the password is as it was.")
            }
            AdminCreation::Confirmed => println!(
                "{email} had an account that was never confirmed; it is confirmed and an admin now, with the password given here."
            ),
            AdminCreation::Already => {
                println!("{email} was an admin already; nothing was changed.")
            }
        }
        Ok(())
    }
}

fn first_line() -> Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("cannot read the password from standard input")?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Twice, because nobody sees what is typed.
fn ask_twice() -> Result<String> {
    if !std::io::stdin().is_terminal() {
        bail!("there is no terminal to ask for a password; give --password-stdin");
    }
    let ask = |prompt| rpassword::prompt_password(prompt).context("cannot ask for the password");
    let password = ask("Password: ")?;
    if password != ask("The same again: ")? {
        bail!("the two passwords differ");
    }
    Ok(password)
}

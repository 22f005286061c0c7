//! `guardpost invite-admin`: invites a new admin by email or with a printed link.

use anyhow::{Result, anyhow};
use clap::Args;

use super::account_service;
use super::account_service::IfMissing;
use crate::auth::Error;
use crate::auth::audit::Actor;
use crate::cli::global_args::GlobalArgs;
use crate::domain::email_address::EmailAddress;

/// Invite a new admin by email.
///
/// They get an email with a link and a code, and choose their own password. The running server
/// sends the email; if no mail server is configured, the link is printed for you to pass on. Links
/// start with `server.base_url`, or with `server.listen` if that is empty.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost invite-admin --email dispatcher@company.example")]
pub(in crate::cli) struct InviteAdmin {
    /// The email address to invite
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl InviteAdmin {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(&config, IfMissing::Create).await?;
        let email = self.email.as_str().to_owned();
        let dashboard = format!("{}/admin", config.server.origin());
        let invited = auth
            .invite(Actor::Operator, self.email, true, Some(dashboard))
            .await
            .map_err(|error| match error {
                Error::Rejected(error) if error.code == "email_exists" => {
                    anyhow!("{email} has an account already; create-admin makes it an admin")
                }
                error => error.into(),
            })?;
        if config.mail.smtp_host.is_empty() {
            println!(
                "{email} is invited. No mail server is configured; pass on this link, which works \
                 once:"
            );
            println!("{}", invited.link);
        } else {
            println!("{email} is invited; the running server sends the email.");
        }
        account_service::warn_if_loopback_origin(&config.server);
        Ok(())
    }
}

//! `guardpost invite-admin`: invites a new admin or dispatcher by email or with a printed link.

use anyhow::{Result, anyhow};
use clap::Args;

use super::account_service;
use super::role::parse_role;
use crate::cli::startup::global_args::GlobalArgs;
use auth::Error;
use domain::account::Role;
use domain::email::email_address::EmailAddress;

/// Invite a new admin or dispatcher by email.
///
/// They get an email with a link and a code, and choose their own password. The running server
/// sends the email; if no mail server is configured, the link is printed for you to pass on. Links
/// start with `server.base_url`, or with `server.listen` if that is empty.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost invite-admin --email office@company.example\n  \
    guardpost invite-admin --email night@company.example --role dispatcher")]
pub(in crate::cli) struct InviteAdmin {
    /// The email address to invite
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// `admin`, or `dispatcher`: requests only, without users, content, erasure and exports
    #[arg(long, value_name = "ROLE", default_value = "admin", value_parser = parse_role)]
    role: Role,
}

impl InviteAdmin {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let auth = account_service::open(GlobalArgs::open(&config)?, &config).await?;
        let email = self.email.as_str().to_owned();
        let dashboard = format!("{}/admin", config.server.origin());
        let invited = auth
            .invite(None, self.email, Some(self.role), Some(dashboard))
            .await
            .map_err(|error| match error {
                Error::Rejected(error) if error.code == "email_exists" => {
                    anyhow!("{email} has an account already; set-role gives it a role")
                }
                error => error.into(),
            })?;
        if config.mail.smtp_host.is_empty() {
            say!(
                "{email} is invited. No mail server is configured; pass on this link, which works \
                 once:"
            );
            say!("{}", invited.link);
        } else {
            say!("{email} is invited; the running server sends the email.");
        }
        account_service::warn_if_loopback_origin(&config.server);
        Ok(())
    }
}

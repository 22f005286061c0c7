//! `guardpost invite-admin`: somebody chooses a password of their own and works in the dashboard.

use anyhow::{Result, anyhow};
use clap::Args;

use super::account_service::{self, Folder};
use super::global_args::GlobalArgs;
use crate::auth::Error;
use crate::auth::audit::Actor;
use crate::domain::account::EmailAddress;

/// Invite somebody to be an admin.
///
/// They get a mail with a link and a code, and choose their own password. The running server sends the mail; where no mail server is
/// configured, the link is printed for you to hand on. Links lead to `server.base_url`, or to `server.listen` where that is empty.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost invite-admin --email dispatcher@company.example")]
pub(super) struct InviteAdmin {
    /// Whom to invite
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
}

impl InviteAdmin {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let config = place.settings()?;
        let auth = account_service::service(&config, Folder::Made).await?;
        let email = self.email.as_str().to_owned();
        let dashboard = format!("{}/admin", config.server.origin());
        let invited = auth
            .invite(Actor::Operator, self.email, true, Some(dashboard))
            .await
            .map_err(|error| match error {
                Error::Refused(refusal) if refusal.code == "email_exists" => {
                    anyhow!("{email} has an account already; create-admin gives it the role")
                }
                error => error.into(),
            })?;
        if config.mail.smtp_host.is_empty() {
            println!(
                "{email} is invited. There is no mail server; hand on this link, which works once:"
            );
            println!("{}", invited.link);
        } else {
            println!("{email} is invited; the running server sends the mail.");
        }
        account_service::mind_local_links(&config.server);
        Ok(())
    }
}

//! `guardpost reset-password`: a way back in for somebody who has forgotten the password.

use anyhow::Result;
use clap::Args;

use super::account_service::{self, Folder};
use super::global_args::GlobalArgs;
use crate::domain::account::EmailAddress;

/// Let somebody choose a new password.
///
/// They get a mail with a link and a code. Where no mail server is configured, or with --print, a link that works once is printed for you to
/// hand on instead. Links lead to `server.base_url`, or to `server.listen` where that is empty. The old password works until a new one is chosen; a second factor stays (disable-factor removes it).
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost reset-password --email dispatcher@company.example\n  \
    guardpost reset-password --email dispatcher@company.example --print")]
pub(super) struct ResetPassword {
    /// Whose password
    #[arg(long, value_name = "ADDRESS")]
    email: EmailAddress,
    /// Print the link even where there is a mail server
    #[arg(long)]
    print: bool,
}

impl ResetPassword {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        let config = place.settings()?;
        let auth = account_service::service(&config, Folder::There).await?;
        let unknown = account_service::unknown(&self.email);
        if self.print || config.mail.smtp_host.is_empty() {
            let link = auth.recovery_link(self.email).await.map_err(unknown)?;
            println!("{link}");
            account_service::mind_local_links(&config.server);
            return Ok(());
        }
        let email = self.email.as_str().to_owned();
        auth.mail_recovery_link(self.email).await.map_err(unknown)?;
        println!("The running server sends a mail to {email}.");
        account_service::mind_local_links(&config.server);
        Ok(())
    }
}

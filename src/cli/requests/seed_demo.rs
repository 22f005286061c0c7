//! `guardpost seed-demo`: fills a database with sample requests.

use std::io::IsTerminal;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::demo_year;
use super::samples::samples;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use config::Config;
use domain::clock::{Clock, Time};
use domain::form::Forms;
use domain::spam;
use store::inbox::demo::{DemoRequest, DemoRequestKind};

/// Fill a database with sample quotes and messages.
///
/// They are marked as samples, send no emails, and count in no figure. The command fails if the
/// database holds a real request, and asks first if the settings are those of a public site;
/// running it again replaces the samples.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost seed-demo --data demo && guardpost serve --data demo\n  \
    guardpost seed-demo --remove --data demo\n  \
    guardpost seed-demo --year --data demo-year")]
pub(in crate::cli) struct SeedDemo {
    /// Make a year of a company instead: requests, offers and views until now, as real ones
    ///
    /// They are not marked, so that figures count them; the database must hold no request, and no
    /// server may run on it. Nobody can sign in as the people of the year: create-admin makes your
    /// own account.
    #[arg(long)]
    year: bool,
    /// Take the samples out, and leave every other request as it is
    #[arg(long, conflicts_with = "year")]
    remove: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl SeedDemo {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        if self.remove {
            let removed = GlobalArgs::open_existing(&config)?.remove_demo().await?;
            say!("{} removed", count_noun(removed, "sample"));
            return Ok(());
        }
        if !self.yes && is_public(&config) {
            confirm(&config)?;
        }
        if self.year {
            let (requests, offers) = demo_year::fill(&config, Clock::system().now()).await?;
            say!(
                "{} and {} of a year in {}",
                count_noun(requests, "request"),
                count_noun(offers, "offer"),
                config.data.dir.display()
            );
            return Ok(());
        }
        let mut requests = requests(Clock::system().now())?;
        // The search index expects requests in the order of their receipt.
        requests.sort_by_key(|request| request.at);
        let counts = GlobalArgs::open(&config)?.seed_demo(requests).await?;
        say!(
            "{} sample quotes and {} sample messages in {}",
            counts.quotes,
            counts.messages,
            config.data.dir.display()
        );
        Ok(())
    }
}

/// Whether the settings are those of a site that customers see.
fn is_public(config: &Config) -> bool {
    !config.server.base_url.is_empty()
        || !config.mail.smtp_host.is_empty()
        || !config.backup.to.is_empty()
}

/// Asks on the terminal. Fails if the answer is not yes, or there is nobody to ask.
fn confirm(config: &Config) -> Result<()> {
    let folder = config.data.dir.display();
    if !std::io::stdin().is_terminal() {
        bail!("the settings are those of a public site; --yes writes samples into {folder}");
    }
    note!("The settings are those of a public site. Write samples into {folder}? (yes/no)");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match answer.trim() {
        "yes" => Ok(()),
        _ => bail!("nothing was written"),
    }
}

fn requests(now: Time) -> Result<Vec<DemoRequest>> {
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let [quotes, messages] = samples()?;
    let quotes = quotes.iter().map(|sample| {
        let quote = sample.quote(&forms, now)?;
        sample.request(DemoRequestKind::Quote(Box::new(quote)), now)
    });
    let messages = messages.iter().map(|sample| {
        let message = sample.message(&forms)?;
        let reasons = sample.assessment(&message).reasons;
        let held = spam::is_held(&reasons).then_some(reasons);
        sample.request(DemoRequestKind::Message(Box::new(message), held), now)
    });
    quotes.chain(messages).collect()
}

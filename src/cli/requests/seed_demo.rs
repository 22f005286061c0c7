//! `guardpost seed-demo`: fills a database with sample requests.

use std::collections::HashMap;
use std::io::IsTerminal;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde::Deserialize;

use super::demo_year;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use config::Config;
use domain::clock::{Clock, Time};
use domain::form::Forms;
use domain::request::contact::NewContact;
use domain::request::quote::{NewQuote, Status};
use domain::spam;
use domain::spam::Visit;
use store::inbox::demo::{DemoRequest, DemoRequestKind};

const DAY: i64 = 24 * 60 * 60;

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

/// One entry of `seeds/demo/quotes.json` or `seeds/demo/messages.json`: the fields of a form, with
/// its age in days.
#[derive(Deserialize)]
struct Sample {
    days_ago: f64,
    status: String,
    /// The start date of a quote, in days relative to today.
    #[serde(default)]
    starts_in_days: i64,
    #[serde(default)]
    emergency_contact: bool,
    /// How a message was filled in, if by a program.
    #[serde(default)]
    trap_filled: bool,
    fill_millis: Option<i64>,
    #[serde(flatten)]
    fields: HashMap<String, Option<String>>,
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
            let made = demo_year::fill(&config, Clock::system().now()).await?;
            say!(
                "{} and {} of a year in {}",
                count_noun(made.requests, "request"),
                count_noun(made.offers, "offer"),
                config.data.dir.display()
            );
            return Ok(());
        }
        let mut requests = samples(Clock::system().now())?;
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

fn samples(now: Time) -> Result<Vec<DemoRequest>> {
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let quotes: Vec<Sample> = serde_json::from_str(include_str!("../../../seeds/demo/quotes.json"))
        .context("seeds/demo/quotes.json")?;
    let messages: Vec<Sample> =
        serde_json::from_str(include_str!("../../../seeds/demo/messages.json"))
            .context("seeds/demo/messages.json")?;
    let quotes = quotes.iter().map(|sample| sample.quote(&forms, now));
    let messages = messages.iter().map(|sample| sample.message(&forms, now));
    quotes.chain(messages).collect()
}

impl Sample {
    fn field(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_deref()
    }

    fn quote(&self, forms: &Forms, now: Time) -> Result<DemoRequest> {
        let start = now.plus_seconds(self.starts_in_days * DAY).day();
        let raw = |key: &str| match key {
            "start_date" => Some(start.as_str()),
            "emergency_contact" => self.emergency_contact.then_some("true"),
            key => self.field(key),
        };
        let quote = match NewQuote::parse(&forms.quote, raw, None, "") {
            Ok(quote) => quote,
            Err(errors) => bail!("a sample quote violates the form rules: {errors:?}"),
        };
        self.request(DemoRequestKind::Quote(Box::new(quote)), now)
    }

    fn message(&self, forms: &Forms, now: Time) -> Result<DemoRequest> {
        let message = match NewContact::parse(&forms.contact, |key| self.field(key), None) {
            Ok(message) => message,
            Err(errors) => bail!("a sample message violates the form rules: {errors:?}"),
        };
        let visit = Visit {
            trap_filled: self.trap_filled,
            fill_millis: self.fill_millis,
            ..Visit::default()
        };
        let reasons = spam::assess(&message.texts(), visit).reasons;
        let held = spam::is_held(&reasons).then_some(reasons);
        self.request(DemoRequestKind::Message(Box::new(message), held), now)
    }

    fn request(&self, kind: DemoRequestKind, now: Time) -> Result<DemoRequest> {
        let status = &self.status;
        Ok(DemoRequest {
            kind,
            status: Status::parse(status).with_context(|| format!("`{status}` is not a status"))?,
            at: now.plus_seconds(-((self.days_ago * DAY as f64) as i64)),
        })
    }
}

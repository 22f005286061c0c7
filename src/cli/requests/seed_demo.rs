//! `guardpost seed-demo`: fills a database with sample requests.

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

/// One entry of `seeds/demo/quotes.json`: a quote's fields, with its age and its start date in days
/// relative to today.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    days_ago: f64,
    starts_in_days: i64,
    status: String,
    first_name: String,
    last_name: String,
    email: String,
    phone: String,
    company: Option<String>,
    service_type: String,
    duration: String,
    location: String,
    description: Option<String>,
    emergency_contact: bool,
}

/// One entry of `seeds/demo/messages.json`: a message's fields, its age in days, and how its form
/// was filled in if by a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleMessage {
    days_ago: f64,
    status: String,
    first_name: String,
    last_name: String,
    email: String,
    phone: String,
    company: Option<String>,
    service: String,
    details: String,
    #[serde(default)]
    trap_filled: bool,
    fill_millis: Option<i64>,
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
    let messages: Vec<SampleMessage> =
        serde_json::from_str(include_str!("../../../seeds/demo/messages.json"))
            .context("seeds/demo/messages.json")?;
    let quotes = quotes.iter().map(|sample| sample.quote(&forms, now));
    let messages = messages.iter().map(|sample| sample.message(&forms, now));
    quotes.chain(messages).collect()
}

/// A time this many days before `now`.
fn days_before(now: Time, days: f64) -> Time {
    now.plus_seconds(-((days * DAY as f64) as i64))
}

fn parse_status(name: &str) -> Result<Status> {
    Status::parse(name).with_context(|| format!("`{name}` is not a status"))
}

impl Sample {
    fn quote(&self, forms: &Forms, now: Time) -> Result<DemoRequest> {
        let start = now.plus_seconds(self.starts_in_days * DAY).day();
        let raw = |key: &str| match key {
            "first_name" => Some(self.first_name.as_str()),
            "last_name" => Some(self.last_name.as_str()),
            "email" => Some(self.email.as_str()),
            "phone" => Some(self.phone.as_str()),
            "company" => self.company.as_deref(),
            "service_type" => Some(self.service_type.as_str()),
            "duration" => Some(self.duration.as_str()),
            "start_date" => Some(start.as_str()),
            "location" => Some(self.location.as_str()),
            "description" => self.description.as_deref(),
            "emergency_contact" => self.emergency_contact.then_some("true"),
            _ => None,
        };
        let quote = match NewQuote::parse(&forms.quote, raw, None, "") {
            Ok(quote) => quote,
            Err(errors) => bail!("a sample quote violates the form rules: {errors:?}"),
        };
        Ok(DemoRequest {
            kind: DemoRequestKind::Quote(Box::new(quote)),
            status: parse_status(&self.status)?,
            at: days_before(now, self.days_ago),
        })
    }
}

impl SampleMessage {
    fn message(&self, forms: &Forms, now: Time) -> Result<DemoRequest> {
        let raw = |key: &str| match key {
            "first_name" => Some(self.first_name.as_str()),
            "last_name" => Some(self.last_name.as_str()),
            "email" => Some(self.email.as_str()),
            "phone" => Some(self.phone.as_str()),
            "company" => self.company.as_deref(),
            "service" => Some(self.service.as_str()),
            "details" => Some(self.details.as_str()),
            _ => None,
        };
        let message = match NewContact::parse(&forms.contact, raw, None) {
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
        Ok(DemoRequest {
            kind: DemoRequestKind::Message(Box::new(message), held),
            status: parse_status(&self.status)?,
            at: days_before(now, self.days_ago),
        })
    }
}

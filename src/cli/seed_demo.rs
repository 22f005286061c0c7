//! `guardpost seed-demo`: fills a database with sample quotes.

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use serde::Deserialize;

use super::global_args::GlobalArgs;
use crate::domain::clock::{Clock, Time};
use crate::domain::form::Forms;
use crate::domain::quote::{NewQuote, Status};

/// Fill a database with sample quotes.
///
/// They are marked as samples and send no emails. The command fails if the database holds a real
/// quote; running it again replaces the samples.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    guardpost seed-demo --data demo && guardpost serve --data demo")]
pub(super) struct SeedDemo {}

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

impl SeedDemo {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let mut quotes = samples(Clock::system().now())?;
        // The search index expects quotes in the order of their creation.
        quotes.sort_by_key(|(_, _, at)| *at);
        let stored = GlobalArgs::open(&config)?.seed_demo(quotes).await?;
        println!("{stored} sample quotes in {}", config.data.dir.display());
        Ok(())
    }
}

fn samples(now: Time) -> Result<Vec<(NewQuote, Status, Time)>> {
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let samples: Vec<Sample> = serde_json::from_str(include_str!("../../seeds/demo/quotes.json"))
        .context("seeds/demo/quotes.json")?;
    samples
        .iter()
        .map(|sample| sample.quote(&forms, now))
        .collect()
}

impl Sample {
    fn quote(&self, forms: &Forms, now: Time) -> Result<(NewQuote, Status, Time)> {
        const DAY: i64 = 24 * 60 * 60;
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
        let quote = match NewQuote::parse(&forms.quote, raw, None) {
            Ok(quote) => quote,
            Err(errors) => bail!("a sample quote violates the form rules: {errors:?}"),
        };
        let status = Status::parse(&self.status)
            .with_context(|| format!("`{}` is not a status", self.status))?;
        let age = (self.days_ago * DAY as f64) as i64;
        Ok((quote, status, now.plus_seconds(-age)))
    }
}

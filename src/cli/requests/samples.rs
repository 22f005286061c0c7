//! The sample requests of `seeds/demo`.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;

use domain::clock::Time;
use domain::form::Forms;
use domain::request::contact::NewContact;
use domain::request::quote::{NewQuote, Status};
use domain::spam;
use domain::spam::{Assessment, Visit};
use store::inbox::demo::{DemoRequest, DemoRequestKind};

const DAY: i64 = 24 * 60 * 60;

/// One entry of `seeds/demo/quotes.json` or `seeds/demo/messages.json`: the fields of a form, with
/// its age in days.
#[derive(Deserialize)]
pub(super) struct Sample {
    days_ago: f64,
    status: String,
    /// The start date of a quote, in days relative to today.
    #[serde(default)]
    starts_in_days: i64,
    #[serde(default)]
    pub(super) emergency_contact: bool,
    /// How a message was filled in, if by a program.
    #[serde(default)]
    trap_filled: bool,
    fill_millis: Option<i64>,
    #[serde(flatten)]
    fields: HashMap<String, Option<String>>,
}

/// The samples of quotes and of messages.
pub(super) fn samples() -> Result<[Vec<Sample>; 2]> {
    let quotes = include_str!("../../../seeds/demo/quotes.json");
    let messages = include_str!("../../../seeds/demo/messages.json");
    Ok([
        serde_json::from_str(quotes).context("seeds/demo/quotes.json")?,
        serde_json::from_str(messages).context("seeds/demo/messages.json")?,
    ])
}

impl Sample {
    fn field(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_deref()
    }

    pub(super) fn quote(&self, forms: &Forms, now: Time) -> Result<NewQuote> {
        let start = now.plus_seconds(self.starts_in_days * DAY).day();
        let raw = |key: &str| match key {
            "start_date" => Some(start.as_str()),
            "emergency_contact" => self.emergency_contact.then_some("true"),
            key => self.field(key),
        };
        NewQuote::parse(&forms.quote, raw, None, "")
            .map_err(|errors| anyhow!("a sample quote violates the form rules: {errors:?}"))
    }

    pub(super) fn message(&self, forms: &Forms) -> Result<NewContact> {
        NewContact::parse(&forms.contact, |key| self.field(key), None)
            .map_err(|errors| anyhow!("a sample message violates the form rules: {errors:?}"))
    }

    /// The signals of spam that its message gives.
    pub(super) fn assessment(&self, message: &NewContact) -> Assessment {
        let visit = Visit {
            trap_filled: self.trap_filled,
            fill_millis: self.fill_millis,
            ..Visit::default()
        };
        spam::assess(&message.texts(), visit)
    }

    pub(super) fn request(&self, kind: DemoRequestKind, now: Time) -> Result<DemoRequest> {
        let status = &self.status;
        Ok(DemoRequest {
            kind,
            status: Status::parse(status).with_context(|| format!("`{status}` is not a status"))?,
            at: now.plus_seconds(-((self.days_ago * DAY as f64) as i64)),
        })
    }
}

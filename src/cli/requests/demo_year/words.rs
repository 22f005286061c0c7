//! The people, places, services and words of the year: `seeds/demo/year.json`.

use anyhow::{Context, Result};
use serde::Deserialize;

/// The seed. A share is how often an item is picked, beside the shares of the others.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub people: Vec<Colleague>,
    pub insurance: String,
    pub lawyer: String,
    pub first_names: Vec<String>,
    pub last_names: Vec<String>,
    pub companies: Vec<String>,
    pub places: Vec<Place>,
    pub services: Vec<Service>,
    pub messages: Vec<Message>,
    pub spam: Vec<String>,
    pub campaigns: Vec<Campaign>,
    pub referrers: Vec<Referrer>,
    pub pages: Vec<Page>,
    pub declined: Vec<Reason>,
    pub lost: Vec<Reason>,
}

/// A person of the office.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Colleague {
    pub name: String,
    pub email: String,
    pub share: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub name: String,
    /// The area code of its phone numbers.
    pub area: String,
    pub share: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Service {
    pub service: String,
    /// Where visits about it often begin.
    pub page: String,
    pub emergency_percent: i64,
    pub durations: Vec<String>,
    /// How often it is asked for in each month, January first.
    pub months: [i64; 12],
    pub words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Message {
    pub service: String,
    pub details: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Campaign {
    pub name: String,
    pub medium: String,
    pub first_month: i64,
    pub last_month: i64,
    pub share: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Referrer {
    /// Empty for none.
    pub host: String,
    pub share: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    pub path: String,
    pub share: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    pub reason: String,
    pub share: i64,
}

impl Words {
    pub(super) fn bundled() -> Result<Self> {
        let text = include_str!("../../../../seeds/demo/year.json");
        serde_json::from_str(text).context("seeds/demo/year.json")
    }
}

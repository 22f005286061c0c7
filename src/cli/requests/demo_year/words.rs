//! The people, places, services and words of the year, `seeds/demo/year.json`, and what is drawn
//! from them: it looks random and is the same in each run.

use anyhow::{Context, Result};
use jiff::civil::Date;
use serde::Deserialize;

use domain::request::outcome::Outcome;

/// An item with how often it is drawn, beside the shares of the others.
pub(super) type Share<T> = (T, i64);

#[derive(Deserialize)]
pub(super) struct Words {
    /// Names and addresses.
    pub people: Vec<Share<(String, String)>>,
    pub insurance: String,
    pub lawyer: String,
    pub first_names: Vec<String>,
    pub last_names: Vec<String>,
    pub companies: Vec<String>,
    /// Names and area codes.
    pub places: Vec<Share<(String, String)>>,
    pub services: Vec<Service>,
    /// Services and what is asked.
    pub messages: Vec<(String, String)>,
    pub spam: Vec<String>,
    /// Name, medium, and the first and the last month.
    pub campaigns: Vec<Share<(String, String, i8, i8)>>,
    /// Hosts; empty for none.
    pub referrers: Vec<Share<String>>,
    /// Paths.
    pub pages: Vec<Share<String>>,
    pub declined: Vec<Share<String>>,
    pub lost: Vec<Share<String>>,
    /// How quotes and messages end that get no offer.
    pub outcomes: [Vec<Share<Outcome>>; 2],
    /// How busy a day is in percent of the average, Monday first.
    pub weekdays: [i64; 7],
    /// The hours in which customers ask who can wait, and in emergencies.
    pub hours: [Vec<Share<u16>>; 2],
    /// What is left to do today: minutes ago, service, whether it is an emergency, and its story.
    pub today: Vec<(i64, String, bool, Story)>,
}

#[derive(Deserialize)]
pub(super) struct Service {
    pub service: String,
    /// Where visits about it often begin.
    pub page: String,
    pub emergency_percent: i64,
    pub durations: Vec<String>,
    /// How often it is asked for in each month, January first.
    months: [i64; 12],
    pub words: Vec<String>,
}

/// What becomes of a request.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Story {
    /// What becomes of most: answered, offered, won or lost.
    Usual,
    /// Not answered until today.
    Waits,
    /// Its offer waits for the customer.
    OfferWaits,
    /// The customer asks something about the offer today.
    CustomerAsks,
    /// The customer accepts today, and no admin has confirmed it.
    Accepted,
}

impl Words {
    pub(super) fn bundled() -> Result<Self> {
        let text = include_str!("../../../../seeds/demo/year.json");
        serde_json::from_str(text).context("seeds/demo/year.json")
    }

    /// The name of a campaign that runs on this day, and whether it is one of ads.
    pub(super) fn campaign(&self, random: &mut Random, day: Date) -> Result<(&str, bool)> {
        let runs = |(_, _, first, last): &(_, _, i8, i8)| (*first..=*last).contains(&day.month());
        let share = |(campaign, share): &Share<_>| i64::from(runs(campaign)) * share;
        let ((name, medium, ..), _) = random.weighted(&self.campaigns, share)?;
        Ok((name, medium == "cpc"))
    }
}

impl Service {
    pub(super) fn of_month(&self, day: Date) -> i64 {
        self.months[usize::try_from(day.month() - 1).unwrap_or_default()]
    }
}

/// A generator with a fixed seed.
pub(super) struct Random(pub fastrand::Rng);

impl Random {
    /// A number from `from` to `to`, with both ends.
    pub(super) fn between(&mut self, from: i64, to: i64) -> i64 {
        self.0.i64(from..=to.max(from))
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.between(0, 99) < percent
    }

    /// `thousandths` as a whole number of items: 2300 is 2, or in three of ten cases 3.
    pub(super) fn whole(&mut self, thousandths: i64) -> i64 {
        thousandths / 1000 + i64::from(self.between(0, 999) < thousandths % 1000)
    }

    /// One of the items, each equally often. Errors: there is none.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Result<&'a T> {
        self.weighted(items, |_| 1)
    }

    /// One of the items, by its share. Errors: there is none.
    pub(super) fn of<'a, T>(&mut self, items: &'a [Share<T>]) -> Result<&'a T> {
        Ok(&self.weighted(items, |(_, share)| *share)?.0)
    }

    /// One of the items, by its share of the sum. Errors: there is none.
    fn weighted<'a, T>(&mut self, items: &'a [T], share: impl Fn(&T) -> i64) -> Result<&'a T> {
        let mut left = self.between(1, items.iter().map(&share).sum());
        let found = items.iter().find(|item| {
            left -= share(item);
            left <= 0
        });
        found.context("a list in seeds/demo/year.json is empty")
    }
}

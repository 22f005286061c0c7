//! The people and words of the year, `seeds/demo/year.json`, and what is drawn from them: it looks
//! random and is the same in each run.

use anyhow::{Context, Result};
use serde::Deserialize;

/// An item with how often it is drawn, beside the shares of the others.
pub(super) type Share<T> = (T, i64);

#[derive(Deserialize)]
pub(super) struct Words {
    /// Names and addresses.
    pub people: Vec<Share<(String, String)>>,
    pub insurance: String,
    pub lawyer: String,
    /// Name, medium, and the first and the last month.
    pub campaigns: Vec<Share<(String, String, i8, i8)>>,
    /// Hosts; empty for none.
    pub referrers: Vec<Share<String>>,
    /// Paths.
    pub pages: Vec<Share<String>>,
    pub declined: Vec<Share<String>>,
    pub lost: Vec<Share<String>>,
    /// How busy a day is in percent of the average, Monday first.
    pub weekdays: [i64; 7],
    /// The hours in which customers ask.
    pub hours: Vec<Share<u16>>,
    /// The courses of requests.
    pub courses: Vec<Share<Course>>,
    /// The work left for today: minutes ago, and its course.
    pub today: Vec<(i64, Course)>,
}

/// The steps of a request, each with the least and the most minutes after the one before.
pub(super) type Course = Vec<(Step, i64, i64)>;

/// What happens to a request.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// The customer sends a message.
    Message,
    /// The customer asks for a quote by the form.
    Quote,
    Emergency,
    /// An admin types a quote during a call.
    Phone,
    /// The customer sends the quote again; it is merged.
    SendAgain,
    /// An admin reaches the customer by phone.
    Answer,
    /// An offer is sent.
    Offer,
    /// The customer opens the offer.
    Open,
    Accept,
    Decline,
    /// An admin confirms the acceptance.
    Confirm,
    /// It is closed, with the outcome of the offer.
    Close,
    Won,
    Lost,
    NotCustomer,
}

impl Words {
    pub(super) fn bundled() -> Result<Self> {
        let text = include_str!("../../../../seeds/demo/year.json");
        serde_json::from_str(text).context("seeds/demo/year.json")
    }
}

/// A generator with a fixed seed. No list in the seed is empty.
pub(super) struct Random(pub fastrand::Rng);

impl Random {
    /// A number from `from` to `to`, with both ends.
    pub(super) fn between(&mut self, from: i64, to: i64) -> i64 {
        self.0.i64(from..=to)
    }

    /// True in `percent` of a hundred cases.
    pub(super) fn chance(&mut self, percent: i64) -> bool {
        self.between(0, 99) < percent
    }

    /// One of the items, each equally often.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.0.usize(..items.len())]
    }

    /// One of the items, by its share of the sum.
    pub(super) fn of<'a, T>(&mut self, items: &'a [Share<T>]) -> &'a T {
        let mut left = self.between(1, items.iter().map(|(_, share)| share).sum());
        let found = items.iter().position(|(_, share)| {
            left -= share;
            left <= 0
        });
        &items[found.unwrap_or(0)].0
    }
}

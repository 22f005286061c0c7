//! What is offered: posts, their schedules and the term.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::calendar::{Day, TimeOfDay};

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    pub start: Date,
    /// The last day, included; none if the service is ongoing.
    pub end: Option<Date>,
    /// The hours between the request and the start; none if no notice is too short.
    pub notice_hours: Option<u32>,
    pub posts: Vec<Post>,
    /// Lines that a person has priced.
    #[serde(default)]
    pub manual: Vec<ManualLine>,
    #[serde(default)]
    pub discount: Option<Discount>,
    /// The number of the customer's certificate.
    #[serde(default)]
    pub tax_exemption: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Post {
    pub title: String,
    pub city: String,
    /// The code of the state.
    pub state: String,
    pub class: String,
    /// Officers at once, or seats.
    pub officers: u32,
    pub schedule: Schedule,
    /// Whether the same officers work all shifts, so that their weeks count for overtime.
    #[serde(default)]
    pub same_officers: bool,
    /// Keys of the rate card.
    #[serde(default)]
    pub equipment: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Schedule {
    /// Around the clock: each day from this time to the same time of the next day.
    Always {
        from: TimeOfDay,
    },
    Weekly {
        shifts: Vec<WeeklyShift>,
    },
    Single {
        shifts: Vec<SingleShift>,
    },
    Visits {
        days: Vec<Day>,
        per_day: u32,
    },
}

/// A shift that ends on the next day if `to` is not after `from`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WeeklyShift {
    pub days: Vec<Day>,
    pub from: TimeOfDay,
    pub to: TimeOfDay,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SingleShift {
    pub date: Date,
    pub from: TimeOfDay,
    pub to: TimeOfDay,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ManualLine {
    pub title: String,
    /// For the term, or for a week if the service is ongoing.
    pub cents: i64,
    /// The state whose tax it bears; none if it bears none.
    pub state: Option<String>,
}

/// A part of the subtotal, a sum, or both.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Discount {
    #[serde(default)]
    pub basis_points: i64,
    #[serde(default)]
    pub cents: i64,
    pub reason: String,
}

//! What is offered: posts, their schedules and the term.

use poem_openapi::{Object, Union};
use serde::{Deserialize, Serialize};

use super::calendar::{Day, TimeOfDay, Weekday};

/// What is offered.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    pub start: Day,
    /// The last day, included; null if the service is ongoing.
    pub end: Option<Day>,
    /// The hours between the request and the start; null if no notice is too short.
    pub notice_hours: Option<u32>,
    pub posts: Vec<Post>,
    /// Lines that a person has priced.
    #[oai(default)]
    #[serde(default)]
    pub manual: Vec<ManualLine>,
    pub discount: Option<Discount>,
    /// The number of the customer's certificate.
    pub tax_exemption: Option<String>,
}

/// A place that is guarded.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Post {
    pub title: String,
    pub city: String,
    /// The code of the state.
    pub state: String,
    /// A key of the rate card.
    pub class: String,
    /// Officers at once, or seats.
    pub officers: u32,
    pub schedule: Schedule,
    /// Whether the same officers work all shifts, so that their weeks count for overtime.
    #[oai(default)]
    #[serde(default)]
    pub same_officers: bool,
    /// Keys of the rate card.
    #[oai(default)]
    #[serde(default)]
    pub equipment: Vec<String>,
}

/// When a post is staffed.
#[derive(Clone, Debug, PartialEq, Union, Deserialize, Serialize)]
#[oai(discriminator_name = "kind", rename_all = "lowercase")]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Schedule {
    Always(AroundTheClock),
    Weekly(WeeklyShifts),
    Single(SingleShifts),
    Visits(Visits),
}

/// Each day from this time to the same time of the next day.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AroundTheClock {
    pub from: TimeOfDay,
}

/// Shifts of each week.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WeeklyShifts {
    pub shifts: Vec<WeeklyShift>,
}

/// A shift that ends on the next day if `to` is not after `from`.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WeeklyShift {
    pub days: Vec<Weekday>,
    pub from: TimeOfDay,
    pub to: TimeOfDay,
}

/// Shifts that do not come back.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SingleShifts {
    pub shifts: Vec<SingleShift>,
}

/// A shift that ends on the next day if `to` is not after `from`.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SingleShift {
    pub date: Day,
    pub from: TimeOfDay,
    pub to: TimeOfDay,
}

/// Visits of a patrol.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Visits {
    pub days: Vec<Weekday>,
    pub per_day: u32,
}

/// A line that a person has priced.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ManualLine {
    pub title: String,
    /// For the term, or for a week if the service is ongoing.
    pub cents: i64,
    /// The state whose tax it bears; null if it bears none.
    pub state: Option<String>,
}

/// A part of the subtotal, a sum, or both.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Discount {
    #[oai(default)]
    #[serde(default)]
    pub basis_points: i64,
    #[oai(default)]
    #[serde(default)]
    pub cents: i64,
    pub reason: String,
}

impl Terms {
    /// How many days the term has; none if the service is ongoing.
    pub fn days(&self) -> Option<i64> {
        let days = |end: Day| i64::from((end.0 - self.start.0).get_days()) + 1;
        self.end.map(days)
    }
}

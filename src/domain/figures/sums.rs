//! The sums of the counts of some days.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;

use super::histogram::Histogram;

/// What a number counts: the day, `YYYY-MM-DD`; by what, as in `service`, or `all` for the whole
/// day; what is counted, as in `asked`; and of which of these, as in `fire-watch`.
pub type Count<'a> = [&'a str; 4];

type ByMeasure = HashMap<String, i64>;

/// The sums of a period.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    by_dimension: HashMap<String, HashMap<String, ByMeasure>>,
    days: BTreeMap<String, ByMeasure>,
    hours: [[i64; 24]; 7],
    /// The times in which customers were answered who did not ask for a call.
    pub answers: Histogram,
    /// The times in which customers were called who asked for it.
    pub calls: Histogram,
    /// The names of people by their user ids.
    pub names: HashMap<String, String>,
}

impl Sums {
    pub fn add(&mut self, [day, dimension, measure, value]: Count<'_>, number: i64) {
        let minutes = || value.parse().unwrap_or_default();
        match dimension {
            "minutes" => self.answers.add(minutes(), number),
            "call_minutes" => self.calls.add(minutes(), number),
            "hour" => {
                let hours = self.hours.get_mut(weekday(day));
                let hour = hours.and_then(|hours| hours.get_mut(value.parse::<usize>().ok()?));
                if let Some(hour) = hour {
                    *hour += number;
                }
            }
            _ => {
                let values = entry(&mut self.by_dimension, dimension);
                *entry(entry(values, value), measure) += number;
                if dimension == "all" {
                    let day = self.days.entry(day.to_owned()).or_default();
                    *entry(day, measure) += number;
                }
            }
        }
    }

    /// The number of the whole period.
    pub fn total(&self, measure: &str) -> i64 {
        self.of("all", "", measure)
    }

    /// The number of one value of a dimension.
    pub fn of(&self, dimension: &str, value: &str, measure: &str) -> i64 {
        let values = self.by_dimension.get(dimension);
        let measures = values.and_then(|values| values.get(value));
        measures
            .and_then(|it| it.get(measure))
            .copied()
            .unwrap_or_default()
    }

    /// The values of a dimension.
    pub fn values(&self, dimension: &str) -> impl Iterator<Item = &str> {
        let values = self.by_dimension.get(dimension);
        values
            .into_iter()
            .flatten()
            .map(|(value, _)| value.as_str())
    }

    /// The number of one day.
    pub fn of_day(&self, day: &str, measure: &str) -> i64 {
        let measures = self.days.get(day);
        measures
            .and_then(|it| it.get(measure))
            .copied()
            .unwrap_or_default()
    }

    /// What was asked, by weekday (0 for Monday) and hour.
    pub const fn hours(&self) -> &[[i64; 24]; 7] {
        &self.hours
    }
}

/// The weekday of a day, 0 for Monday.
fn weekday(day: &str) -> usize {
    let day = day.parse::<Date>().unwrap_or_default();
    usize::try_from(day.weekday().to_monday_zero_offset()).unwrap_or_default()
}

/// The entry of a key.
fn entry<'a, T: Default>(map: &'a mut HashMap<String, T>, key: &str) -> &'a mut T {
    map.entry(key.to_owned()).or_default()
}

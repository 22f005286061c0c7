//! The tables of a period beside the one before.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::histogram::Histogram;
use super::period::{Days, Period};
use super::source::Source;
use super::sums::Sums;
use super::table::{Row, Table};
use crate::clock::MINUTE_MS;
use crate::request::due_time::AnswerTimes;

/// What is counted of a whole period, in the order of the page.
const TOTALS: [&str; 27] = [
    "views",
    "robot_views",
    "office_views",
    "forms_begun",
    "asked",
    "quotes",
    "messages",
    "by_phone",
    "emergencies",
    "answered",
    "offers_sent",
    "offers_opened",
    "offers_accepted",
    "offers_declined",
    "offered_weekly_cents",
    "offered_once_cents",
    "accepted_weekly_cents",
    "accepted_once_cents",
    "won",
    "won_staffed",
    "won_completed",
    "lost",
    "won_monthly_cents",
    "won_once_cents",
    "spam",
    "duplicates",
    "samples",
];

/// What is counted of requests by each property.
const OF_REQUESTS: [&str; 6] = [
    "asked",
    "answered",
    "won",
    "lost",
    "won_monthly_cents",
    "won_once_cents",
];
/// The tables of requests and their dimensions.
const REQUEST_TABLES: [(&str, &str); 5] = [
    ("services", "service"),
    ("states", "state"),
    ("sources", "source"),
    ("campaigns", "campaign"),
    ("entry_pages", "entry"),
];
const OF_DAYS: [&str; 4] = ["views", "asked", "answered", "won"];

/// The keys of all tables.
pub const KEYS: [&str; 14] = [
    "totals",
    "answers",
    "days",
    "days_before",
    "hours",
    "services",
    "states",
    "sources",
    "campaigns",
    "entry_pages",
    "people",
    "reasons",
    "pages",
    "views",
];

/// The sums of a period and of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    pub period: Period,
    pub now: Sums,
    pub before: Sums,
}

impl Figures {
    /// All tables, in the order of `KEYS`. `promised` are the response-time targets.
    pub fn tables(&self, promised: AnswerTimes) -> Vec<Table> {
        let mut tables = vec![
            self.totals(),
            self.answers(promised),
            of_days("days", &self.now, self.period.days),
            of_days("days_before", &self.before, self.period.before),
            self.hours(),
        ];
        for (key, dimension) in REQUEST_TABLES {
            tables.push(self.ranked(key, dimension, &OF_REQUESTS));
        }
        let people = ["answered", "offers_sent", "offers_accepted"];
        tables.push(self.ranked("people", "person", &people));
        tables.push(self.ranked("reasons", "reason", &["lost"]));
        let sources = Source::ALL.map(Source::as_str);
        let pages: Vec<&str> = ["views", "begun"].into_iter().chain(sources).collect();
        tables.push(self.ranked("pages", "page", &pages));
        tables.push(self.ranked("views", "view_source", &["views"]));
        tables
    }

    fn totals(&self) -> Table {
        let row = |measure: &str| Row {
            value: measure.to_owned(),
            name: None,
            numbers: vec![
                Some(self.now.total(measure)),
                Some(self.before.total(measure)),
            ],
        };
        Table {
            key: "totals".into(),
            columns: columns(&["number", "before"]),
            rows: TOTALS.iter().map(|measure| row(measure)).collect(),
        }
    }

    fn answers(&self, promised: AnswerTimes) -> Table {
        let row = |value: &str, now: &Histogram, before: &Histogram, is_emergency| {
            let promised = promised.millis(is_emergency) / MINUTE_MS;
            let of = |times: &Histogram| {
                [
                    Some(times.total()),
                    Some(times.within(promised)),
                    times.percentile(50),
                    times.percentile(90),
                ]
            };
            Row {
                value: value.to_owned(),
                name: None,
                numbers: [Some(promised)]
                    .into_iter()
                    .chain(of(now))
                    .chain(of(before))
                    .collect(),
            }
        };
        let (now, before) = (&self.now, &self.before);
        Table {
            key: "answers".into(),
            columns: columns(&[
                "promised_minutes",
                "answered",
                "within",
                "median_minutes",
                "p90_minutes",
                "answered_before",
                "within_before",
                "median_before_minutes",
                "p90_before_minutes",
            ]),
            rows: vec![
                row("requests", &now.answers, &before.answers, false),
                row("emergencies", &now.calls, &before.calls, true),
            ],
        }
    }

    fn hours(&self) -> Table {
        let row = |(weekday, hours): (usize, &[i64; 24])| Row {
            value: weekday.to_string(),
            name: None,
            numbers: hours.iter().map(|number| Some(*number)).collect(),
        };
        Table {
            key: "hours".into(),
            columns: (0..24).map(|hour: i32| hour.to_string()).collect(),
            rows: self.now.hours().iter().enumerate().map(row).collect(),
        }
    }

    /// The values of a dimension with the first measure of both periods; the highest first.
    fn ranked(&self, key: &'static str, dimension: &str, measures: &[&str]) -> Table {
        let values = self
            .now
            .values(dimension)
            .chain(self.before.values(dimension));
        let values: BTreeSet<&str> = values.collect();
        let row = |value: &str| {
            let now = measures
                .iter()
                .map(|measure| self.now.of(dimension, value, measure));
            let first = measures
                .first()
                .map(|first| self.before.of(dimension, value, first));
            Row {
                value: value.to_owned(),
                name: self.now.names.get(value).cloned(),
                numbers: now.map(Some).chain([first]).collect(),
            }
        };
        let mut rows: Vec<Row> = values.into_iter().map(row).collect();
        rows.retain(|row| {
            row.numbers
                .iter()
                .any(|number| number.is_some_and(|it| it != 0))
        });
        rows.sort_by_key(|row| Reverse(row.numbers.clone()));
        let mut columns = columns(measures);
        columns.push(format!(
            "{}_before",
            measures.first().copied().unwrap_or_default()
        ));
        Table {
            key: key.to_owned(),
            columns,
            rows,
        }
    }
}

fn of_days(key: &'static str, sums: &Sums, days: Days) -> Table {
    let row = |day: String| Row {
        numbers: OF_DAYS
            .iter()
            .map(|measure| Some(sums.of_day(&day, measure)))
            .collect(),
        value: day,
        name: None,
    };
    Table {
        key: key.to_owned(),
        columns: columns(&OF_DAYS),
        rows: days.each().map(|day| row(day.to_string())).collect(),
    }
}

fn columns(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

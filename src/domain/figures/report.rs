//! The report of a period: ten figures beside those of the period before, what needs doing, and
//! when it is due. `report_pdf` makes a file of it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::period::Period;
use super::tables::Figures;
use super::to_do::ToDoLine;
use crate::clock::time_zone::TimeZone;
use crate::clock::{MINUTE_MS, Time};
use crate::offer::document::words::date;
use crate::request::due_time::AnswerTimes;
use crate::text::grouped::grouped;

/// The minute of the day at which reports are due: 7 o'clock.
const DUE_MINUTE: u16 = 7 * 60;

crate::text_enum! {
    /// What a report is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ReportKind {
        /// The last week, due on Monday.
        Week = "week",
        /// The last month, due on the first of the next.
        Month = "month",
    }
}

impl ReportKind {
    /// When the last report was due at `now`.
    pub fn last_due(self, now: Time, zone: &TimeZone) -> Time {
        let today = zone.local(now).date();
        let first = |day: jiff::civil::Date| match self {
            Self::Week => {
                let past = i32::from(day.weekday().to_monday_zero_offset());
                day.saturating_sub(jiff::Span::new().days(past))
            }
            Self::Month => day.first_of_month(),
        };
        let due = zone.at(first(today), DUE_MINUTE);
        if due <= now {
            return due;
        }
        let before = first(today).saturating_sub(jiff::Span::new().days(1));
        zone.at(first(before), DUE_MINUTE)
    }

    /// The period of the report that is due at `due`; `None` for no date of a report.
    pub fn period(self, due: Time, zone: &TimeZone) -> Option<Period> {
        let name = match self {
            Self::Week => "last_week",
            Self::Month => "last_month",
        };
        Period::named(name, zone.local(due).date())
    }
}

/// A report, with the texts of the time at which it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The first and the last day.
    pub from: Date,
    pub until: Date,
    /// Those of the period before.
    pub before_from: Date,
    pub before_until: Date,
    pub figures: Vec<ReportFigure>,
    /// The most urgent first.
    pub to_do: Vec<ToDoLine>,
}

/// One of the ten figures, as texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportFigure {
    pub name: String,
    pub now: String,
    pub before: String,
    /// What has changed, as in `+3`; empty if there is nothing to compare.
    pub change: String,
}

impl Report {
    pub fn new(figures: &Figures, promised: AnswerTimes, to_do: Vec<ToDoLine>) -> Self {
        let (days, before) = (figures.period.days, figures.period.before);
        Self {
            from: days.from,
            until: days.to,
            before_from: before.from,
            before_until: before.to,
            figures: ten(figures, promised),
            to_do,
        }
    }

    /// Its days, as `November 16 to 22, 2026`.
    pub fn days(&self) -> String {
        days(self.from, self.until)
    }

    /// The days of the period before.
    pub fn days_before(&self) -> String {
        days(self.before_from, self.before_until)
    }

    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("Figures-{}-{}.pdf", self.from, self.until)
    }

    /// The number of the figure with this name; empty if there is none.
    pub fn number(&self, name: &str) -> &str {
        let found = self.figures.iter().find(|figure| figure.name == name);
        found.map_or("", |figure| &figure.now)
    }
}

impl ReportFigure {
    /// The figure on one line, with the one before in brackets.
    pub fn line(&self) -> String {
        let Self {
            now,
            before,
            change,
            ..
        } = self;
        match change.as_str() {
            "same" => format!("{now} (same as before)"),
            "" => format!("{now} (before: {before})"),
            _ => format!("{now} (before: {before}; {change})"),
        }
    }
}

/// The ten figures of a report.
fn ten(figures: &Figures, promised: AnswerTimes) -> Vec<ReportFigure> {
    let total = |name: &str, measure: &str| {
        let (now, before) = (figures.now.total(measure), figures.before.total(measure));
        let is_money = measure.ends_with("_cents");
        let text = |number| match is_money {
            true => dollars(number),
            false => grouped(number),
        };
        let change = match now - before {
            0 => "same".to_owned(),
            more @ 1.. => format!("+{}", text(more)),
            less => format!("\u{2212}{}", text(-less)),
        };
        ReportFigure {
            name: name.to_owned(),
            now: text(now),
            before: text(before),
            change,
        }
    };
    let answered = |name: &str, now: &Histogram, before: &Histogram, is_emergency| {
        let promised = promised.millis(is_emergency) / MINUTE_MS;
        let text = |times: &Histogram, on_time: &str| match times.percentile(50) {
            None => "none".to_owned(),
            Some(median) => format!(
                "{} of {}{on_time}, half within {}",
                times.within(promised),
                times.total(),
                minutes(median)
            ),
        };
        ReportFigure {
            name: name.to_owned(),
            now: text(now, " on time"),
            before: text(before, ""),
            change: points(now, before, promised),
        }
    };
    let (now, before) = (&figures.now, &figures.before);
    vec![
        total("Page views", "views"),
        total("Asked", "asked"),
        total("Emergencies", "emergencies"),
        answered("Answered", &now.answers, &before.answers, false),
        answered("Emergencies called", &now.calls, &before.calls, true),
        total("Offers sent", "offers_sent"),
        total("Offers accepted", "offers_accepted"),
        total("Accepted, a week", "accepted_weekly_cents"),
        total("Accepted, one-time", "accepted_once_cents"),
        total("Won", "won"),
    ]
}

/// By how many percent points the share on time has changed.
fn points(now: &Histogram, before: &Histogram, promised: i64) -> String {
    let share = |times: &Histogram| match times.total() {
        0 => None,
        total => Some((times.within(promised) * 100 + total / 2) / total),
    };
    let Some((now, before)) = share(now).zip(share(before)) else {
        return String::new();
    };
    match now - before {
        0 => "same share".to_owned(),
        more @ 1.. => format!("+{more} points"),
        less => format!("\u{2212}{} points", -less),
    }
}

/// Whole dollars with commas, as in `$1,250`.
fn dollars(cents: i64) -> String {
    format!("${}", grouped((cents + 50) / 100))
}

/// As `November 16 to 22, 2026`.
fn days(from: Date, until: Date) -> String {
    let last = date(until);
    if from == until {
        return last;
    }
    if from.first_of_month() == until.first_of_month() {
        return format!(
            "{} {} to {}",
            from.strftime("%B"),
            from.day(),
            until.strftime("%-d, %Y")
        );
    }
    match from.year() == until.year() {
        true => format!("{} to {last}", from.strftime("%B %-d")),
        false => format!("{} to {last}", date(from)),
    }
}

fn minutes(minutes: i64) -> String {
    match minutes {
        ..120 => format!("{minutes} min"),
        120..2880 => format!("{} hours", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_written_as_americans_do() {
        for (from, until, text) in [
            ("2026-11-16", "2026-11-22", "November 16 to 22, 2026"),
            (
                "2026-11-30",
                "2026-12-06",
                "November 30 to December 6, 2026",
            ),
            (
                "2025-12-29",
                "2026-01-04",
                "December 29, 2025 to January 4, 2026",
            ),
            ("2026-11-16", "2026-11-16", "November 16, 2026"),
        ] {
            assert_eq!(days(from.parse().unwrap(), until.parse().unwrap()), text);
        }
        assert_eq!(
            [12, 200, 3000].map(minutes),
            ["12 min", "3 hours", "2 days"]
        );
    }

    #[test]
    fn reports_are_due_on_monday_and_on_the_first_at_seven_on_the_clock_of_the_company() {
        let chicago = TimeZone::parse("America/Chicago").unwrap();
        for row in [
            // Monday 6:59, before and after the clocks were set back on November 1.
            "2026-11-02T12:59:00Z 2026-10-26T12:00 2026-11-01T13:00",
            "2026-11-02T13:00:00Z 2026-11-02T13:00 2026-11-01T13:00",
            "2026-11-08T12:00:00Z 2026-11-02T13:00 2026-11-01T13:00",
            "2026-12-01T12:30:00Z 2026-11-30T13:00 2026-11-01T13:00",
        ] {
            let (now, expected) = row.split_once(' ').unwrap();
            let now = Time::parse(now).unwrap();
            let due = ReportKind::ALL.map(|kind| kind.last_due(now, &chicago).to_string());
            let due = due.map(|due| due[..16].to_owned()).join(" ");
            assert_eq!(due, expected, "{now}");
        }
        let due = Time::parse("2026-11-02T13:00:00Z").unwrap();
        let week = ReportKind::Week.period(due, &chicago).unwrap().days;
        assert_eq!(
            (week.from.to_string(), week.to.to_string()),
            ("2026-10-26".to_owned(), "2026-11-01".to_owned())
        );
    }
}

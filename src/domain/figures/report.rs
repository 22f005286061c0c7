//! The report of a period: ten figures beside those of the period before, and when it is due.

use super::histogram::Histogram;
use super::period::Period;
use super::table::cell;
use super::tables::Figures;
use crate::clock::time_zone::TimeZone;
use crate::clock::{MINUTE_MS, Time};
use crate::request::due_time::AnswerTimes;

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

/// The ten figures of a report: name, and number with the one of the period before.
pub fn facts(figures: &Figures, promised: AnswerTimes) -> Vec<(String, String)> {
    let total = |name: &str, measure: &str| {
        let text = |number| match measure.ends_with("_cents") {
            true => format!("${}", cell(measure, number)),
            false => number.to_string(),
        };
        let (now, before) = (figures.now.total(measure), figures.before.total(measure));
        (
            name.to_owned(),
            format!("{} ({} before)", text(now), text(before)),
        )
    };
    let answered = |name: &str, now: &Histogram, before: &Histogram, is_emergency| {
        let promised = promised.millis(is_emergency) / MINUTE_MS;
        let text = |times: &Histogram| match times.percentile(50) {
            None => "none answered".to_owned(),
            Some(median) => format!(
                "half within {}, {} of {} in time",
                minutes(median),
                times.within(promised),
                times.total()
            ),
        };
        (
            name.to_owned(),
            format!("{} (before: {})", text(now), text(before)),
        )
    };
    let (now, before) = (&figures.now, &figures.before);
    vec![
        total("Views", "views"),
        total("Asked", "asked"),
        total("Urgent", "emergencies"),
        answered("Answered", &now.answers, &before.answers, false),
        answered("Called", &now.calls, &before.calls, true),
        total("Offers", "offers_sent"),
        total("Accepted", "offers_accepted"),
        total("A week", "accepted_weekly_cents"),
        total("One-time", "accepted_once_cents"),
        total("Won", "won"),
    ]
}

fn minutes(minutes: i64) -> String {
    match minutes {
        ..120 => format!("{minutes} min"),
        _ => format!("{} h", minutes / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_due_on_monday_and_on_the_first_at_seven_on_the_clock_of_the_company() {
        let chicago = TimeZone::parse("America/Chicago").unwrap();
        for (now, week, month) in [
            // Monday 6:59, before and after the clocks were set back on November 1.
            (
                "2026-11-02T12:59:00Z",
                "2026-10-26T12:00",
                "2026-11-01T13:00",
            ),
            (
                "2026-11-02T13:00:00Z",
                "2026-11-02T13:00",
                "2026-11-01T13:00",
            ),
            (
                "2026-11-08T12:00:00Z",
                "2026-11-02T13:00",
                "2026-11-01T13:00",
            ),
            (
                "2026-12-01T12:30:00Z",
                "2026-11-30T13:00",
                "2026-11-01T13:00",
            ),
        ] {
            let now = Time::parse(now).unwrap();
            let due = ReportKind::ALL.map(|kind| kind.last_due(now, &chicago).to_string());
            assert_eq!([&due[0][..16], &due[1][..16]], [week, month], "{now}");
        }
        let due = Time::parse("2026-11-02T13:00:00Z").unwrap();
        let week = ReportKind::Week.period(due, &chicago).unwrap().days;
        assert_eq!(
            (week.from.to_string(), week.to.to_string()),
            ("2026-10-26".to_owned(), "2026-11-01".to_owned())
        );
    }
}

//! The days of a period, and those of the period before that it is compared with.

use jiff::ToSpan;
use jiff::civil::Date;

/// Days on the company's clock, with both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Days {
    pub from: Date,
    pub to: Date,
}

/// A period and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    pub days: Days,
    /// As long, or a whole month, quarter or year as the period.
    pub before: Days,
}

/// The longest period, in days: ten years.
const MAX_DAYS: i32 = 3660;

impl Period {
    /// Names of periods that end today or end the day before the current one begins. Weeks begin on
    /// Monday.
    pub const NAMES: [&str; 6] = [
        "week",
        "last_week",
        "month",
        "last_month",
        "quarter",
        "year",
    ];

    /// The period with this name. One that is not over is compared with as many days of the one
    /// before.
    pub fn named(name: &str, today: Date) -> Option<Self> {
        let monday = add_days(today, -i32::from(today.weekday().to_monday_zero_offset()));
        let first = today.first_of_month();
        let quarter = months_before(first, (first.month() - 1) % 3);
        let year = months_before(first, first.month() - 1);
        Some(match name {
            "week" => Self::running(monday, today, add_days(monday, -7)),
            "last_week" => Self::running(
                add_days(monday, -7),
                add_days(monday, -1),
                add_days(monday, -14),
            ),
            "month" => Self::running(first, today, months_before(first, 1)),
            "last_month" => Self::month(months_before(first, 1)),
            "quarter" => Self::running(quarter, today, months_before(quarter, 3)),
            "year" => Self::running(year, today, months_before(year, 12)),
            _ => return None,
        })
    }

    /// The whole month that begins at `first`, and the whole month before.
    fn month(first: Date) -> Self {
        let before = months_before(first, 1);
        Self {
            days: Days {
                from: first,
                to: first.last_of_month(),
            },
            before: Days {
                from: before,
                to: before.last_of_month(),
            },
        }
    }

    /// The month `YYYY-MM`.
    pub fn of_month(text: &str) -> Option<Self> {
        let is_month = text.len() == "2026-11".len();
        let first = format!("{text}-01").parse().ok().filter(|_| is_month)?;
        Some(Self::month(first))
    }

    /// From one day to another, compared with as many days before it; `None` if they are the wrong
    /// way round or more than ten years apart.
    pub fn between(from: Date, to: Date) -> Option<Self> {
        let days = length(from, to);
        (1..=MAX_DAYS).contains(&days).then(|| Self {
            days: Days { from, to },
            before: Days {
                from: add_days(from, -days),
                to: add_days(from, -1),
            },
        })
    }

    fn running(from: Date, to: Date, before: Date) -> Self {
        // February is shorter than the part of March that is over.
        let last = add_days(before, length(from, to) - 1).min(add_days(from, -1));
        Self {
            days: Days { from, to },
            before: Days {
                from: before,
                to: last,
            },
        }
    }
}

impl Days {
    /// Each day.
    pub fn each(self) -> impl Iterator<Item = Date> {
        (0..length(self.from, self.to)).map(move |day| add_days(self.from, day))
    }
}

fn length(from: Date, to: Date) -> i32 {
    (to - from).get_days() + 1
}

fn add_days(day: Date, days: i32) -> Date {
    day.saturating_add(i64::from(days).days())
}

fn months_before(first: Date, months: i8) -> Date {
    first.saturating_sub(i64::from(months).months())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_period_is_compared_with_as_many_days_of_the_one_before() {
        // A Friday.
        let today: Date = "2026-11-27".parse().unwrap();
        for row in [
            "week 2026-11-23 2026-11-27 2026-11-16 2026-11-20",
            "last_week 2026-11-16 2026-11-22 2026-11-09 2026-11-15",
            "month 2026-11-01 2026-11-27 2026-10-01 2026-10-27",
            "last_month 2026-10-01 2026-10-31 2026-09-01 2026-09-30",
            "quarter 2026-10-01 2026-11-27 2026-07-01 2026-08-27",
            "year 2026-01-01 2026-11-27 2025-01-01 2025-11-27",
        ] {
            let (name, expected) = row.split_once(' ').unwrap();
            let Period { days, before } = Period::named(name, today).unwrap();
            let found = [days.from, days.to, before.from, before.to];
            let found = found.map(|day| day.to_string()).join(" ");
            assert_eq!(found, expected, "{name}");
        }
        assert!(
            Period::NAMES
                .iter()
                .all(|name| Period::named(name, today).is_some())
        );
        assert_eq!(Period::named("decade", today), None);
        // February has no 31st.
        let march = Period::named("month", "2026-03-31".parse().unwrap()).unwrap();
        assert_eq!(march.before.to.to_string(), "2026-02-28");
    }

    #[test]
    fn two_days_are_compared_with_as_many_days_before() {
        let period = Period::between(jiff::civil::date(2026, 3, 8), jiff::civil::date(2026, 3, 9));
        let before = period.unwrap().before;
        assert_eq!(
            (before.from.to_string(), before.to.to_string()),
            ("2026-03-06".to_owned(), "2026-03-07".to_owned())
        );
        let one = jiff::civil::date(2026, 3, 8);
        assert!(Period::between(one, one).is_some());
        assert_eq!(Period::between(one, jiff::civil::date(2026, 3, 7)), None);
        assert_eq!(Period::between(one, jiff::civil::date(2046, 3, 7)), None);
        assert_eq!(
            Period::of_month("2026-02").unwrap().days.to.to_string(),
            "2026-02-28"
        );
        assert_eq!(Period::of_month("2026-2"), None);
    }
}

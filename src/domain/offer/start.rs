//! The first day and hour of an offer that is begun: never a time that is past.

use jiff::civil::{Date, DateTime};

use super::calendar::{DAY, TimeOfDay, Weekday};
use super::terms::{AroundTheClock, Schedule};

/// The first day, `wanted` if it is not past, and the schedule from then on. `today` is the day of
/// the company, `local` the time at the place.
pub(super) fn first_start(
    wanted: Option<Date>,
    schedule: Schedule,
    today: Date,
    local: DateTime,
) -> (Date, Schedule) {
    let start = wanted.filter(|day| *day >= today).unwrap_or(today);
    if start > local.date() {
        return (start, schedule);
    }
    let start = local.date();
    let tomorrow = start.tomorrow().unwrap_or(start);
    let minute = i64::from(local.hour()) * 60 + i64::from(local.minute());
    match schedule {
        Schedule::Always(AroundTheClock { from }) if from.0 <= minute => {
            let next = (minute / 60 + 1) * 60;
            let day = if next == DAY { tomorrow } else { start };
            let from = TimeOfDay(next % DAY);
            (day, Schedule::Always(AroundTheClock { from }))
        }
        Schedule::Weekly(weekly)
            if weekly.shifts.iter().any(|shift| {
                shift.days.contains(&Weekday::of(start)) && shift.from.0 <= minute
            }) =>
        {
            (tomorrow, Schedule::Weekly(weekly))
        }
        other => (start, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offer::terms::{WeeklyShift, WeeklyShifts};

    fn always(hour: i64) -> Schedule {
        let from = TimeOfDay(hour * 60);
        Schedule::Always(AroundTheClock { from })
    }

    fn begun(wanted: &str, schedule: Schedule, local: &str) -> (String, Schedule) {
        let today = "2026-11-24".parse().unwrap();
        let wanted = wanted.parse().ok();
        let (day, schedule) = first_start(wanted, schedule, today, local.parse().unwrap());
        (day.to_string(), schedule)
    }

    #[test]
    fn around_the_clock_begins_with_the_next_full_hour_of_today() {
        for (wanted, local, day, from) in [
            ("2026-11-24", "2026-11-24T06:30", "2026-11-24", 8),
            ("2026-11-24", "2026-11-24T08:00", "2026-11-24", 9),
            ("2026-11-24", "2026-11-24T14:20", "2026-11-24", 15),
            ("", "2026-11-24T14:20", "2026-11-24", 15),
            ("2026-11-01", "2026-11-24T14:20", "2026-11-24", 15),
            ("2026-11-24", "2026-11-24T23:10", "2026-11-25", 0),
            ("2026-11-25", "2026-11-24T14:20", "2026-11-25", 8),
            // At the place it is the day before, or the day after.
            ("2026-11-24", "2026-11-23T23:10", "2026-11-24", 8),
            ("2026-11-24", "2026-11-25T00:10", "2026-11-25", 8),
        ] {
            let found = begun(wanted, always(8), local);
            let expected = (day.to_owned(), always(from));
            assert_eq!(found, expected, "{wanted} at {local}");
        }
    }

    #[test]
    fn a_shift_that_has_begun_today_is_worked_from_tomorrow_on() {
        // November 24, 2026 is a Tuesday.
        for (days, from, local, day) in [
            (vec![Weekday::Tuesday], 7, "2026-11-24T06:59", "2026-11-24"),
            (vec![Weekday::Tuesday], 7, "2026-11-24T14:20", "2026-11-25"),
            (vec![Weekday::Monday], 7, "2026-11-24T14:20", "2026-11-24"),
            (vec![Weekday::Tuesday], 19, "2026-11-24T14:20", "2026-11-24"),
        ] {
            let shift = WeeklyShift {
                days,
                from: TimeOfDay(from * 60),
                to: TimeOfDay(23 * 60),
            };
            let schedule = Schedule::Weekly(WeeklyShifts {
                shifts: vec![shift],
            });
            assert_eq!(begun("", schedule, local).0, day, "{from} at {local}");
        }
    }
}

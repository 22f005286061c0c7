//! A schedule from the days and the hours of a text.

use super::{days, hours};
use crate::offer::calendar::{TimeOfDay, Weekday};
use crate::offer::terms::{AroundTheClock, Schedule, WeeklyShift, WeeklyShifts};

/// Words that take something out of what is said around them.
const EXCEPTIONS: [&str; 8] = [
    "except",
    "excluding",
    "exclude",
    "other than",
    "besides",
    "but not",
    "alternat",
    "every other",
];
/// Nights of the week, and weekends around the clock.
const NIGHTS_AND_WEEKENDS: [&str; 4] = [
    "nights and weekend",
    "weekends and night",
    "nights/weekend",
    "nights, weekend",
];
/// From so many shifts on, a person reads the text.
const MAX_SHIFTS: usize = 3;

/// The schedule that a text says, with the words; none if it says none, or not plainly.
pub(super) fn schedule(text: &str) -> Option<(Schedule, Vec<&str>)> {
    if EXCEPTIONS.iter().any(|word| text.contains(word)) {
        return None;
    }
    let (days, hours) = (days::find(text), hours::find(text));
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut note = |range: std::ops::Range<usize>| {
        let word = text.get(range.clone()).unwrap_or_default();
        let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        if !words.iter().any(|(_, other)| other.contains(word)) {
            words.push((range.start, word));
        }
    };
    days.iter().for_each(|it| note(it.words.range()));
    hours.iter().for_each(|it| note(it.words.clone()));
    words.sort_unstable_by_key(|(start, _)| *start);
    let words = words.into_iter().map(|(_, word)| word).collect();
    let schedule = match (days.as_slice(), hours.as_slice()) {
        ([], []) => return None,
        (days, [one]) => {
            let all: Vec<Vec<Weekday>> = days.iter().map(|it| it.days.clone()).collect();
            one_time(text, &all, one)?
        }
        // Days without hours: weekends are whole days, weekdays are not.
        ([one], []) if one.words.as_str().contains("weekend") => weekly([shift(&one.days, None)]),
        (_, []) => return None,
        (days, hours) if days.len() == hours.len() && hours.len() <= MAX_SHIFTS => {
            let both = days.iter().zip(hours);
            weekly(both.map(|(days, hours)| shift(&days.days, hours.hours)))
        }
        ([one], hours)
            if hours.len() <= MAX_SHIFTS && hours.iter().all(|it| it.hours.is_some()) =>
        {
            weekly(hours.iter().map(|hours| shift(&one.days, hours.hours)))
        }
        _ => return None,
    };
    Some((schedule, words))
}

/// The same hours on all named days; of `nights and weekends`, the weekends are whole days.
fn one_time(text: &str, days: &[Vec<Weekday>], hours: &hours::Named) -> Option<Schedule> {
    let is_both = NIGHTS_AND_WEEKENDS.iter().any(|words| text.contains(words));
    match (days, hours.hours) {
        ([], None) => Some(always()),
        ([all], None) if all.len() == 7 => Some(always()),
        ([], Some(_)) => Some(weekly([shift(&Weekday::ALL, hours.hours)])),
        ([one], _) if is_both && hours.is_word => {
            let others: Vec<Weekday> = Weekday::ALL
                .into_iter()
                .filter(|day| !one.contains(day))
                .collect();
            Some(weekly([shift(&others, hours.hours), shift(one, None)]))
        }
        ([one], _) => Some(weekly([shift(one, hours.hours)])),
        // "Every night, seven days a week": the same days twice.
        ([first, rest @ ..], _) if rest.iter().all(|days| days == first) => {
            Some(weekly([shift(first, hours.hours)]))
        }
        _ => None,
    }
}

fn always() -> Schedule {
    Schedule::Always(AroundTheClock {
        from: TimeOfDay(8 * 60),
    })
}

fn weekly(shifts: impl IntoIterator<Item = WeeklyShift>) -> Schedule {
    Schedule::Weekly(WeeklyShifts {
        shifts: shifts.into_iter().collect(),
    })
}

/// A shift; without hours, the whole day.
fn shift(days: &[Weekday], hours: Option<(TimeOfDay, TimeOfDay)>) -> WeeklyShift {
    let (from, to) = hours.unwrap_or((TimeOfDay(0), TimeOfDay(0)));
    WeeklyShift {
        days: days.to_vec(),
        from,
        to,
    }
}

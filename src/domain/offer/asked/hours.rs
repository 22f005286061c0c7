//! Times of day in words: `7 am to 7 pm`, `1900-0700`, `7 to 19`, `overnight`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::offer::calendar::{DAY, TimeOfDay};

/// A night or a day without hours is twelve of them, as the trade's shifts are.
const EVENING: i64 = 19 * 60;
const MORNING: i64 = 7 * 60;

static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let time = |n: u8| {
        format!(
            r"(?:(?P<h{n}>[0-9]{{1,2}})(?::(?P<m{n}>[0-5][0-9]))?\s*(?P<p{n}>am|pm)?|(?P<x{n}>[012][0-9][0-5]0)(?:\s*(?:hrs|hours))?|(?P<w{n}>noon|midnight))"
        )
    };
    Regex::new(&format!(
        r"(?:^|[^0-9$/.:-]){}\s*(?:-|to|til|till|until|through|thru)\s*{}(?P<after>\b\s*-?\s*[a-z%/]*)",
        time(1),
        time(2)
    ))
    .ok()
});

static WHOLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b24\s*(?:/|x|-|hours? )\s*(?:7\b|a day\b|per day\b|day\b)|\b(?:24[ -]?(?:hours?|hrs?)\b(?:[ ,]*(?:a|per|/) ?day)?|twenty-four hours\b|(?:a)?round[ -]the[ -]clock\b|days? and nights?\b|nights? and days?\b)").ok()
});

static SHIFT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:overnights?|(?:week|every ?|each )?nights?(?:ly)?(?: shifts?)?|day ?shifts?|daytime|by day)\b").ok()
});

/// Words that are no hours when they follow a range of numbers.
const NO_HOURS: [&str; 16] = [
    "guard", "officer", "people", "person", "day", "week", "month", "year", "minute", "min",
    "hour", "hr", "unit", "floor", "site", "%",
];

/// Hours that a text names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// From and to, or none for the whole day.
    pub hours: Option<(TimeOfDay, TimeOfDay)>,
    /// Whether a word such as `nights` stands for them.
    pub is_word: bool,
    pub words: Range<usize>,
}

/// The hours that a text names, in its order.
pub(super) fn find(text: &str) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    if let Some(times) = TIMES.as_ref() {
        found.extend(times.captures_iter(text).filter_map(|it| range(&it)));
    }
    let is_free = |found: &[Named], words: &Range<usize>| {
        let overlaps = |it: &Named| it.words.start < words.end && words.start < it.words.end;
        !found.iter().any(overlaps)
    };
    if let Some(whole) = WHOLE.as_ref() {
        for it in whole.find_iter(text) {
            found.retain(|other| other.words.start >= it.end() || it.start() >= other.words.end);
            found.push(Named {
                hours: None,
                is_word: false,
                words: it.range(),
            });
        }
    }
    if let Some(shift) = SHIFT.as_ref() {
        for it in shift.find_iter(text) {
            let is_day = it.as_str().contains("day") && !it.as_str().contains("night");
            let (from, to) = if is_day {
                (MORNING, EVENING)
            } else {
                (EVENING, MORNING)
            };
            if is_free(&found, &it.range()) {
                found.push(Named {
                    hours: Some((TimeOfDay(from), TimeOfDay(to))),
                    is_word: true,
                    words: it.range(),
                });
            }
        }
    }
    // Hours in numbers say what a word for them means.
    if found.iter().any(|it| !it.is_word && it.hours.is_some()) {
        found.retain(|it| !it.is_word);
    }
    found.sort_by_key(|it| it.words.start);
    found
}

/// The range of two times, if it is plain which they are.
fn range(found: &Captures<'_>) -> Option<Named> {
    let group = |name: &str| found.name(name).map(|found| found.as_str());
    let after = group("after")
        .unwrap_or_default()
        .trim_start_matches([' ', '-']);
    if NO_HOURS.iter().any(|word| after.starts_with(word)) {
        return None;
    }
    let first = Clock::read(&group, ["h1", "m1", "p1", "x1", "w1"])?;
    let last = Clock::read(&group, ["h2", "m2", "p2", "x2", "w2"])?;
    let (from, to) = both(first, last)?;
    let end = found.name("after")?.start();
    let start = found.get(0)?.start();
    Some(Named {
        hours: Some((TimeOfDay(from % DAY), TimeOfDay(to % DAY))),
        is_word: false,
        words: start..end,
    })
}

/// A time as it is written.
#[derive(Clone, Copy)]
enum Clock {
    /// Minutes after midnight.
    Certain(i64),
    /// An hour and minutes without `am` or `pm`.
    Open(i64, i64),
}

impl Clock {
    fn read<'a>(group: &impl Fn(&str) -> Option<&'a str>, names: [&str; 5]) -> Option<Self> {
        let [hour, minute, meridiem, four, word] = names.map(group);
        if let Some(word) = word {
            return Some(Self::Certain(if word == "noon" { DAY / 2 } else { 0 }));
        }
        if let Some(four) = four {
            let (hour, minute) = (
                four[..2].parse::<i64>().ok()?,
                four[2..].parse::<i64>().ok()?,
            );
            return (hour <= 24).then_some(Self::Certain(hour * 60 + minute));
        }
        let hour: i64 = hour?.parse().ok()?;
        let minute: i64 = minute.unwrap_or("0").parse().ok()?;
        match meridiem {
            Some(meridiem) if (1..=12).contains(&hour) => {
                let half = if meridiem == "pm" { DAY / 2 } else { 0 };
                Some(Self::Certain(hour % 12 * 60 + minute + half))
            }
            None if hour <= 24 => Some(Self::Open(hour, minute)),
            _ => None,
        }
    }
}

/// Both times, where one says what the other means: `7 to 7 pm`, `7 to 19`, `9 to 5`.
fn both(first: Clock, last: Clock) -> Option<(i64, i64)> {
    match (first, last) {
        (Clock::Certain(from), Clock::Certain(to)) => Some((from, to)),
        (Clock::Open(hour, minute), Clock::Certain(to)) => {
            let candidates = halves(hour, minute)?;
            // The one before the end by less than half a day, or by half a day.
            let before = |from: &i64| (to - from).rem_euclid(DAY);
            let from = candidates
                .into_iter()
                .filter(|from| before(from) > 0)
                .min_by_key(before)?;
            let is_same_hour = before(&from) == DAY / 2;
            let is_working_day = (6 * 60..12 * 60).contains(&(hour % 12 * 60)) && to > DAY / 2;
            match is_same_hour || !is_working_day {
                true => Some((from, to)),
                false => Some((hour % 12 * 60 + minute, to)),
            }
        }
        (Clock::Certain(from), Clock::Open(hour, minute)) => {
            let candidates = halves(hour, minute)?;
            let after = |to: &i64| (to - from).rem_euclid(DAY);
            let to = candidates
                .into_iter()
                .filter(|to| after(to) > 0)
                .min_by_key(after)?;
            Some((from, to))
        }
        (Clock::Open(9, 0), Clock::Open(5, 0)) => Some((9 * 60, 17 * 60)),
        (Clock::Open(8, 0), Clock::Open(5, 0)) => Some((8 * 60, 17 * 60)),
        // On a clock of 24 hours.
        (Clock::Open(from, minutes), Clock::Open(to, others)) if from.max(to) > 12 => {
            Some((from * 60 + minutes, to * 60 + others))
        }
        _ => None,
    }
}

/// An hour in the morning and in the afternoon; on a clock of 24 hours, the one that it is.
fn halves(hour: i64, minute: i64) -> Option<Vec<i64>> {
    match hour {
        1..=12 => {
            let morning = hour % 12 * 60 + minute;
            Some(vec![morning, morning + DAY / 2])
        }
        0 | 13..=24 => Some(vec![hour * 60 + minute]),
        _ => None,
    }
}

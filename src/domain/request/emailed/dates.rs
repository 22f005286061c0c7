//! When guards are needed first, and for how long.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex};

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The first day that words name, not before `day`: `YYYY-MM-DD`.
pub(super) fn start(words: &str, day: Date) -> Option<String> {
    let pattern = DAY.as_ref()?;
    let found = pattern.captures_iter(words);
    let mut days = found.filter_map(|found| named(&found, day));
    let first = days.find(|found| *found >= day)?;
    Some(first.to_string())
}

/// The day that a match names.
fn named(found: &Captures<'_>, day: Date) -> Option<Date> {
    let number = |name: &str| found.name(name)?.as_str().parse::<i16>().ok();
    let small = |name: &str| i8::try_from(number(name)?).ok();
    if let Some(year) = number("iso_year") {
        return Date::new(year, small("iso_month")?, small("iso_day")?).ok();
    }
    if let Some(month) = small("month") {
        return in_year(number("year"), month, small("day")?, day);
    }
    if let Some(name) = found.name("name") {
        let month = month_of(name.as_str())?;
        return in_year(number("name_year"), month, small("name_day")?, day);
    }
    match found.name("word")?.as_str().to_lowercase().as_str() {
        "today" | "tonight" | "asap" | "immediately" | "right away" => Some(day),
        "tomorrow" => day.tomorrow().ok(),
        word => {
            let weekday = weekday_of(word)?;
            day.nth_weekday(1, weekday).ok()
        }
    }
}

/// The day in this year, or without one in the next twelve months.
fn in_year(year: Option<i16>, month: i8, number: i8, day: Date) -> Option<Date> {
    let whole = year.map(|year| if year < 100 { year + 2000 } else { year });
    if let Some(year) = whole {
        return Date::new(year, month, number).ok();
    }
    let this = Date::new(day.year(), month, number).ok()?;
    match this >= day {
        true => Some(this),
        false => this.checked_add(1.year()).ok(),
    }
}

fn month_of(name: &str) -> Option<i8> {
    let start = name.to_lowercase();
    let at = MONTHS.iter().position(|month| start.starts_with(month))?;
    i8::try_from(at + 1).ok()
}

fn weekday_of(word: &str) -> Option<Weekday> {
    jiff::fmt::strtime::parse("%A", word).ok()?.weekday()
}

/// The value of the duration, in the words after a label or else in all of them, where a number
/// counts after "for" only: "a month" is also said of prices.
pub(super) fn duration(words: &str, label: Option<&str>) -> Option<&'static str> {
    let plain = label.unwrap_or(words).to_lowercase();
    let is_any = |names: &[&str]| names.iter().any(|name| plain.contains(name));
    if is_any(&[
        "ongoing",
        "permanent",
        "until further notice",
        "indefinite",
        "long-term",
        "long term",
    ]) {
        return Some("ongoing");
    }
    if is_any(&[
        "one-time",
        "one time",
        "one night",
        "one day only",
        "one-off",
    ]) {
        return Some("one-time");
    }
    let pattern = match label {
        Some(_) => LENGTH.as_ref(),
        None => FOR_LENGTH.as_ref(),
    };
    let found = pattern?.captures(&plain)?;
    let number = match &found[1] {
        "a" | "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "six" => 6,
        "twelve" => 12,
        digits => digits.parse::<u32>().ok()?,
    };
    match (number, &found[2]) {
        (1, "week") => Some("1-week"),
        (1, "month") | (4, "week") => Some("1-month"),
        (3, "month") => Some("3-months"),
        (6, "month") => Some("6-months"),
        (12, "month") | (1, "year") => Some("1-year"),
        _ => None,
    }
}

static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:",
        r"(?P<iso_year>20[0-9]{2})-(?P<iso_month>[0-9]{2})-(?P<iso_day>[0-9]{2})",
        r"|(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})(?:/(?P<year>20[0-9]{2}|[0-9]{2}))?",
        r"|(?P<name>jan|january|feb|february|mar|march|apr|april|may|june?|july?|aug|august|sept?",
        r"|september|oct|october|nov|november|dec|december)\.?\s+(?P<name_day>[0-9]{1,2})",
        r"(?:st|nd|rd|th)?(?:,?\s+(?P<name_year>20[0-9]{2}))?",
        r"|(?P<word>today|tonight|tomorrow|asap|immediately|right away|monday|tuesday|wednesday",
        r"|thursday|friday|saturday|sunday)",
        r")\b",
    ))
    .ok()
});

const NUMBER_OF: &str = r"([0-9]{1,2}|a|one|two|three|four|six|twelve)[\s-]+(week|month|year)s?\b";

static LENGTH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"\b{NUMBER_OF}")).ok());

static FOR_LENGTH: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"\bfor (?:about |around |at least |the next |the first )?{NUMBER_OF}"
    ))
    .ok()
});

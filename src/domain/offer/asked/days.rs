//! Days of the week in words.

use std::sync::LazyLock;

use regex::{Match, Regex};

use crate::offer::calendar::Day;

/// A range, a list, or a word for several days.
static DAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let day = "(?:mon|tues?|wed|thur?s?|fri|sat|sun)(?:day|nesday|sday|rsday|urday)?s?";
    Regex::new(&format!(
        r"\b(?:(?P<from>{day})\.?\s*(?:-|to|thru|through|until)\s*(?P<to>{day})|m-f\b|(?P<list>{day}(?:(?:\s*,\s*(?:and\s+)?|\s*/\s*|\s+and\s+){day})*)|(?:(?:all|on|the|only|every)\s+)*(?:weekdays?|weeknights?|weekends?|business days)|every\s?(?:day|night)|each (?:day|night)|daily|nightly|(?:7|seven) (?:days|nights)(?: a| per|/)? ?(?:week|wk)?)\b"
    ))
    .ok()
});

/// Days that a text names, with the words.
pub(super) struct Named<'a> {
    pub days: Vec<Day>,
    pub words: Match<'a>,
}

/// The days that a text names, in its order.
pub(super) fn find(text: &str) -> Vec<Named<'_>> {
    let Some(days) = DAYS.as_ref() else {
        return Vec::new();
    };
    let found = days.captures_iter(text).filter_map(|found| {
        let words = found.get(0)?;
        let group = |name: &str| found.name(name).map(|found| found.as_str());
        let days = match (group("from"), group("to"), group("list")) {
            (Some(from), Some(to), _) => between(index(from)?, index(to)?),
            (_, _, Some(list)) => listed(list),
            _ => of_word(words.as_str()),
        };
        Some(Named { days, words })
    });
    found.collect()
}

fn of_word(word: &str) -> Vec<Day> {
    let range = match word {
        _ if word.contains("weekend") => 5..7,
        _ if word.contains("weekday") || word.contains("weeknight") => 0..5,
        "m-f" | "business days" => 0..5,
        _ => 0..7,
    };
    Day::FROM_MONDAY[range].to_vec()
}

fn listed(list: &str) -> Vec<Day> {
    let words = list.split(|c: char| !c.is_alphabetic());
    let mut days: Vec<usize> = words.filter_map(index).collect();
    days.sort_unstable();
    days.dedup();
    days.into_iter().map(|day| Day::FROM_MONDAY[day]).collect()
}

/// The days from one to another, also over the end of the week.
fn between(from: usize, to: usize) -> Vec<Day> {
    let count = (to + 7 - from) % 7 + 1;
    let mut days: Vec<usize> = (0..count).map(|day| (from + day) % 7).collect();
    days.sort_unstable();
    days.into_iter().map(|day| Day::FROM_MONDAY[day]).collect()
}

fn index(word: &str) -> Option<usize> {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    names.iter().position(|name| word.starts_with(name))
}

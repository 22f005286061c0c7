//! Days of the week in words.

use std::sync::LazyLock;

use regex::{Match, Regex};

use crate::offer::calendar::Weekday;

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
    pub days: Vec<Weekday>,
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

fn of_word(word: &str) -> Vec<Weekday> {
    let range = match word {
        _ if word.contains("weekend") => 5..7,
        _ if word.contains("weekday") || word.contains("weeknight") => 0..5,
        "m-f" | "business days" => 0..5,
        _ => 0..7,
    };
    Weekday::FROM_MONDAY[range].to_vec()
}

fn listed(list: &str) -> Vec<Weekday> {
    let words = list.split(|c: char| !c.is_alphabetic());
    in_order(&words.filter_map(index).collect::<Vec<_>>())
}

/// The days from one to another, also over the end of the week.
fn between(from: usize, to: usize) -> Vec<Weekday> {
    let count = (to + 7 - from) % 7 + 1;
    in_order(&(0..count).map(|day| (from + day) % 7).collect::<Vec<_>>())
}

/// Days after Monday, each once and in their order.
fn in_order(days: &[usize]) -> Vec<Weekday> {
    let all = (0..7).filter(|day| days.contains(day));
    all.map(|day| Weekday::FROM_MONDAY[day]).collect()
}

fn index(word: &str) -> Option<usize> {
    let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    names.iter().position(|name| word.starts_with(name))
}

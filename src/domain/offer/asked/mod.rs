//! What the words of a request say of its schedule, where it is plain: days, hours, the number of
//! officers, armed or not. Each value comes with the words that it was taken from, for a person to
//! check; what is not said, or in two ways, stays open.

mod days;
mod hours;
mod officers;
mod schedule;
#[cfg(test)]
mod tests;

use poem_openapi::Object;

use super::terms::Schedule;

/// What was taken from a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    pub schedule: Option<Schedule>,
    pub officers: Option<u32>,
    pub is_armed: Option<bool>,
    /// What it was taken from.
    pub taken: Vec<AskedWords>,
}

/// Words of the customer, and what is taken from them.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
pub struct AskedWords {
    /// `schedule`, `officers` or `armed`.
    pub what: String,
    pub words: String,
}

impl Asked {
    /// What a text says.
    pub fn of(text: &str) -> Self {
        let plain = plain(text);
        let mut asked = Self::default();
        let mut take = |what: &str, words: &[&str]| {
            asked.taken.extend(words.iter().map(|words| AskedWords {
                what: what.to_owned(),
                words: words.trim().to_owned(),
            }));
        };
        if let Some((schedule, words)) = schedule::schedule(&plain) {
            asked.schedule = Some(schedule);
            take("schedule", &words);
        }
        if let Some((officers, words)) = officers::officers(&plain) {
            asked.officers = Some(officers);
            take("officers", &[words]);
        }
        if let Some((is_armed, words)) = officers::armed(&plain) {
            asked.is_armed = Some(is_armed);
            take("armed", &[words]);
        }
        asked
    }
}

/// The text in lower case, with one kind of dash and `am` and `pm` without periods.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let dashes = lower.replace(['–', '—', '‑', '−'], "-").replace('’', "'");
    let meridiems = dashes.replace("a.m.", "am").replace("p.m.", "pm");
    meridiems.replace(" & ", " and ")
}

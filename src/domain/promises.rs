//! The times that the company promises, from `seeds/site/promises.json`. Pages, emails and legal
//! texts take their words from this table, as the company facts `promise_KEY`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static PROMISES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let table = include_str!("../../seeds/site/promises.json");
    // A test reads the file.
    serde_json::from_str(table).unwrap_or_default()
});

/// The promises by key, as in `answer`: `24 hours`.
pub fn promises() -> &'static BTreeMap<String, String> {
    &PROMISES
}

/// The hours within which a written request is answered; `None` if the promise names none.
pub fn answer_hours() -> Option<u32> {
    let promised = promises().get("answer")?;
    promised.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_promise_and_an_answer_in_hours() {
        let promises = promises();
        let keys: Vec<&str> = promises.keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["answer", "arrival", "round", "round_sleeping", "start"]
        );
        assert_eq!(answer_hours(), Some(24));
    }
}

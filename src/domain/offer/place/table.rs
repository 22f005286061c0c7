//! The cities and the postal codes that are known, from `seeds/offers/places.json` and
//! `seeds/site/cities.json`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::us_state;

/// The most words of a city's name.
const MAX_WORDS: usize = 4;

/// What is known of a state.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StateSeed {
    /// The first three digits of postal codes, as `733` or `750-799`.
    zip: Vec<String>,
    /// Cities besides those of `seeds/site/cities.json`.
    cities: Vec<String>,
}

/// A city and the codes of the states that have one of this name.
pub(super) struct City {
    pub name: String,
    pub states: Vec<String>,
}

struct Table {
    /// By the name in lower case.
    cities: HashMap<String, City>,
    /// By the first three digits of the postal code.
    zip: HashMap<u16, &'static str>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let more = include_str!("../../../../seeds/offers/places.json");
    let site = include_str!("../../../../seeds/site/cities.json");
    let more: BTreeMap<String, StateSeed> = serde_json::from_str(more).unwrap_or_default();
    let site: BTreeMap<String, BTreeMap<String, [f64; 2]>> =
        serde_json::from_str(site).unwrap_or_default();
    let mut table = Table {
        cities: HashMap::new(),
        zip: HashMap::new(),
    };
    for (state, cities) in &site {
        cities.keys().for_each(|city| table.add(city, state));
    }
    for (state, seed) in &more {
        seed.cities.iter().for_each(|city| table.add(city, state));
        for range in &seed.zip {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            let bounds = from.parse::<u16>().ok().zip(to.parse::<u16>().ok());
            let code = us_state::parse_code(state);
            if let Some(((from, to), code)) = bounds.zip(code) {
                table.zip.extend((from..=to).map(|zip| (zip, code)));
            }
        }
    }
    table
});

impl Table {
    fn add(&mut self, city: &str, state: &str) {
        let words: Vec<&str> = city.split(' ').collect();
        let known = self.cities.entry(key(&words)).or_insert_with(|| City {
            name: city.to_owned(),
            states: Vec::new(),
        });
        if !known.states.iter().any(|known| known == state) {
            known.states.push(state.to_owned());
        }
    }
}

/// `St.` and `St`, and both kinds of apostrophes, are the same.
fn key(words: &[&str]) -> String {
    words
        .join(" ")
        .to_lowercase()
        .replace('.', "")
        .replace('’', "'")
}

/// The known city that words end with; the longest name.
pub(super) fn city_at_end(words: &[&str]) -> Option<&'static City> {
    let mut lengths = (1..=words.len().min(MAX_WORDS)).rev();
    lengths.find_map(|length| TABLE.cities.get(&key(&words[words.len() - length..])))
}

/// The name of the known city of a state that words end with.
pub(super) fn city_of_state_at_end(words: &[&str], state: &str) -> Option<String> {
    let city = city_at_end(words)?;
    let is_there = city.states.iter().any(|code| code == state);
    is_there.then(|| city.name.clone())
}

/// The state of the first three digits of a postal code.
pub(super) fn state_of_zip(first: u16) -> Option<&'static str> {
    TABLE.zip.get(&first).copied()
}

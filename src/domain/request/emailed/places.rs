//! Where guards are needed: a street, and a city with its state.

use std::sync::LazyLock;

use regex::Regex;

use super::labels::Labels;
use crate::us_state;

/// The location that labels or words name.
pub(super) fn location(labels: &Labels, text: &str) -> Option<String> {
    let parts = ["location", "street", "city"].map(|field| labels.get(field));
    let region = [labels.get("state"), labels.get("zip")];
    let region: Vec<&str> = region.into_iter().flatten().collect();
    let mut all: Vec<String> = parts.into_iter().flatten().map(str::to_owned).collect();
    if !all.is_empty() {
        if !region.is_empty() {
            all.push(region.join(" "));
        }
        return Some(all.join(", "));
    }
    match (in_words(text), region.is_empty()) {
        (None, false) => Some(region.join(" ")),
        (found, _) => found,
    }
}

/// The location in a sentence: `1200 Main St, Houston, TX 77002`, or a part of it.
fn in_words(text: &str) -> Option<String> {
    let street = STREET.as_ref()?.find(text);
    let after = street.map_or(0, |street| street.end());
    let cities = CITY.as_ref()?;
    let city = cities.find_at(text, after).or_else(|| cities.find(text));
    match (street, city) {
        (Some(street), Some(city)) if city.start() >= street.end() => {
            let between = &text[street.end()..city.start()];
            let is_next = between.trim().trim_matches(',').trim().is_empty();
            Some(match is_next {
                true => one_line(&text[street.start()..city.end()]),
                false => format!("{}, {}", one_line(street.as_str()), one_line(city.as_str())),
            })
        }
        (None, Some(city)) => Some(one_line(city.as_str())),
        (Some(street), _) => Some(one_line(street.as_str())),
        (None, None) => None,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number and a name that ends as those of streets do.
static STREET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b[0-9]{1,6}[ \t]+(?:[A-Z0-9][\w.'’-]*[ \t]+){1,5}?",
        r"(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Dr|Drive|Ln|Lane|Way|Hwy|Highway|Pkwy",
        r"|Parkway|Ct|Court|Pl|Place|Loop|Fwy|Freeway|Plaza|Cir|Circle)\b\.?",
        r"(?:,?[ \t]+(?:Suite|Ste|Unit|Bldg|Building|#)\.?[ \t]?[\w-]+)?",
    ))
    .ok()
});

/// One to three words with capitals, and a state: by its name, by its code after a comma, or by its
/// code before a ZIP code.
static CITY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names: Vec<&str> = us_state::states().map(|(_, name)| name).collect();
    let codes: Vec<&str> = us_state::states().map(|(code, _)| code).collect();
    let (names, codes) = (names.join("|"), codes.join("|"));
    let zip = "[0-9]{5}(?:-[0-9]{4})?";
    let city = r"[A-Z][A-Za-z.'’-]+(?:[ \t]+[A-Z][A-Za-z.'’-]+){0,2}";
    Regex::new(&format!(
        r"\b{city}(?:,?[ \t]+(?i:{names})\b(?:,?[ \t]+{zip}\b)?|,[ \t]*(?:{codes}|DC)\b(?:,?[ \t]+{zip}\b)?|[ \t]+(?:{codes}|DC)[ \t]+{zip}\b)"
    ))
    .ok()
});

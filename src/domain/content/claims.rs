//! Checks what content claims: no sample passes for a real entry, and no state is served for
//! longer than the company exists.

use serde_json::Value;

use super::{Fault, Sections};

/// What a sample invents; a release is known by its title.
const INVENTED: [&str; 5] = ["name", "company", "text", "excerpt", "content"];

/// A shipped sample stays as it is, goes, or becomes a real entry: what carries no mark has nothing
/// that a shipped sample invents (16 CFR 465: no invented reviews).
pub(super) fn samples(section: &str, value: &Value, default: &Value) -> Vec<Fault> {
    let (Some(entries), Some(shipped)) = (value.as_array(), default.as_array()) else {
        return Vec::new();
    };
    let is_sample = |entry: &Value| entry.get("sample").and_then(Value::as_bool);
    let mut faults = Vec::new();
    for (nth, entry) in entries.iter().enumerate() {
        let mut fault = |key: &str, rule: &str| {
            faults.push(Fault::new(section, &format!("/{nth}/{key}"), rule));
        };
        match is_sample(entry) {
            Some(true) if !shipped.contains(entry) => {
                fault(
                    "sample",
                    "is changed; take its mark off to make it a real entry",
                );
            }
            Some(false) => {
                let title = entry.get("name").is_none().then_some("title");
                for key in INVENTED.into_iter().chain(title) {
                    let samples = shipped.iter().filter(|one| is_sample(one) == Some(true));
                    let mut invented = samples.filter_map(|sample| sample.get(key));
                    if invented.any(|value| entry.get(key) == Some(value)) {
                        fault(key, "is that of a sample; write your own");
                    }
                }
            }
            _ => {}
        }
    }
    faults
}

/// No state is served for longer than the company exists. Clients of a state are all that were ever
/// served there, the company's locations those of a year, so their sums are not compared.
pub(super) fn figures(all: &Sections) -> Vec<Fault> {
    let stats = all
        .get("company")
        .and_then(|company| company["stats"].as_array());
    let total = stats.into_iter().flatten().find_map(|stat| {
        let label = stat["label"].as_str()?;
        let value = stat["value"]
            .as_str()
            .filter(|_| label == "years in business")?;
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<i64>().ok()
    });
    let states = all.get("states").and_then(Value::as_array);
    let years = states.into_iter().flatten();
    let years = years.filter_map(|state| state["stats"]["years"].as_i64());
    match (years.max(), total) {
        (Some(years), Some(total)) if years > total => {
            let rule = format!("a state has {years} years, the company's figure says {total}");
            vec![Fault::new("states", "", rule)]
        }
        _ => Vec::new(),
    }
}

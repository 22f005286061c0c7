//! Checks what content claims: no sample passes for a real entry, and the figures of the states fit
//! those of the company.

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

/// The figures of the states add up to no more than the company's, and none is older.
pub(super) fn figures(all: &Sections) -> Vec<Fault> {
    let figure = |label: &str| {
        let stats = all.get("company")?.get("stats")?.as_array()?;
        let stat = stats.iter().find(|stat| stat["label"] == label)?;
        let digits: String = stat["value"]
            .as_str()?
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        digits.parse::<i64>().ok()
    };
    let states = all.get("states").and_then(Value::as_array);
    let of = |key: &str| {
        let figures = states.into_iter().flatten();
        figures
            .filter_map(|state| state["stats"][key].as_i64())
            .collect::<Vec<_>>()
    };
    let mut faults = Vec::new();
    let clients: i64 = of("clients").iter().sum();
    if let Some(total) = figure("client locations")
        && clients > total
    {
        let rule = format!(
            "the states have {clients} clients together, the company's figure says {total}"
        );
        faults.push(Fault::new("states", "", rule));
    }
    let years = of("years").into_iter().max().unwrap_or_default();
    if let Some(total) = figure("years in business")
        && years > total
    {
        let rule = format!("a state has {years} years, the company's figure says {total}");
        faults.push(Fault::new("states", "", rule));
    }
    faults
}

//! Facts that a company has to fill in before its site is public: those of the sample company,
//! missing licenses, and unconfirmed figures and claims.

use serde_json::Value;

use super::content::Content;
use config::Company;
use domain::content::Sections;

/// The facts that are those of the sample company, or cannot be real: each with the reason.
pub fn facts(company: &Company) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let sample = Company::default();
    let digits: String = company.phone.chars().filter(char::is_ascii_digit).collect();
    // North American numbers with the exchange 555 are fictitious.
    if digits.len() >= 10 && digits[digits.len() - 7..].starts_with("555") {
        let reason = format!("{} is a fictitious number (555)", company.phone);
        found.push(("phone", reason));
    }
    for (key, address) in [
        ("email", &company.email),
        ("media_email", &company.media_email),
    ] {
        if is_example(address) {
            let reason =
                format!("{address} is in a domain reserved for examples and gets no email");
            found.push((key, reason));
        }
    }
    for (key, value, sample) in [
        ("name", &company.name, &sample.name),
        ("legal_name", &company.legal_name, &sample.legal_name),
        ("street", &company.street, &sample.street),
    ] {
        if value == sample {
            found.push((key, format!("`{value}` is the sample value")));
        }
    }
    found
}

/// The codes of the states that license guard companies and in which the company has no license.
pub fn states_without_license<'a>(company: &Company, content: &'a Content) -> Vec<&'a str> {
    let states = content.states.iter();
    let missing = states
        .filter(|state| state.licensing.statewide && !company.licenses.contains_key(&state.code));
    missing.map(|state| state.code.as_str()).collect()
}

/// Figures that the office has not confirmed.
pub struct Unconfirmed {
    /// The company's.
    pub company: Vec<String>,
    /// The states whose figures they are. A public site shows the company's in their place.
    pub states: Vec<String>,
}

/// The figures that the office has not confirmed.
pub fn unconfirmed(all: &Sections) -> Unconfirmed {
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let stats = entries(all.get("company").map(|company| &company["stats"]));
    let states = entries(all.get("states"));
    Unconfirmed {
        company: stats
            .filter(|stat| stat["confirmed"] != true)
            .map(|stat| format!("{} {}", text(stat, "value"), text(stat, "label")))
            .collect(),
        states: states
            .filter(|state| state["stats"]["confirmed"] != true)
            .map(|state| text(state, "name"))
            .collect(),
    }
}

fn entries(list: Option<&Value>) -> impl Iterator<Item = &Value> {
    list.and_then(Value::as_array).into_iter().flatten()
}

/// The claims that some text of the content makes, and that the office has not confirmed.
pub fn unconfirmed_claims(all: &Sections) -> Vec<String> {
    let texts: Vec<String> = all
        .iter()
        .filter(|(key, _)| *key != "claims")
        .map(|(_, section)| section.to_string())
        .collect();
    let claims = all.get("claims").and_then(Value::as_array);
    claims
        .into_iter()
        .flatten()
        .filter(|claim| claim["confirmed"] != true)
        .filter(|claim| {
            let words = claim["words"].as_str().unwrap_or_default();
            texts.iter().any(|text| text.contains(words))
        })
        .filter_map(|claim| claim["claim"].as_str().map(str::to_owned))
        .collect()
}

/// Whether a host or an email address is in a domain reserved for examples (RFC 2606).
pub fn is_example(name: &str) -> bool {
    let name = name.trim_end_matches('>').to_ascii_lowercase();
    let domain = name.rsplit('@').next().unwrap_or_default();
    [".example", ".test", ".invalid"]
        .iter()
        .any(|top| domain.ends_with(top))
        || ["example.com", "example.org", "example.net"]
            .iter()
            .any(|reserved| domain == *reserved || domain.ends_with(&format!(".{reserved}")))
}

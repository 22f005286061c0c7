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

/// Entries of a list of the content that the office has not confirmed.
pub struct Unconfirmed {
    /// The names of the unconfirmed entries.
    pub names: Vec<String>,
    /// The position of the first in its list; `None` if all are confirmed.
    pub first: Option<usize>,
}

/// The company's figures that are not confirmed.
pub fn company_figures(all: &Sections) -> Unconfirmed {
    let stats = all.get("company").map(|company| &company["stats"]);
    let is_open = |stat: &Value| stat["confirmed"] != true;
    unconfirmed(stats, is_open, |stat| {
        format!("{} {}", text(stat, "value"), text(stat, "label"))
    })
}

/// The states whose figures are not confirmed. A public site shows the company's in their place.
pub fn state_figures(all: &Sections) -> Unconfirmed {
    let is_open = |state: &Value| state["stats"]["confirmed"] != true;
    unconfirmed(all.get("states"), is_open, |state| {
        text(state, "name").to_owned()
    })
}

/// The claims that some text of the content makes, and that are not confirmed.
pub fn claims(all: &Sections) -> Unconfirmed {
    let others = all.iter().filter(|(key, _)| *key != "claims");
    let texts: Vec<String> = others.map(|(_, section)| section.to_string()).collect();
    let is_made = |claim: &Value| texts.iter().any(|it| it.contains(text(claim, "words")));
    let is_open = |claim: &Value| claim["confirmed"] != true && is_made(claim);
    unconfirmed(all.get("claims"), is_open, |claim| {
        text(claim, "claim").to_owned()
    })
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap_or_default()
}

fn unconfirmed(
    list: Option<&Value>,
    is_open: impl Fn(&Value) -> bool,
    name: impl Fn(&Value) -> String,
) -> Unconfirmed {
    let entries = list.and_then(Value::as_array).into_iter().flatten();
    let open = entries.enumerate().filter(|(_, entry)| is_open(entry));
    let mut open = open.peekable();
    Unconfirmed {
        first: open.peek().map(|(at, _)| *at),
        names: open.map(|(_, entry)| name(entry)).collect(),
    }
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

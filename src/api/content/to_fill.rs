//! What the company has to fill in or confirm before its site is public, each with its field.

use jiff::civil::Date;
use poem_openapi::Object;
use serde_json::Value;

use domain::content::Sections;
use site::current::SiteState;
use site::{sections, unfinished};

/// A fact to fill in or to confirm.
#[derive(Object)]
pub(super) struct ToFill {
    /// One sentence.
    text: String,
    /// The section of the content.
    section: String,
    /// The first field in it, as a JSON pointer; empty for the whole section.
    path: String,
}

impl ToFill {
    fn new(section: &str, path: Option<String>, text: String) -> Self {
        Self {
            text,
            section: section.to_owned(),
            path: path.unwrap_or_default(),
        }
    }

    /// The samples in a section with this title.
    pub(super) fn samples(section: &str, title: &str, value: &Value, samples: usize) -> Self {
        let text = match samples {
            1 => format!("{title}: one sample is left. A public site does not show it."),
            n => format!("{title}: {n} samples are left. A public site does not show them."),
        };
        let path = first(value, "sample", |entry| entry["sample"] == true);
        Self::new(section, path, text)
    }
}

/// The field `name` of the first entry of the section that fits.
fn first(section: &Value, name: &str, fits: impl Fn(&Value) -> bool) -> Option<String> {
    let at = section.as_array()?.iter().position(fits)?;
    Some(format!("/{at}/{name}"))
}

/// What is missing besides samples. `edited` are the sections with their drafts, `today` is the
/// company's day.
pub(super) fn of_facts(site: &SiteState, edited: &Sections, today: Date) -> Vec<ToFill> {
    let mut found = expired_licenses(site, edited, today);
    let figures = unfinished::company_figures(edited);
    if let Some(at) = figures.first {
        let text = format!(
            "Hero, figures, mission and about: not confirmed: {}.",
            figures.names.join("; ")
        );
        let path = Some(format!("/stats/{at}/confirmed"));
        found.push(ToFill::new("company", path, text));
    }
    let states = unfinished::state_figures(edited);
    if let Some(at) = states.first {
        let text = format!(
            "States: the figures of {} are samples. A public site shows the company’s instead.",
            states.names.join(", ")
        );
        let path = Some(format!("/{at}/stats/confirmed"));
        found.push(ToFill::new("states", path, text));
    }
    let claims = unfinished::claims(edited);
    if let Some(at) = claims.first {
        let names = claims.names.join("; ");
        let text = format!("Claims to confirm: not confirmed: {names}.");
        found.push(ToFill::new(
            "claims",
            Some(format!("/{at}/confirmed")),
            text,
        ));
    }
    let facts = unfinished::facts(&site.company);
    if let Some((key, _)) = facts.first() {
        let names: Vec<String> = facts.iter().map(|(key, _)| key.replace('_', " ")).collect();
        let text = format!(
            "Company facts: still those of the sample company: {}.",
            names.join(", ")
        );
        found.push(ToFill::new("facts", Some(format!("/{key}")), text));
    }
    match unfinished::states_without_license(&site.company, &site.content).len() {
        0 => {}
        n => {
            let text =
                format!("Licenses: none is entered for {n} states that license guard companies.");
            found.push(ToFill::new("licenses", None, text));
        }
    }
    found
}

fn expired_licenses(site: &SiteState, edited: &Sections, today: Date) -> Vec<ToFill> {
    let licenses = sections::company(&site.company, edited).licenses;
    let expired = licenses
        .into_iter()
        .filter(|(_, license)| license.has_expired(today));
    let name = |(state, license): (String, config::License)| {
        let section = edited.get("licenses");
        let path =
            section.and_then(|all| first(all, "expires", |entry| entry["state"] == state.as_str()));
        let text = format!(
            "Licenses: {state} {} expired {}. It is not shown until you enter its new date.",
            license.number,
            license.expires_text()
        );
        ToFill::new("licenses", path, text)
    };
    expired.map(name).collect()
}

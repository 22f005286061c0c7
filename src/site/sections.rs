//! The sections of the content with their shipped values: the seeds, and the company facts of
//! `config.toml`.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use config::{Company, License};
use domain::content::{ContentRules, Fault, Sections};

const SEEDS: [(&str, &str); 13] = [
    ("company", include_str!("../../seeds/site/company.json")),
    ("services", include_str!("../../seeds/site/services.json")),
    ("proof", include_str!("../../seeds/site/proof.json")),
    ("insurance", include_str!("../../seeds/site/insurance.json")),
    ("prices", include_str!("../../seeds/site/prices.json")),
    ("careers", include_str!("../../seeds/site/careers.json")),
    ("states", include_str!("../../seeds/site/states.json")),
    ("faqs", include_str!("../../seeds/site/faqs.json")),
    ("clients", include_str!("../../seeds/site/clients.json")),
    (
        "testimonials",
        include_str!("../../seeds/site/testimonials.json"),
    ),
    ("press", include_str!("../../seeds/site/press.json")),
    ("claims", include_str!("../../seeds/site/claims.json")),
    ("pictures", include_str!("../../seeds/site/pictures.json")),
];

/// Sections of which some entries may be samples.
pub const WITH_SAMPLES: [&str; 4] = ["proof", "clients", "testimonials", "press"];

/// The shipped value of every section. Fails if a seed is not valid JSON; a test reads all of them.
pub fn defaults(company: &Company) -> Result<Sections> {
    let mut all = Sections::new();
    for (key, text) in SEEDS {
        let value = serde_json::from_str(text).with_context(|| format!("seeds/site/{key}.json"))?;
        all.insert(key.to_owned(), value);
    }
    all.insert("facts".to_owned(), facts(company));
    all.insert("licenses".to_owned(), licenses(company));
    Ok(all)
}

/// Every section: the changed ones, and the shipped values of the others.
pub fn merged(defaults: Sections, changed: &Sections) -> Sections {
    let mut all = defaults;
    for (key, value) in changed {
        all.insert(key.clone(), value.clone());
    }
    all
}

/// Only the sections that differ from the shipped ones.
pub fn changed(defaults: &Sections, mut all: Sections) -> Sections {
    all.retain(|key, value| defaults.get(key) != Some(value));
    all
}

/// Checks all sections together. Errors: one line for each broken rule.
pub fn require_valid(rules: &ContentRules, all: &Sections, defaults: &Sections) -> Result<()> {
    let faults = rules.check_all(all, defaults);
    if !faults.is_empty() {
        bail!("{}", list(&faults));
    }
    Ok(())
}

/// Broken rules, one line each.
pub fn list(faults: &[Fault]) -> String {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    lines.join("\n")
}

/// The number of samples in a section.
pub fn count_samples(section: &Value) -> usize {
    let entries = section.as_array().into_iter().flatten();
    entries.filter(|entry| entry["sample"] == true).count()
}

/// The company with the facts and licenses of the content; `base` has the other settings.
pub fn company(base: &Company, all: &Sections) -> Company {
    let text = |key: &str| {
        let fact = all.get("facts").and_then(|facts| facts[key].as_str());
        fact.unwrap_or_default().to_owned()
    };
    let licenses = all.get("licenses").and_then(Value::as_array);
    let license = |entry: &Value| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let license = License {
            number: text("number"),
            holder: text("holder"),
            expires: entry["expires"].as_str().and_then(|day| day.parse().ok()),
        };
        (text("state"), license)
    };
    Company {
        name: text("name"),
        legal_name: text("legal_name"),
        phone: text("phone"),
        email: text("email"),
        media_email: text("media_email"),
        street: text("street"),
        city: text("city"),
        region: text("region"),
        postal_code: text("postal_code"),
        hours: text("hours"),
        time_zone: base.time_zone.clone(),
        licenses: licenses.into_iter().flatten().map(license).collect(),
    }
}

fn facts(company: &Company) -> Value {
    json!({
        "name": company.name,
        "legal_name": company.legal_name,
        "phone": company.phone,
        "email": company.email,
        "media_email": company.media_email,
        "street": company.street,
        "city": company.city,
        "region": company.region,
        "postal_code": company.postal_code,
        "hours": company.hours,
    })
}

fn licenses(company: &Company) -> Value {
    let license = |(state, license): (&String, &License)| {
        json!({
            "state": state,
            "number": license.number,
            "holder": license.holder,
            "expires": license.expires.map(|day| day.to_string()),
        })
    };
    company.licenses.iter().map(license).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_keeps_the_rules() {
        let mut company = Company::default();
        company.licenses.insert("TX".into(), "B-1".into());
        let all = defaults(&company).unwrap();
        let rules = ContentRules::bundled().unwrap();
        let keys: Vec<&str> = rules.keys().collect();
        assert_eq!(keys.len(), all.len());
        assert!(keys.iter().all(|key| all.contains_key(*key)));
        for (key, value) in &all {
            assert_eq!(rules.check(key, value, value), [], "{key}");
        }
        require_valid(&rules, &all, &all).unwrap();
        assert_eq!(super::company(&company, &all), company);
        assert_eq!(changed(&all, all.clone()), Sections::new());
    }
}

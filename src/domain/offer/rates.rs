//! What an admin publishes for offers: the rate card, the insurance line, how long an offer is
//! valid, the conditions, and the consent to electronic signing.

use std::ops::RangeInclusive;

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::faults::{Fault, Faults};
use super::rate_card::RateCard;

/// The card and the texts that the program ships with: a sample.
const SAMPLE_CARD: &str = include_str!("../../../seeds/offers/rate-card.json");
const SAMPLE_CONDITIONS: &str = include_str!("../../../seeds/offers/conditions.json");
const SAMPLE_CONSENT: &str = include_str!("../../../seeds/offers/consent.json");

const MAX_CLASSES: usize = 50;
const MAX_ENTRIES: usize = 500;
const MAX_PARAGRAPHS: usize = 40;
const MAX_TITLE: usize = 200;
const MAX_TEXT: usize = 4000;
/// The maximum of a rate, in cents: $10,000.
const MAX_RATE: i64 = 1_000_000;
/// Basis points, up to ten times the rate.
const PART: RangeInclusive<i64> = 0..=100_000;
const MISSING: &str = "Write something, or remove it.";
const NO_CLASS: &str = "Choose a class of the rate card.";
/// The longest time that an offer is valid, in days.
pub const MAX_VALID_DAYS: u32 = 365;

/// What offers are made with. Money is in cents, time in minutes, parts are in basis points.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    pub card: RateCard,
    /// One line about the insurance, which may be empty.
    pub insurance: String,
    /// Days after the day of sending.
    pub valid_days: u32,
    pub conditions: Vec<Paragraph>,
    /// Rates that were published before it could be edited have the sample.
    #[serde(default = "Consent::sample")]
    pub consent: Consent,
    /// The lawyer who has confirmed conditions, consent and sales taxes; empty: none has yet.
    #[oai(default)]
    #[serde(default)]
    pub confirmed_by: String,
}

/// What a customer consents to by accepting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Consent {
    /// The words beside the box.
    pub text: String,
    /// What the law wants said of signing electronically.
    pub disclosures: Vec<Paragraph>,
}

impl Consent {
    /// The consent that the program ships with; a test reads it.
    pub fn sample() -> Self {
        serde_json::from_str(SAMPLE_CONSENT).unwrap_or_default()
    }
}

/// A part of a text with its heading.
#[derive(Clone, Debug, PartialEq, Eq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Paragraph {
    pub title: String,
    pub text: String,
}

/// The file of the sample's texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleConditions {
    insurance: String,
    valid_days: u32,
    conditions: Vec<Paragraph>,
}

impl Rates {
    /// The sample of the program.
    ///
    /// # Errors
    /// The seeds are not valid; a test reads them.
    pub fn sample() -> Result<Self, serde_json::Error> {
        let texts: SampleConditions = serde_json::from_str(SAMPLE_CONDITIONS)?;
        Ok(Self {
            card: serde_json::from_str(SAMPLE_CARD)?,
            insurance: texts.insurance,
            valid_days: texts.valid_days,
            conditions: texts.conditions,
            consent: Consent::sample(),
            confirmed_by: String::new(),
        })
    }

    /// What is wrong with them, in words for the admin who enters them.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Faults::default();
        let is_wrong = !(1..=MAX_VALID_DAYS).contains(&self.valid_days);
        let message = format!("Enter 1 to {MAX_VALID_DAYS} days.");
        faults.add_if(is_wrong, "valid_days", message);
        faults.length("insurance", &self.insurance, MAX_TITLE);
        faults.length("confirmed_by", &self.confirmed_by, MAX_TITLE);
        faults.text("consent.text", &self.consent.text, MAX_TEXT, MISSING);
        let disclosures = &self.consent.disclosures;
        for (field, paragraphs, name) in [
            ("conditions", &self.conditions, "conditions"),
            ("consent.disclosures", disclosures, "disclosures"),
        ] {
            let is_wrong = paragraphs.is_empty() || paragraphs.len() > MAX_PARAGRAPHS;
            let message = format!("Write 1 to {MAX_PARAGRAPHS} {name}.");
            faults.add_if(is_wrong, field, message);
            for (number, Paragraph { title, text }) in paragraphs.iter().enumerate() {
                let field = |name: &str| format!("{field}.{number}.{name}");
                faults.text(field("title"), title, MAX_TITLE, MISSING);
                faults.text(field("text"), text, MAX_TEXT, MISSING);
            }
        }
        faults.0.extend(card_faults(&self.card));
        faults.0
    }
}

/// What is wrong with a card.
pub fn card_faults(card: &RateCard) -> Vec<Fault> {
    let mut faults = Faults::default();
    check_classes(card, &mut faults);
    check_extras(card, &mut faults);
    check_lists(card, &mut faults);
    faults.0
}

fn check_rate(faults: &mut Faults, field: String, cents: i64) {
    let message = "Enter a rate of more than $0, up to $10,000.";
    faults.add_if(!(1..=MAX_RATE).contains(&cents), field, message);
}

fn check_classes(card: &RateCard, faults: &mut Faults) {
    let is_wrong = card.classes.is_empty() || card.classes.len() > MAX_CLASSES;
    let message = format!("Enter 1 to {MAX_CLASSES} classes.");
    faults.add_if(is_wrong, "card.classes", message);
    for (key, class) in &card.classes {
        let field = |name: &str| format!("card.classes.{key}.{name}");
        faults.text(field("title"), &class.title, MAX_TITLE, MISSING);
        check_rate(faults, field("rate_cents"), class.rate_cents);
        faults.within(field("minimum_minutes"), class.minimum_minutes, 0..=1440);
    }
    for (number, entry) in card.overrides.iter().enumerate() {
        let field = |name: &str| format!("card.overrides.{number}.{name}");
        let is_wrong = !card.classes.contains_key(&entry.class);
        faults.add_if(is_wrong, field("class"), NO_CLASS);
        faults.state(field("state"), &entry.state);
        if let Some(city) = &entry.city {
            faults.text(field("city"), city, MAX_TITLE, MISSING);
        }
        check_rate(faults, field("rate_cents"), entry.rate_cents);
    }
}

fn check_extras(card: &RateCard, faults: &mut Faults) {
    for (name, value, range) in [
        ("night.cents", card.night.cents, 0..=MAX_RATE),
        ("weekend_basis_points", card.weekend_basis_points, PART),
        ("holiday_basis_points", card.holiday_basis_points, PART),
        ("short_notice.days", card.short_notice.days, 0..=366),
        ("travel_cents", card.travel_cents, 0..=MAX_RATE),
        ("relief_minutes", card.relief_minutes, 60..=1440),
        ("round_to_cents", card.round_to_cents, 1..=100),
    ] {
        faults.within(format!("card.{name}"), value, range);
    }
    let mut last = 0;
    for (number, tier) in card.short_notice.tiers.iter().enumerate() {
        let field = |name: &str| format!("card.short_notice.tiers.{number}.{name}");
        let message = "List the shortest notice first.";
        faults.add_if(tier.under_hours <= last, field("under_hours"), message);
        last = tier.under_hours;
        faults.within(field("basis_points"), tier.basis_points, PART);
    }
    let supervisor = &card.supervisor;
    let is_wrong = supervisor.from_officers > 0 && !card.classes.contains_key(&supervisor.class);
    faults.add_if(is_wrong, "card.supervisor.class", NO_CLASS);
    let states = card.overtime.states.iter();
    let rules = states.map(|(state, rules)| (format!("card.overtime.states.{state}"), rules));
    let federal = ("card.overtime.federal".to_owned(), &card.overtime.federal);
    for (field, rules) in rules.chain([federal]) {
        let tiers = rules.daily.iter().chain(&rules.seventh_day);
        let is_wrong = tiers.chain(&rules.weekly).any(|tier| {
            !(0..=10_080).contains(&tier.over_minutes) || !PART.contains(&tier.basis_points)
        });
        let message = "Enter minutes of a week, and at most ten times the rate.";
        faults.add_if(is_wrong, field, message);
    }
}

fn check_lists(card: &RateCard, faults: &mut Faults) {
    for (field, length) in [
        ("card.overrides", card.overrides.len()),
        ("card.holidays", card.holidays.len()),
        ("card.equipment", card.equipment.len()),
        ("card.short_notice.tiers", card.short_notice.tiers.len()),
    ] {
        let message = format!("At most {MAX_ENTRIES} entries.");
        faults.add_if(length > MAX_ENTRIES, field, message);
    }
    for (number, holiday) in card.holidays.iter().enumerate() {
        let field = format!("card.holidays.{number}");
        let name = format!("{field}.title");
        faults.text(name, &holiday.title, MAX_TITLE, MISSING);
        let is_day = holiday.day.is_some_and(|day| (1..=31).contains(&day));
        let nth = holiday
            .nth
            .is_some_and(|nth| nth == -1 || (1..=5).contains(&nth));
        let is_known = is_day || nth && holiday.weekday.is_some();
        let message = "Enter a month with a day, or with a weekday and which one it is.";
        let is_wrong = !(1..=12).contains(&holiday.month) || !is_known;
        faults.add_if(is_wrong, field, message);
    }
    for (key, equipment) in &card.equipment {
        let field = |name: &str| format!("card.equipment.{key}.{name}");
        faults.text(field("title"), &equipment.title, MAX_TITLE, MISSING);
        check_rate(faults, field("cents"), equipment.cents);
    }
    for (state, tax) in &card.taxes {
        let field = |name: &str| format!("card.taxes.{state}{name}");
        faults.state(field(""), state);
        faults.text(field(".title"), &tax.title, MAX_TITLE, MISSING);
        faults.within(field(".basis_points"), tax.basis_points, 0..=5000);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_has_no_faults() {
        assert_eq!(Rates::sample().unwrap().faults(), []);
    }

    #[test]
    fn faults_of_rates_name_the_field_and_say_what_to_enter() {
        let sample = serde_json::to_value(Rates::sample().unwrap()).unwrap();
        for (pointer, value) in [
            ("/valid_days", 0.into()),
            ("/conditions", serde_json::json!([])),
            ("/card/classes/armed/rate_cents", 0.into()),
            ("/card/overrides/0/state", "XX".into()),
            ("/card/overrides/0/class", "none".into()),
            ("/card/holidays/0/month", 13.into()),
            ("/card/short_notice/tiers/1/under_hours", 24.into()),
            ("/card/round_to_cents", 0.into()),
            ("/card/relief_minutes", 5.into()),
            ("/card/supervisor/class", "none".into()),
            ("/card/taxes/TX/basis_points", 5001.into()),
        ] {
            // The day of a holiday is one field.
            let field = pointer[1..].trim_end_matches("/month").replace('/', ".");
            let mut wrong = sample.clone();
            *wrong.pointer_mut(pointer).unwrap() = value;
            let wrong: Rates = serde_json::from_value(wrong).unwrap();
            let faults = wrong.faults();
            assert!(
                faults.iter().any(|fault| fault.field == field),
                "{pointer}: {faults:?}"
            );
        }
    }
}

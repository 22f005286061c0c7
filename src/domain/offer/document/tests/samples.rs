//! Documents for tests.

use std::collections::BTreeMap;

use super::super::*;
use crate::offer::calendar::TimeOfDay;
use crate::offer::check::priced;
use crate::offer::rate_card::RateCard;
use crate::offer::terms::{Discount, ManualLine, Post, Schedule, Terms, WeeklyShift};

fn titles(of: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    of.collect()
}

pub fn card() -> RateCard {
    let text = include_str!("../../../../../seeds/offers/rate-card.json");
    serde_json::from_str(text).unwrap()
}

pub fn post(title: &str, class: &str, officers: u32, schedule: Schedule) -> Post {
    Post {
        title: title.to_owned(),
        city: "Houston".to_owned(),
        state: "TX".to_owned(),
        class: class.to_owned(),
        officers,
        schedule,
        same_officers: false,
        equipment: Vec::new(),
    }
}

pub fn always() -> Schedule {
    Schedule::Always {
        from: TimeOfDay(480),
    }
}

pub fn weekdays(from: i64, to: i64) -> Schedule {
    use crate::offer::calendar::Day;
    Schedule::Weekly {
        shifts: vec![WeeklyShift {
            days: vec![
                Day::Monday,
                Day::Tuesday,
                Day::Wednesday,
                Day::Thursday,
                Day::Friday,
            ],
            from: TimeOfDay(from),
            to: TimeOfDay(to),
        }],
    }
}

/// The document of terms, priced by the shipped rate card.
pub fn document(terms: Terms) -> Document {
    let card = card();
    let price = priced(&card, &terms, "2026-11-25".parse().unwrap()).unwrap();
    let conditions = include_str!("../../../../../seeds/offers/conditions.json");
    let conditions: serde_json::Value = serde_json::from_str(conditions).unwrap();
    Document {
        number: "GP-2K7Q-1".to_owned(),
        version: 2,
        reference: "GP-2K7Q".to_owned(),
        sent_on: "2026-11-25".parse().unwrap(),
        valid_until: "2026-12-09".parse().unwrap(),
        company: Letterhead {
            name: "Guardpost Security".to_owned(),
            legal_name: "Guardpost Security Services LLC".to_owned(),
            phone: "(713) 555-0142".to_owned(),
            email: "office@guardpost.example".to_owned(),
            street: "1200 Enclave Parkway, Suite 100".to_owned(),
            city: "Houston".to_owned(),
            region: "TX".to_owned(),
            postal_code: "77077".to_owned(),
            website: "https://guardpost.example".to_owned(),
        },
        licenses: vec![License {
            state: "Texas".to_owned(),
            number: "B12345601".to_owned(),
            holder: "Guardpost Security Services LLC".to_owned(),
            expires: "2027-10-31".to_owned(),
        }],
        insurance: conditions["insurance"].as_str().unwrap().to_owned(),
        customer: Customer {
            name: "Maria Lopez".to_owned(),
            company: Some("Bayou Property Management".to_owned()),
            email: "maria@bayou.example".to_owned(),
            phone: "(713) 555-0199".to_owned(),
            location: "1400 Smith Street, Houston, TX 77002".to_owned(),
        },
        message: Some(
            "Thank you for calling this morning. The officer can start before the panel is \
             repaired and stays until the fire marshal lifts the order."
                .to_owned(),
        ),
        class_titles: titles(
            card.classes
                .iter()
                .map(|(key, class)| (key.clone(), class.title.clone())),
        ),
        equipment_titles: titles(
            card.equipment
                .iter()
                .map(|(key, item)| (key.clone(), item.title.clone())),
        ),
        terms,
        price,
        rates_version: 3,
        is_sample: false,
        conditions: serde_json::from_value(conditions["conditions"].clone()).unwrap(),
        consent: Consent::sample(),
    }
}

pub fn terms(posts: Vec<Post>, end: Option<&str>) -> Terms {
    Terms {
        start: "2026-12-04".parse().unwrap(),
        end: end.map(|day| day.parse().unwrap()),
        notice_hours: None,
        posts,
        manual: Vec::new(),
        discount: None,
        tax_exemption: None,
    }
}

/// The commonest offer: one fire watch officer around the clock for a week.
pub fn fire_watch() -> Document {
    let post = post("Lobby and floors 1 to 12", "fire-watch", 1, always());
    document(terms(vec![post], Some("2026-12-10")))
}

/// Two posts without an end, a line by hand and a discount.
pub fn ongoing() -> Document {
    let gate = post("Gate", "unarmed", 1, weekdays(1080, 360));
    let yard = post("", "armed", 2, always());
    let mut terms = terms(vec![gate, yard], None);
    terms.manual.push(ManualLine {
        title: "Guard booth with heating".to_owned(),
        cents: 18_000,
        state: Some("TX".to_owned()),
    });
    terms.discount = Some(Discount {
        basis_points: 500,
        cents: 0,
        reason: "Two sites under one agreement".to_owned(),
    });
    document(terms)
}

/// The acceptance of the commonest offer.
pub fn acceptance() -> Acceptance {
    Acceptance {
        number: "GP-2K7Q-1".to_owned(),
        version: 2,
        digests: Digests {
            json: digest(b"json"),
            text: digest(b"text"),
            pdf: digest(b"pdf"),
        },
        consent: "I accept".to_owned(),
        name: "Maria Lopez".to_owned(),
        title: "Property manager".to_owned(),
        email: "maria@bayou.example".to_owned(),
        accepted_at: "2026-12-01T15:04:05.678Z".to_owned(),
        client: "203.0.113.7".to_owned(),
        user_agent: "Firefox".to_owned(),
        entered_by: None,
        note: None,
        previous: String::new(),
    }
}

//! Documents for tests.

use super::super::*;
use crate::offer::calendar::{Day, TimeOfDay, Weekday};
use crate::offer::check::priced;
use crate::offer::rate_card::RateCard;
use crate::offer::terms::{
    AroundTheClock, Discount, ManualLine, Post, Schedule, Terms, WeeklyShift, WeeklyShifts,
};

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
    Schedule::Always(AroundTheClock {
        from: TimeOfDay(480),
    })
}

pub fn weekdays(from: i64, to: i64) -> Schedule {
    Schedule::Weekly(WeeklyShifts {
        shifts: vec![WeeklyShift {
            days: Weekday::FROM_MONDAY[..5].to_vec(),
            from: TimeOfDay(from),
            to: TimeOfDay(to),
        }],
    })
}

/// The document of terms, priced by the shipped rate card: the rest is that of the golden one.
pub fn document(terms: Terms) -> Document {
    let card = include_str!("../../../../../seeds/offers/rate-card.json");
    let card: RateCard = serde_json::from_str(card).unwrap();
    let golden = from_json(include_bytes!("../../../../tests/golden/offer.json")).unwrap();
    Document {
        price: priced(&card, &terms, golden.sent_on).unwrap(),
        terms,
        ..golden
    }
}

pub fn terms(posts: Vec<Post>, end: Option<&str>) -> Terms {
    Terms {
        start: Day("2026-12-04".parse().unwrap()),
        end: end.map(|day| Day(day.parse().unwrap())),
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

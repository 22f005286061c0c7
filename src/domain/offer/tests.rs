use jiff::ToSpan;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::priced;
use super::lines::{divided, dollars, hours};
use super::rate_card::RateCard;
use super::terms::Terms;

#[derive(Deserialize)]
struct Cases {
    cards: std::collections::BTreeMap<String, RateCard>,
    cases: Vec<Case>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
struct Refused {
    name: String,
    card: String,
    terms: Terms,
    field: String,
    message: String,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    card: String,
    terms: Terms,
    /// Amounts by decimal arithmetic, minute by minute: the lines in their order, then the sums.
    lines: Vec<i64>,
    subtotal: i64,
    discount: i64,
    taxes: Vec<i64>,
    total: i64,
    month: Option<i64>,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../../../seeds/offers/cases.json")).unwrap()
}

#[test]
fn every_case_is_priced_to_the_cent() {
    let Cases { cards, cases, .. } = cases();
    assert!(cases.len() >= 300);
    for case in cases {
        let today = case.terms.start.0;
        let price = priced(&cards[&case.card], &case.terms, today).unwrap();
        let lines: Vec<i64> = price.lines.iter().map(|line| line.cents).collect();
        let taxes: Vec<i64> = price.taxes.iter().map(|tax| tax.cents).collect();
        assert_eq!(lines, case.lines, "{}: {:#?}", case.name, price.lines);
        let sums = (
            price.subtotal,
            price.discount,
            taxes,
            price.total,
            price.month,
        );
        let expected = (
            case.subtotal,
            case.discount,
            case.taxes,
            case.total,
            case.month,
        );
        assert_eq!(sums, expected, "{}", case.name);
    }
}

#[test]
fn an_offer_below_zero_is_refused_by_the_line_that_makes_it_so() {
    let Cases { cards, refused, .. } = cases();
    assert!(refused.len() >= 6);
    for case in refused {
        let faults = priced(&cards[&case.card], &case.terms, case.terms.start.0).unwrap_err();
        let found: Vec<_> = faults
            .iter()
            .map(|fault| (fault.field.as_str(), fault.message.as_str()))
            .collect();
        assert_eq!(
            found,
            [(case.field.as_str(), case.message.as_str())],
            "{}",
            case.name
        );
    }
}

#[test]
fn each_limit_is_taken_and_what_is_beyond_it_is_refused_by_name() {
    let Cases {
        cards, mut cases, ..
    } = cases();
    let start: Date = "2026-12-01".parse().unwrap();
    let whole = serde_json::to_value(&cases.remove(0).terms).unwrap();
    let post = &whole["posts"][0];
    let line = |cents: i64| json!({"title": "Fence", "cents": cents, "state": null});
    let day = |days: i64| json!(start.checked_add(days.days()).unwrap());
    let text = |length: usize| json!("x".repeat(length));
    let discount = |basis_points: i64, cents: i64| {
        json!({
            "basis_points": basis_points, "cents": cents, "reason": "Loyal",
        })
    };
    let shifts = |kind: &str, count: usize| {
        let weekly = json!({"days": ["tuesday"], "from": "08:00", "to": "16:00"});
        let single = json!({"date": start, "from": "08:00", "to": "16:00"});
        let shift = if kind == "weekly" { weekly } else { single };
        json!({"kind": kind, "shifts": vec![shift; count]})
    };
    let visits = |per_day: u32| {
        let mut post = post.clone();
        post["class"] = "patrol-visit".into();
        post["schedule"] = json!({"kind": "visits", "days": ["tuesday"], "per_day": per_day});
        json!([post])
    };
    let posts = |count: usize| Value::from(vec![post.clone(); count]);
    let lines = |count: usize| Value::from(vec![line(100); count]);
    let total = |cents: i64| json!({"posts": [], "manual": [line(cents)]});
    for (pointer, most, beyond, field) in [
        ("/start", day(0), day(-1), "start"),
        ("/end", day(0), day(-1), "end"),
        ("/end", day(3 * 366 - 1), day(3 * 366), "end"),
        ("/posts", posts(50), posts(51), "posts"),
        ("/posts", visits(100), visits(101), "posts.0.schedule"),
        ("/posts", visits(1), visits(0), "posts.0.schedule"),
        (
            "/posts/0/officers",
            json!(500),
            json!(501),
            "posts.0.officers",
        ),
        ("/posts/0/title", text(200), text(201), "posts.0.title"),
        ("/posts/0/city", text(200), text(201), "posts.0.city"),
        (
            "/posts/0/schedule",
            shifts("weekly", 500),
            shifts("weekly", 501),
            "posts.0.schedule",
        ),
        (
            "/posts/0/schedule",
            shifts("single", 500),
            shifts("single", 501),
            "posts.0.schedule",
        ),
        ("/manual", lines(30), lines(31), "manual"),
        ("/tax_exemption", text(200), text(201), "tax_exemption"),
        (
            "/discount",
            discount(10_000, 0),
            discount(10_001, 0),
            "discount",
        ),
        ("/discount", discount(5, 5), discount(0, 0), "discount"),
        ("/discount", discount(0, 1), discount(0, -1), "discount"),
        ("/discount", discount(1, 0), discount(-1, 0), "discount"),
        (
            "",
            total(10_000_000_000),
            total(10_000_000_001),
            "manual.0.cents",
        ),
    ] {
        let with = |value: &Value| {
            let mut terms = whole.clone();
            match (terms.pointer_mut(pointer).unwrap(), value) {
                (Value::Object(terms), Value::Object(changes)) if pointer.is_empty() => {
                    terms.extend(changes.clone());
                }
                (place, value) => *place = value.clone(),
            }
            let terms: Terms = serde_json::from_value(terms).unwrap();
            priced(&cards["sample"], &terms, start)
        };
        assert_eq!(with(&most).err(), None, "{pointer}: {most}");
        let faults = with(&beyond).unwrap_err();
        let fields: Vec<_> = faults.iter().map(|fault| &fault.field).collect();
        assert_eq!(fields, [field], "{pointer}: {faults:?}");
    }
}

#[test]
fn a_rate_card_without_supervisors_or_nights_charges_none() {
    let Cases { cards, cases, .. } = cases();
    let mut terms = cases[0].terms.clone();
    terms.posts[0].officers = 12;
    let titles = |card: &RateCard| {
        let price = priced(card, &terms, terms.start.0).unwrap();
        let lines = price.lines.iter();
        lines
            .map(|line| format!("{}: {}", line.title, line.how))
            .collect::<Vec<_>>()
    };
    let mut card = cards["sample"].clone();
    let has = |titles: &[String], word: &str| titles.iter().any(|title| title.contains(word));
    let with = titles(&card);
    assert!(has(&with, "Supervisor") && has(&with, "night"), "{with:?}");
    card.supervisor.from_officers = 0;
    card.night.to = card.night.from;
    let without = titles(&card);
    assert!(
        !has(&without, "Supervisor") && !has(&without, "night"),
        "{without:?}"
    );
}

#[test]
fn a_rate_of_zero_is_refused() {
    let Cases {
        mut cards,
        mut cases,
        ..
    } = cases();
    let card = cards.get_mut("sample").unwrap();
    let terms = cases.remove(0).terms;
    card.overrides.clear();
    card.classes
        .get_mut(&terms.posts[0].class)
        .unwrap()
        .rate_cents = 0;
    let faults = priced(card, &terms, terms.start.0).unwrap_err();
    assert!(
        faults[0].message.contains("Enter one on the rate card"),
        "{faults:?}"
    );
}

#[test]
fn halves_are_rounded_up() {
    for (amount, divisor, rounded) in [
        (5, 10, 1),
        (4, 10, 0),
        (-5, 10, 0),
        (-6, 10, -1),
        (15, 10, 2),
    ] {
        assert_eq!(divided(amount, divisor), rounded, "{amount}/{divisor}");
    }
}

#[test]
fn amounts_and_hours_are_written_as_people_read_them() {
    for (cents, text) in [
        (0, "$0.00"),
        (5, "$0.05"),
        (123_456_789, "$1,234,567.89"),
        (-100, "−$1.00"),
    ] {
        assert_eq!(dollars(cents), text);
    }
    for (minutes, text) in [(720, "12 h"), (450, "7 h 30 min"), (45, "45 min")] {
        assert_eq!(hours(minutes), text);
    }
}

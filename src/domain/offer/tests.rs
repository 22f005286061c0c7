use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

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
    /// Amounts by the oracle: the lines in their order, then the sums.
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
fn every_priced_case_equals_the_oracle_to_the_cent() {
    let Cases { cards, cases, .. } = cases();
    assert!(cases.len() >= 300);
    for case in cases {
        let today = case.terms.start;
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
        let faults = priced(&cards[&case.card], &case.terms, case.terms.start).unwrap_err();
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
fn terms_that_cannot_be_priced_say_what_to_do() {
    let Cases {
        cards, mut cases, ..
    } = cases();
    let today: Date = "2026-12-01".parse().unwrap();
    let card = &cards["sample"];
    let terms = serde_json::to_value(&cases.remove(0).terms).unwrap();
    for (pointer, value, field, part) in [
        ("/start", "2026-11-30".into(), "start", "in the past"),
        ("/end", "2026-01-01".into(), "end", "before the start"),
        ("/end", "2126-12-07".into(), "end", "three years"),
        (
            "/posts",
            Value::Array(Vec::new()),
            "posts",
            "at least one post",
        ),
        (
            "/posts/0/officers",
            0.into(),
            "posts.0.officers",
            "1 to 500",
        ),
        (
            "/posts/0/class",
            "unknown".into(),
            "posts.0.class",
            "Choose a class",
        ),
        (
            "/posts/0/class",
            "patrol-visit".into(),
            "posts.0.schedule",
            "charged by visits",
        ),
        (
            "/posts/0/state",
            "XX".into(),
            "posts.0.state",
            "Choose a state",
        ),
        (
            "/posts/0/schedule",
            serde_json::json!({"kind": "weekly", "shifts": []}),
            "posts.0.schedule",
            "Add a shift",
        ),
        (
            "/discount",
            serde_json::json!({"basis_points": 500, "reason": " "}),
            "discount.reason",
            "why",
        ),
        (
            "/manual",
            serde_json::json!([{"title": "Fence", "cents": i64::MAX, "state": null}]),
            "manual.0.cents",
            "up to $100 million",
        ),
    ] {
        let mut wrong = terms.clone();
        wrong["start"] = "2026-12-01".into();
        wrong["end"] = "2026-12-07".into();
        *wrong.pointer_mut(pointer).unwrap() = value;
        let wrong: Terms = serde_json::from_value(wrong).unwrap();
        let faults = priced(card, &wrong, today).unwrap_err();
        let found = faults
            .iter()
            .any(|fault| fault.field == field && fault.message.contains(part));
        assert!(found, "{pointer}: {faults:?}");
    }
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
    let faults = priced(card, &terms, terms.start).unwrap_err();
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

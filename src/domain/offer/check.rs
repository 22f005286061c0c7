//! What is wrong with terms, in words for the person who enters them.

use jiff::civil::Date;

use super::lines::dollars;
use super::price::{Price, price};
use super::rate_card::{RateCard, Unit};
use super::shifts::{Days, shifts, visits};
use super::terms::{Post, Schedule, Terms};
use crate::us_state;

const MAX_POSTS: usize = 50;
const MAX_OFFICERS: u32 = 500;
const MAX_SHIFTS: usize = 500;
const MAX_MANUAL: usize = 30;
const MAX_VISITS: u32 = 100;
/// Three years.
const MAX_DAYS: i64 = 3 * 366;
/// The maximum of a title or a reason, in characters.
const MAX_TEXT: usize = 200;
/// The maximum of an amount, in cents: a hundred million dollars.
const MAX_CENTS: i64 = 10_000_000_000;

/// A fault of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field, as `posts.0.officers`.
    pub field: String,
    pub message: String,
}

/// The price of terms on the day `today` of the company.
///
/// # Errors
/// All faults of the terms.
pub fn priced(card: &RateCard, terms: &Terms, today: Date) -> Result<Price, Vec<Fault>> {
    let mut faults = Vec::new();
    check_term(terms, today, &mut faults);
    check_amounts(terms, &mut faults);
    // Schedules are walked only over a term of a checked length.
    if faults.is_empty() {
        for (number, post) in terms.posts.iter().enumerate() {
            check_post(card, terms, post, number, &mut faults);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let price = price(card, terms);
    match total_fault(terms, &price) {
        Some(fault) => Err(vec![fault]),
        None => Ok(price),
    }
}

/// What is wrong with the sums of a price: the line that takes off more than there is, or a total
/// beyond the maximum.
fn total_fault(terms: &Terms, price: &Price) -> Option<Fault> {
    if price.subtotal < 0 {
        let lines = terms.manual.iter().enumerate();
        let (number, line) = lines.min_by_key(|(_, line)| line.cents)?;
        let message = format!(
            "This line takes {} off, and the total would be {}. An offer cannot be below $0.00.",
            dollars(-line.cents),
            dollars(price.subtotal)
        );
        return Some(fault(format!("manual.{number}.cents"), message));
    }
    if price.discount > price.subtotal {
        let message = format!(
            "The discount of {} is over the price of {}. Enter a smaller one.",
            dollars(price.discount),
            dollars(price.subtotal)
        );
        return Some(fault("discount", message));
    }
    let message = "The total is over $100 million. Check the officers, the rates and the term.";
    (price.total > MAX_CENTS).then(|| fault("posts", message))
}

fn fault(field: impl Into<String>, message: impl Into<String>) -> Fault {
    Fault {
        field: field.into(),
        message: message.into(),
    }
}

fn check_term(terms: &Terms, today: Date, faults: &mut Vec<Fault>) {
    if terms.start < today {
        faults.push(fault(
            "start",
            "The start is in the past. Choose today or a later day.",
        ));
    }
    if terms.end.is_some_and(|end| end < terms.start) {
        faults.push(fault("end", "The last day is before the start."));
    } else if Days::of(terms).count > MAX_DAYS {
        let message = "The term is longer than three years. Offer an ongoing service instead.";
        faults.push(fault("end", message));
    }
    if terms.posts.is_empty() && terms.manual.is_empty() {
        faults.push(fault("posts", "Add at least one post."));
    }
    if terms.posts.len() > MAX_POSTS {
        faults.push(fault(
            "posts",
            format!("An offer has at most {MAX_POSTS} posts."),
        ));
    }
}

fn check_amounts(terms: &Terms, faults: &mut Vec<Fault>) {
    let mut text = |field: String, text: &str, missing: &str| {
        if text.trim().is_empty() {
            faults.push(fault(field, missing));
        } else if text.chars().count() > MAX_TEXT {
            faults.push(fault(field, format!("At most {MAX_TEXT} characters.")));
        }
    };
    for (number, line) in terms.manual.iter().enumerate() {
        let field = format!("manual.{number}.title");
        text(field, &line.title, "Say what the line is for.");
    }
    if let Some(discount) = &terms.discount {
        text(
            "discount.reason".to_owned(),
            &discount.reason,
            "Say why there is a discount.",
        );
    }
    if let Some(number) = &terms.tax_exemption {
        let missing = "Enter the number of the exemption certificate.";
        text("tax_exemption".to_owned(), number, missing);
    }
    if terms.manual.len() > MAX_MANUAL {
        faults.push(fault(
            "manual",
            format!("At most {MAX_MANUAL} lines by hand."),
        ));
    }
    for (number, line) in terms.manual.iter().enumerate() {
        if line.cents == 0 || line.cents.unsigned_abs() > MAX_CENTS.unsigned_abs() {
            let message = "Enter an amount other than 0, up to $100 million.";
            faults.push(fault(format!("manual.{number}.cents"), message));
        }
        if line
            .state
            .as_deref()
            .is_some_and(|code| us_state::parse_code(code) != Some(code))
        {
            faults.push(fault(format!("manual.{number}.state"), "Choose a state."));
        }
    }
    if let Some(discount) = &terms.discount {
        let is_part = (0..=10_000).contains(&discount.basis_points);
        let is_sum = (0..=MAX_CENTS).contains(&discount.cents);
        if !is_part || !is_sum || discount.basis_points + discount.cents == 0 {
            let message = "Enter a discount of more than 0 and at most 100%.";
            faults.push(fault("discount", message));
        }
    }
}

fn check_post(card: &RateCard, terms: &Terms, post: &Post, number: usize, faults: &mut Vec<Fault>) {
    let field = |name: &str| format!("posts.{number}.{name}");
    let mut add = |name: &str, message: String| faults.push(fault(field(name), message));
    if us_state::parse_code(&post.state) != Some(post.state.as_str()) {
        add("state", "Choose a state.".to_owned());
    }
    for (name, text) in [("title", &post.title), ("city", &post.city)] {
        if text.chars().count() > MAX_TEXT {
            add(name, format!("At most {MAX_TEXT} characters."));
        }
    }
    if !(1..=MAX_OFFICERS).contains(&post.officers) {
        add("officers", format!("Enter 1 to {MAX_OFFICERS}."));
    }
    for key in post
        .equipment
        .iter()
        .filter(|key| !card.equipment.contains_key(*key))
    {
        add(
            "equipment",
            format!("The rate card has no equipment \"{key}\"."),
        );
    }
    let Some(class) = card.classes.get(&post.class) else {
        add("class", "Choose a class of the rate card.".to_owned());
        return;
    };
    if card
        .rate(&post.class, &post.state, &post.city)
        .is_none_or(|rate| rate <= 0)
    {
        add(
            "class",
            format!("{} has no rate. Enter one on the rate card.", class.title),
        );
    }
    let is_visits = matches!(post.schedule, Schedule::Visits { .. });
    if is_visits != (class.unit == Unit::Visit) && class.unit != Unit::Seat {
        let wanted = if is_visits { "hours" } else { "visits" };
        add(
            "schedule",
            format!(
                "{} is charged by {wanted}. Choose such a schedule.",
                class.title
            ),
        );
        return;
    }
    check_schedule(card, terms, post, number, faults);
}

fn check_schedule(
    card: &RateCard,
    terms: &Terms,
    post: &Post,
    number: usize,
    faults: &mut Vec<Fault>,
) {
    let mut add = |message: &str| faults.push(fault(format!("posts.{number}.schedule"), message));
    let days = Days::of(terms);
    match &post.schedule {
        Schedule::Weekly { shifts } if shifts.len() > MAX_SHIFTS => add("Too many shifts."),
        Schedule::Single { shifts } if shifts.len() > MAX_SHIFTS => add("Too many shifts."),
        Schedule::Single { .. } if days.is_typical_week => {
            add("Single shifts need a last day: an ongoing service repeats every week.");
        }
        Schedule::Single { shifts } if shifts.iter().any(|one| !days.contains(one.date)) => {
            add("A shift is outside of the term.");
        }
        Schedule::Visits { per_day, .. } if *per_day > MAX_VISITS => {
            add("At most 100 visits a day.");
        }
        schedule => {
            let has_shifts = !shifts(schedule, &days, card.relief_minutes).is_empty();
            let has_visits = visits(schedule, &days).any(|(_, count)| count > 0);
            if !has_shifts && !has_visits {
                add("The post has no hours in the term. Add a shift.");
            }
        }
    }
}

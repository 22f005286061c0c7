//! What is wrong with terms, in words for the person who enters them.

use jiff::civil::Date;

use super::faults::{Fault, Faults};
use super::lines::dollars;
use super::price::{Price, price};
use super::rate_card::{RateCard, RateUnit};
use super::shifts::{Days, shifts, visits};
use super::terms::{Post, Schedule, Terms};

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

/// The price of terms on the day `today` of the company.
///
/// # Errors
/// All faults of the terms.
pub fn priced(card: &RateCard, terms: &Terms, today: Date) -> Result<Price, Vec<Fault>> {
    let mut faults = Faults::default();
    check_term(terms, today, &mut faults);
    check_amounts(terms, &mut faults);
    // Schedules are walked only over a term of a checked length.
    if faults.0.is_empty() {
        for (number, post) in terms.posts.iter().enumerate() {
            check_post(card, terms, post, number, &mut faults);
        }
    }
    if !faults.0.is_empty() {
        return Err(faults.0);
    }
    let price = price(card, terms);
    check_total(terms, &price, &mut faults);
    match faults.0.is_empty() {
        true => Ok(price),
        false => Err(faults.0),
    }
}

/// The sums of a price: the line that takes off more than there is, or a total beyond the maximum.
fn check_total(terms: &Terms, price: &Price, faults: &mut Faults) {
    let lines = terms.manual.iter().enumerate();
    let lowest = lines.min_by_key(|(_, line)| line.cents);
    if let Some((number, line)) = lowest.filter(|_| price.subtotal < 0) {
        let message = format!(
            "This line takes {} off, and the total would be {}. An offer cannot be below $0.00.",
            dollars(-line.cents),
            dollars(price.subtotal)
        );
        faults.add(format!("manual.{number}.cents"), message);
    } else if price.discount > price.subtotal {
        let message = format!(
            "The discount of {} is over the price of {}. Enter a smaller one.",
            dollars(price.discount),
            dollars(price.subtotal)
        );
        faults.add("discount", message);
    } else {
        let message = "The total is over $100 million. Check the officers, the rates and the term.";
        faults.add_if(price.total > MAX_CENTS, "posts", message);
    }
}

fn check_term(terms: &Terms, today: Date, faults: &mut Faults) {
    let message = "The start is in the past. Choose today or a later day.";
    faults.add_if(terms.start.0 < today, "start", message);
    if terms.end.is_some_and(|end| end < terms.start) {
        faults.add("end", "The last day is before the start.");
    } else {
        let message = "The term is longer than three years. Offer an ongoing service instead.";
        faults.add_if(Days::of(terms).count > MAX_DAYS, "end", message);
    }
    let is_empty = terms.posts.is_empty() && terms.manual.is_empty();
    faults.add_if(is_empty, "posts", "Add at least one post.");
    let message = format!("An offer has at most {MAX_POSTS} posts.");
    faults.add_if(terms.posts.len() > MAX_POSTS, "posts", message);
}

fn check_amounts(terms: &Terms, faults: &mut Faults) {
    for (number, line) in terms.manual.iter().enumerate() {
        let field = |name: &str| format!("manual.{number}.{name}");
        let missing = "Say what the line is for.";
        faults.text(field("title"), &line.title, MAX_TEXT, missing);
        let is_wrong = line.cents == 0 || line.cents.unsigned_abs() > MAX_CENTS.unsigned_abs();
        let message = "Enter an amount other than 0, up to $100 million.";
        faults.add_if(is_wrong, field("cents"), message);
        if let Some(code) = &line.state {
            faults.state(field("state"), code);
        }
    }
    let message = format!("At most {MAX_MANUAL} lines by hand.");
    faults.add_if(terms.manual.len() > MAX_MANUAL, "manual", message);
    if let Some(discount) = &terms.discount {
        let missing = "Say why there is a discount.";
        faults.text("discount.reason", &discount.reason, MAX_TEXT, missing);
        let is_part = (0..=10_000).contains(&discount.basis_points);
        let is_sum = (0..=MAX_CENTS).contains(&discount.cents);
        let is_wrong = !is_part || !is_sum || discount.basis_points + discount.cents == 0;
        let message = "Enter a discount of more than 0 and at most 100%.";
        faults.add_if(is_wrong, "discount", message);
    }
    if let Some(number) = &terms.tax_exemption {
        let missing = "Enter the number of the exemption certificate.";
        faults.text("tax_exemption", number, MAX_TEXT, missing);
    }
}

fn check_post(card: &RateCard, terms: &Terms, post: &Post, number: usize, faults: &mut Faults) {
    let field = |name: &str| format!("posts.{number}.{name}");
    faults.state(field("state"), &post.state);
    faults.length(field("title"), &post.title, MAX_TEXT);
    faults.length(field("city"), &post.city, MAX_TEXT);
    let is_wrong = !(1..=MAX_OFFICERS).contains(&post.officers);
    let message = format!("Enter 1 to {MAX_OFFICERS}.");
    faults.add_if(is_wrong, field("officers"), message);
    for key in &post.equipment {
        let message = format!("The rate card has no equipment \"{key}\".");
        faults.add_if(
            !card.equipment.contains_key(key),
            field("equipment"),
            message,
        );
    }
    let Some(class) = card.classes.get(&post.class) else {
        return faults.add(field("class"), "Choose a class of the rate card.");
    };
    let rate = card.rate(&post.class, &post.state, &post.city);
    let message = format!("{} has no rate. Enter one on the rate card.", class.title);
    faults.add_if(rate.is_none_or(|rate| rate <= 0), field("class"), message);
    let is_visits = matches!(post.schedule, Schedule::Visits(_));
    if is_visits != (class.unit == RateUnit::Visit) && class.unit != RateUnit::Seat {
        let wanted = if is_visits { "hours" } else { "visits" };
        let message = format!(
            "{} is charged by {wanted}. Choose such a schedule.",
            class.title
        );
        return faults.add(field("schedule"), message);
    }
    if let Some(message) = schedule_fault(card, terms, post) {
        faults.add(field("schedule"), message);
    }
}

fn schedule_fault(card: &RateCard, terms: &Terms, post: &Post) -> Option<&'static str> {
    let days = Days::of(terms);
    match &post.schedule {
        Schedule::Weekly(of) if of.shifts.len() > MAX_SHIFTS => Some("Too many shifts."),
        Schedule::Single(of) if of.shifts.len() > MAX_SHIFTS => Some("Too many shifts."),
        Schedule::Single(_) if days.is_typical_week => {
            Some("Single shifts need a last day: an ongoing service repeats every week.")
        }
        Schedule::Single(of) if of.shifts.iter().any(|one| !days.contains(one.date.0)) => {
            Some("A shift is outside of the term.")
        }
        Schedule::Visits(of) if of.per_day > MAX_VISITS => Some("At most 100 visits a day."),
        schedule => {
            let has_shifts = !shifts(schedule, &days, card.relief_minutes).is_empty();
            let has_visits = visits(schedule, &days).any(|(_, count)| count > 0);
            (!has_shifts && !has_visits)
                .then_some("The post has no hours in the term. Add a shift.")
        }
    }
}

//! The signals that a submission gives by itself.

use super::links::foreign_links;
use super::words::{has_mixed_scripts, is_random};
use super::{Agent, Reason, Signal, Texts, Visit, offers};

/// A form that is sent sooner after its page was opened was not filled in by a person.
const MIN_FILL_MILLIS: i64 = 3000;

pub(super) fn reasons(texts: &Texts<'_>, visit: Visit) -> Vec<Reason> {
    let signals = [
        trap(visit),
        fast(visit),
        program(visit.agent),
        unopened(visit),
        links(texts, visit),
        offer(texts),
        mixed_scripts(texts),
        random_words(texts),
        scattered_dots(texts.email),
        same_names(texts),
        phone(texts.phone),
    ];
    signals.into_iter().flatten().collect()
}

fn trap(visit: Visit) -> Option<Reason> {
    let detail = "A field that people do not see was filled in";
    visit
        .trap_filled
        .then(|| Reason::new(Signal::Trap, 3, detail))
}

fn fast(visit: Visit) -> Option<Reason> {
    let millis = visit
        .fill_millis
        .filter(|millis| (0..MIN_FILL_MILLIS).contains(millis))?;
    let seconds = format!("{}.{}", millis / 1000, millis % 1000 / 100);
    let detail = format!("Sent {seconds} seconds after the page was opened");
    Some(Reason::new(Signal::Fast, 3, detail))
}

fn program(agent: Agent) -> Option<Reason> {
    let (points, detail) = match agent {
        Agent::Browser => return None,
        Agent::Program => (1, "Sent by a program, not by a browser"),
        Agent::HeadlessBrowser => (2, "Sent by a browser without a screen"),
    };
    Some(Reason::new(Signal::Program, points, detail))
}

fn unopened(visit: Visit) -> Option<Reason> {
    let detail = "Sent without opening the page of the form";
    visit
        .is_unopened
        .then(|| Reason::new(Signal::Unopened, 2, detail))
}

fn links(texts: &Texts<'_>, visit: Visit) -> Option<Reason> {
    if visit.has_markup {
        let detail = "Contains HTML links or forum markup";
        return Some(Reason::new(Signal::Links, 3, detail));
    }
    let fields = [texts.company, texts.location, texts.message];
    let links = foreign_links(&fields, texts.email);
    let points = match links.len() {
        0 => return None,
        1 => 2,
        _ => 3,
    };
    let detail = format!("Links to {}", links.join(", "));
    Some(Reason::new(Signal::Links, points, detail))
}

fn offer(texts: &Texts<'_>) -> Option<Reason> {
    let found = offers::phrases(&[texts.company, texts.message]);
    let points = match found.len() {
        0 => return None,
        1 => 2,
        _ => 3,
    };
    let detail = format!("Reads like an offer to you: “{}”", found.join("”, “"));
    Some(Reason::new(Signal::Offer, points, detail))
}

fn mixed_scripts(texts: &Texts<'_>) -> Option<Reason> {
    let word = texts.all().into_iter().find_map(has_mixed_scripts)?;
    let detail = format!("Letters of two scripts in one word: {word}");
    Some(Reason::new(Signal::MixedScripts, 3, detail))
}

fn random_words(texts: &Texts<'_>) -> Option<Reason> {
    let fields = texts
        .all()
        .into_iter()
        .filter(|text| is_random(text))
        .count();
    let detail = || format!("Random letters in {fields} fields");
    (fields >= 2).then(|| Reason::new(Signal::RandomWords, 3, detail()))
}

/// Providers that ignore dots make many addresses out of one.
fn scattered_dots(email: &str) -> Option<Reason> {
    let local = email.split('@').next().unwrap_or_default();
    let short = local.split('.').filter(|part| part.len() <= 3).count();
    let is_scattered = local.matches('.').count() >= 4 && short >= 4;
    let detail = "Dots are scattered over the email address";
    is_scattered.then(|| Reason::new(Signal::ScatteredDots, 2, detail))
}

fn same_names(texts: &Texts<'_>) -> Option<Reason> {
    let is_same = texts.first_name.chars().count() > 3 && texts.first_name == texts.last_name;
    let detail = "First and last name are the same";
    is_same.then(|| Reason::new(Signal::SameNames, 1, detail))
}

/// North American numbers of ten digits have no area code and no exchange that begins with 0 or 1;
/// the numbers of form-filling programs are one digit ten times, or eleven digits that begin with
/// 8.
fn phone(phone: &str) -> Option<Reason> {
    let digits: Vec<u8> = phone.bytes().filter(u8::is_ascii_digit).collect();
    let is_low = |at: usize| matches!(digits.get(at), Some(b'0' | b'1'));
    let is_repeated = digits.iter().all(|digit| Some(digit) == digits.first());
    let is_impossible = match (phone.trim_start().starts_with('+'), digits.len()) {
        (false, 10) => (is_low(0) && is_low(3)) || is_repeated,
        (false, 11) => digits.first() == Some(&b'8') || is_repeated,
        _ => is_repeated,
    };
    let detail = "Nobody can have this phone number";
    is_impossible.then(|| Reason::new(Signal::Phone, 1, detail))
}

impl<'a> Texts<'a> {
    const fn all(&self) -> [&'a str; 5] {
        [
            self.first_name,
            self.last_name,
            self.company,
            self.location,
            self.message,
        ]
    }
}

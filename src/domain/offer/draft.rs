//! What a person writes of an offer before it is sent.

use jiff::civil::Date;
use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::calendar::{Day, TimeOfDay, Weekday};
use super::check::priced;
use super::faults::{Fault, Faults};
use super::place::Place;
use super::price::Price;
use super::rate_card::RateCard;
use super::rates::{MAX_VALID_DAYS, Rates};
use super::start::first_start;
use super::terms::{AroundTheClock, Post, Schedule, Terms, Visits};
use crate::clock::Time;
use crate::clock::time_zone::TimeZone;
use crate::request::Request;
use crate::us_state;

/// The maximum of the words to the customer, in characters.
const MAX_MESSAGE: usize = 2000;
/// The officers' day begins at this time unless a person chooses another.
const MORNING: TimeOfDay = TimeOfDay(8 * 60);

/// From so many hours on, no notice is short.
const SHORT_NOTICE_HOURS: u32 = 72;

/// The draft of the next version of an offer.
#[derive(Clone, Debug, PartialEq, Object, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OfferDraft {
    pub terms: Terms,
    /// Words to the customer, which may be empty.
    #[oai(default)]
    #[serde(default)]
    pub message: String,
    /// The last day on which it can be accepted.
    pub valid_until: Day,
    /// The posts, from 0, whose schedule is only proposed: a person confirms it, or enters another,
    /// before the offer is sent.
    #[oai(default)]
    #[serde(default)]
    pub unconfirmed_schedules: Vec<usize>,
}

impl OfferDraft {
    /// The draft of an offer for a request: its service, place, start and duration, and what its
    /// words say of the schedule. `company` is the zone of the company.
    pub fn of_request(
        request: &Request,
        words: &Asked,
        rates: &Rates,
        company: &TimeZone,
        now: Time,
    ) -> Self {
        let today = company.local(now).date();
        let place = Place::of_location(request.location.as_deref().unwrap_or_default());
        let service = match words.is_armed {
            Some(true)
                if !["fire-watch", "mobile-patrol", "surveillance"]
                    .contains(&&*request.service) =>
            {
                "armed-security"
            }
            _ => &request.service,
        };
        let class = class_of(service, &rates.card);
        let schedule = match class == PATROL {
            true => Schedule::Visits(Visits {
                days: Weekday::ALL.to_vec(),
                per_day: 3,
            }),
            false => {
                let around_the_clock = Schedule::Always(AroundTheClock { from: MORNING });
                words.schedule.clone().unwrap_or(around_the_clock)
            }
        };
        let wanted = request.start_date.as_deref();
        let wanted = wanted.and_then(|day| day.parse().ok());
        let zone = place.state.map(us_state::time_zone);
        let zone = zone.and_then(TimeZone::parse);
        let local = zone.as_ref().unwrap_or(company).local(now);
        let (start, schedule) = first_start(wanted, schedule, today, local);
        let post = Post {
            title: String::new(),
            city: place.city,
            state: place.state.unwrap_or_default().to_owned(),
            class,
            officers: words.officers.unwrap_or(1),
            schedule,
            same_officers: false,
            equipment: Vec::new(),
        };
        let notice_hours = u32::try_from((start - today).get_days() * 24).unwrap_or(0);
        Self {
            terms: Terms {
                start: Day(start),
                end: end_of(request.duration.as_deref(), start).map(Day),
                notice_hours: Some(notice_hours).filter(|hours| *hours < SHORT_NOTICE_HOURS),
                posts: vec![post],
                manual: Vec::new(),
                discount: None,
                tax_exemption: None,
            },
            message: String::new(),
            // The customer answers before the service begins.
            valid_until: Day(after_days(today, rates.valid_days.into())
                .min(after_days(start, -1))
                .max(today)),
            unconfirmed_schedules: vec![0],
        }
    }

    /// The schedules that no admin has confirmed, as faults of their posts.
    pub fn unconfirmed(&self) -> Vec<Fault> {
        let posts = 0..self.terms.posts.len();
        let unconfirmed = posts.filter(|post| self.unconfirmed_schedules.contains(post));
        let faults = unconfirmed.map(|post| Fault {
            field: format!("posts.{post}.schedule"),
            message: "These days and hours are only proposed. Confirm them, or enter others."
                .to_owned(),
        });
        faults.collect()
    }

    /// Its price by a card on the day `today` of the company.
    ///
    /// # Errors
    /// All faults of the draft.
    pub fn priced(&self, card: &RateCard, today: Date) -> Result<Price, Vec<Fault>> {
        let mut wrong = Faults::default();
        wrong.length("message", &self.message, MAX_MESSAGE);
        let last = after_days(today, MAX_VALID_DAYS.into());
        if !(today..=last).contains(&self.valid_until.0) {
            let message = format!("Choose a day from today, at most {MAX_VALID_DAYS} days ahead.");
            wrong.add("valid_until", message);
        } else {
            let message = "The service has begun by then. Choose the first day or an earlier one.";
            wrong.add_if(self.valid_until > self.terms.start, "valid_until", message);
        }
        match priced(card, &self.terms, today) {
            Ok(price) if wrong.0.is_empty() => Ok(price),
            Ok(_) => Err(wrong.0),
            Err(faults) => {
                wrong.0.extend(faults);
                Err(wrong.0)
            }
        }
    }
}

const PATROL: &str = "patrol-visit";

/// The class of a service of the form; the card's first if it has no such class.
fn class_of(service: &str, card: &RateCard) -> String {
    let wanted = match service {
        "fire-watch" => "fire-watch",
        "armed-security" => "armed",
        "mobile-patrol" => PATROL,
        "surveillance" => "surveillance-seat",
        _ => "unarmed",
    };
    let first = || card.classes.keys().next().cloned().unwrap_or_default();
    card.classes
        .get_key_value(wanted)
        .map_or_else(first, |(key, _)| key.clone())
}

/// The last day of a duration of the form; none if the service is ongoing.
fn end_of(duration: Option<&str>, start: Date) -> Option<Date> {
    let months = |months: i32| {
        let span = jiff::Span::new().months(months);
        start
            .saturating_add(span)
            .saturating_sub(jiff::Span::new().days(1))
    };
    match duration? {
        "1-week" => Some(after_days(start, 6)),
        "1-month" => Some(months(1)),
        "3-months" => Some(months(3)),
        "6-months" => Some(months(6)),
        "1-year" => Some(months(12)),
        "one-time" => Some(start),
        _ => None,
    }
}

fn after_days(day: Date, days: i64) -> Date {
    day.saturating_add(jiff::Span::new().days(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_comes_from_the_duration_of_the_request() {
        let start: Date = "2027-01-31".parse().unwrap();
        for (duration, end) in [
            ("1-week", Some("2027-02-06")),
            ("1-month", Some("2027-02-27")),
            ("one-time", Some("2027-01-31")),
            ("ongoing", None),
        ] {
            let end = end.map(|day| day.parse().unwrap());
            assert_eq!(end_of(Some(duration), start), end, "{duration}");
        }
    }
}

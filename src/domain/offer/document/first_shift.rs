//! When and where the service of an offer begins.

use super::schedule;
use super::types::Document;
use super::words::{long_date, time};
use crate::offer::calendar::{DAY, TimeOfDay};
use crate::offer::shifts::{Days, shifts, visits};
use crate::offer::terms::Terms;

/// The days of an ongoing service in which its first shift is looked for.
const ONGOING: i64 = 366;

/// The first shift or visit, as `Friday, December 4, 2026 at 6:00 PM, Houston, TX`: the time on the
/// clock of the place. None if the offer has no posts.
pub fn first_shift(document: &Document) -> Option<String> {
    let days = days(&document.terms);
    let of_posts = document.terms.posts.iter().filter_map(|post| {
        let shift = shifts(&post.schedule, &days, DAY).into_iter().next();
        let shift = shift.map(|shift| (shift.date, Some(shift.from)));
        let visit = visits(&post.schedule, &days).next();
        let (date, minute) = shift.or(visit.map(|(date, _)| (date, None)))?;
        Some((date, minute, schedule::place(post)))
    });
    let (date, minute, place) = of_posts.min()?;
    let at = minute.map(|minute| format!(" at {}", time(TimeOfDay(minute))));
    Some(format!(
        "{}{}, {place}",
        long_date(date),
        at.unwrap_or_default()
    ))
}

fn days(terms: &Terms) -> Days {
    Days {
        first: terms.start.0,
        count: terms.days().unwrap_or(ONGOING),
        is_typical_week: false,
    }
}

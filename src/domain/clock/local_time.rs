//! Times and durations in words, for emails and pages.

use super::Time;
use super::time_zone::TimeZone;
use crate::offer::place::Place;
use crate::request::Request;
use crate::us_state;

/// A time as `Sunday, November 22, 2026 at 6:00 AM CST`.
pub fn long_time(zone: &TimeZone, at: Time) -> String {
    zone.format(at, "%A, %B %-d, %Y at %-I:%M %p %Z")
}

/// A time as the customer of `request` reads it.
pub fn customer_time(request: &Request, company: &TimeZone, at: Time) -> String {
    time_at(request.location.as_deref().unwrap_or_default(), company, at)
}

/// A time on the clock of the place that a location names, with the company's beside it where they
/// differ; else on the company's.
pub fn time_at(location: &str, company: &TimeZone, at: Time) -> String {
    let Some(local) = zone_of(location) else {
        return long_time(company, at);
    };
    let (here, office) = (local.local(at), company.local(at));
    let here_text = long_time(&local, at);
    if here == office {
        return here_text;
    }
    let format = match here.date() == office.date() {
        true => "%-I:%M %p %Z",
        false => "%A, %-I:%M %p %Z",
    };
    format!("{here_text} ({} at our office)", company.format(at, format))
}

/// The time zone of the place that a location names.
pub fn zone_of(location: &str) -> Option<TimeZone> {
    let state = Place::of_location(location).state?;
    TimeZone::parse(us_state::time_zone(state))
}

/// A number of minutes as `1 hour`.
pub fn minutes_in_words(minutes: u32) -> String {
    match minutes {
        60 => "1 hour".to_owned(),
        _ if minutes >= 60 && minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        1 => "1 minute".to_owned(),
        _ => format!("{minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::long_time;
    use crate::clock::Time;
    use crate::clock::time_zone::TimeZone;

    #[test]
    fn times_follow_the_daylight_saving_of_the_zone() {
        let texas = TimeZone::parse("America/Chicago").unwrap();
        for row in [
            "2026-11-21T12:00:00.000Z Saturday, November 21, 2026 at 6:00 AM CST",
            "2026-07-01T05:30:00.000Z Wednesday, July 1, 2026 at 12:30 AM CDT",
            // The hour that occurs twice.
            "2026-11-01T06:30:00.000Z Sunday, November 1, 2026 at 1:30 AM CDT",
            "2026-11-01T07:30:00.000Z Sunday, November 1, 2026 at 1:30 AM CST",
        ] {
            let (at, text) = row.split_once(' ').unwrap();
            assert_eq!(long_time(&texas, Time::parse(at).unwrap()), text);
        }
    }
}

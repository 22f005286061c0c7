//! Times and durations in words, for emails and pages.

use super::Time;
use super::time_zone::TimeZone;
use crate::request::Request;
use crate::us_state;

/// A time as `Sunday, November 22, 2026 at 6:00 AM CST`.
pub fn long_time(zone: &TimeZone, at: Time) -> String {
    zone.format(at, "%A, %B %-d, %Y at %-I:%M %p %Z")
}

/// A time as the customer of `request` reads it: on the clock of the state that its location names,
/// else of the company.
pub fn customer_time(request: &Request, company: &TimeZone, at: Time) -> String {
    let state = request.location.as_deref().and_then(us_state::of_location);
    let local = state.and_then(|code| TimeZone::parse(us_state::time_zone(code)));
    long_time(local.as_ref().unwrap_or(company), at)
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
        for (at, text) in [
            (
                "2026-11-21T12:00:00.000Z",
                "Saturday, November 21, 2026 at 6:00 AM CST",
            ),
            (
                "2026-07-01T05:30:00.000Z",
                "Wednesday, July 1, 2026 at 12:30 AM CDT",
            ),
            // The hour that occurs twice.
            (
                "2026-11-01T06:30:00.000Z",
                "Sunday, November 1, 2026 at 1:30 AM CDT",
            ),
            (
                "2026-11-01T07:30:00.000Z",
                "Sunday, November 1, 2026 at 1:30 AM CST",
            ),
        ] {
            assert_eq!(long_time(&texas, Time::parse(at).unwrap()), text);
        }
    }
}

//! Bounds on calls, text messages, pushes and emails: a flood of requests costs no money without
//! end, and carriers do not block a number that rings too often.

use crate::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};

/// The windows of the bounds on one person, in milliseconds.
pub const WINDOWS_MS: [i64; 4] = [MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS];
/// The window of the bounds on all people.
pub const ALL_PEOPLE_MS: i64 = DAY_MS;
/// After a call has ended, the person is not called again for this time.
pub const PAUSE_MS: i64 = 3 * MINUTE_MS;
/// A call whose end is not reported has ended after this time.
pub const LONGEST_CALL_MS: i64 = 5 * MINUTE_MS;
/// A call or a text message that waits longer is replaced by a push and an email.
pub const LONG_WAIT_MS: i64 = 4 * MINUTE_MS;
/// Pushes to one device, and emails to one person, that are sent at once within a quarter of an
/// hour; later ones are a minute apart.
pub const AT_ONCE: usize = 5;
/// Test alarms that are raised by hand within an hour.
pub const TESTS_AN_HOUR: i64 = 5;
/// Emergencies within an hour from which on they are named a flood.
pub const FLOOD: i64 = 20;

/// How many calls and text messages are placed at most, from the settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// To one person, in each of `WINDOWS_MS`.
    pub calls: [u32; 4],
    pub texts: [u32; 4],
    /// To all people, in 24 hours.
    pub calls_a_day: u32,
    pub texts_a_day: u32,
}

/// When a person may be called or texted next. `placed` are the times of earlier ones, newest
/// first. A test leaves one to an emergency in each window that allows several.
pub fn person_allowed(limits: [u32; 4], is_test: bool, placed: &[Time], now: Time) -> Time {
    let windows = WINDOWS_MS.iter().zip(limits);
    let allowed = windows.map(|(window, limit)| {
        let spare = u32::from(is_test && limit > 1);
        window_allowed(limit - spare, *window, placed, now)
    });
    allowed.max().unwrap_or(now)
}

/// When the next push to a device or email to a person may be sent.
pub fn free_allowed(sent: &[Time], now: Time) -> Time {
    let quarter = now.plus_millis(-WINDOWS_MS[1]);
    match sent.iter().filter(|at| **at > quarter).count() {
        ..AT_ONCE => now,
        _ => window_allowed(1, WINDOWS_MS[0], sent, now),
    }
}

/// When one more fits into a window of `limit`; `now` if it does already. `placed` are times of
/// earlier ones, newest first.
pub fn window_allowed(limit: u32, window_ms: i64, placed: &[Time], now: Time) -> Time {
    let last = usize::try_from(limit).unwrap_or(usize::MAX).checked_sub(1);
    let Some(last) = last else {
        return now.plus_millis(window_ms);
    };
    let leaves = placed.get(last).map(|at| at.plus_millis(window_ms));
    leaves.map_or(now, |at| at.max(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minutes(ago: &[i64]) -> (Vec<Time>, Time) {
        let now = Time::parse("2026-11-21T12:00:00Z").unwrap();
        let times = ago.iter().map(|it| now.plus_millis(-it * MINUTE_MS));
        (times.collect(), now)
    }

    #[test]
    fn a_call_waits_until_it_fits_into_each_window() {
        for (ago, expected) in [
            (&[][..], 0),
            (&[1], 0),
            (&[0], 1),
            (&[1, 2], 0),
            // Three in a quarter of an hour, five in an hour, ten in three hours.
            (&[2, 5, 10], 5),
            (&[2, 5, 15], 0),
            (&[16, 20, 30, 40, 50], 10),
            (&[16, 20, 30, 40, 60], 0),
            (&[61, 70, 80, 90, 100, 110, 120, 130, 140, 150], 30),
            (&[2, 3, 4, 40, 55], 11),
        ] {
            let (placed, now) = minutes(ago);
            let allowed = person_allowed([1, 3, 5, 10], false, &placed, now);
            let wait = (allowed.millis() - now.millis()) / MINUTE_MS;
            assert_eq!(wait, expected, "{ago:?}");
        }
    }

    #[test]
    fn a_test_leaves_one_to_an_emergency() {
        let (placed, now) = minutes(&[2, 5]);
        let allowed = |is_test| person_allowed([1, 3, 5, 10], is_test, &placed, now);
        assert_eq!(allowed(false), now);
        assert_eq!(allowed(true), now.plus_millis(10 * MINUTE_MS));
    }

    #[test]
    fn five_pushes_go_at_once_and_then_one_a_minute() {
        let (sent, now) = minutes(&[0, 0, 0, 0]);
        assert_eq!(free_allowed(&sent, now), now);
        let (sent, now) = minutes(&[0, 0, 0, 0, 0]);
        assert_eq!(free_allowed(&sent, now), now.plus_millis(MINUTE_MS));
        let (sent, now) = minutes(&[1, 2, 3, 4, 5]);
        assert_eq!(free_allowed(&sent, now), now);
        let (sent, now) = minutes(&[0, 15, 15, 15, 15]);
        assert_eq!(free_allowed(&sent, now), now);
    }

    #[test]
    fn a_bound_of_none_allows_none() {
        let (_, now) = minutes(&[]);
        assert_eq!(window_allowed(0, DAY_MS, &[], now), now.plus_millis(DAY_MS));
    }
}

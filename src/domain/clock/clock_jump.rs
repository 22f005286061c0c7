//! Detects that the system clock was set: a step invalidates codes of second factors, certificates
//! and due times, and is hard to find afterwards.

use std::time::Duration;

use super::Time;

/// Milliseconds by which a clock may differ from the elapsed time: time synchronization stays far
/// below.
const TOLERANCE_MS: i64 = 2000;

/// Milliseconds by which the clock was set forward (negative: back) between `before` and `now`,
/// while `passed` elapsed; `None` if it was not set.
pub fn clock_jump(before: Time, now: Time, passed: Duration) -> Option<i64> {
    let passed = i64::try_from(passed.as_millis()).unwrap_or(i64::MAX);
    let jump = (now.millis() - before.millis()).saturating_sub(passed);
    (jump.abs() > TOLERANCE_MS).then_some(jump)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::clock_jump;
    use crate::clock::Time;

    #[test]
    fn a_step_of_the_clock_is_told_from_time_that_passes() {
        for (before, now, seconds, expected) in [
            (1000, 6000, 5, None),
            (1000, 7500, 5, None),
            (1000, 3_606_000, 5, Some(3_600_000)),
            (3_606_000, 1000, 5, Some(-3_610_000)),
            (1000, 86_401_000, 86_400, None),
        ] {
            let (before, now) = (Time::from_millis(before), Time::from_millis(now));
            let passed = Duration::from_secs(seconds);
            assert_eq!(clock_jump(before, now, passed), expected);
        }
    }
}

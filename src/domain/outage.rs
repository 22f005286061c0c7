//! Log lines about a lasting fault: one when it begins, one an hour, and one when it ends, however
//! often it occurs.

use super::clock::{HOUR_MS, MINUTE_MS, Time};

/// The interval between two lines about a lasting fault.
const INTERVAL_MS: i64 = HOUR_MS;
/// A fault that returns this soon has not ended: its return gets no line.
const RETURN_MS: i64 = MINUTE_MS;

/// A fault of one thing, such as the mail server.
#[derive(Debug, Default)]
pub struct Outage {
    /// When it began, while it lasts.
    since: Option<Time>,
    /// How often it has occurred since.
    failures: u64,
    last_line: Option<Line>,
}

/// A line in the log.
#[derive(Clone, Copy, Debug)]
enum Line {
    Lasts(Time),
    Ended(Time),
}

impl Outage {
    pub const fn lasts(&self) -> bool {
        self.since.is_some()
    }

    /// Records that the fault occurred at `now`. Returns the line to log, if one is due: the
    /// beginning of the fault and its number of occurrences.
    pub fn failed(&mut self, now: Time) -> Option<(Time, u64)> {
        let since = *self.since.get_or_insert(now);
        self.failures += 1;
        let age = |at: Time| (now.millis() - at.millis()).abs();
        let is_due = match self.last_line {
            None => true,
            Some(Line::Lasts(at)) => age(at) >= INTERVAL_MS,
            Some(Line::Ended(at)) => age(at) >= RETURN_MS,
        };
        if !is_due {
            return None;
        }
        self.last_line = Some(Line::Lasts(now));
        Some((since, self.failures))
    }

    /// Records a success at `now`. Returns the line to log, if one is due: the beginning of the
    /// fault and its number of occurrences.
    pub fn ended(&mut self, now: Time) -> Option<(Time, u64)> {
        let since = self.since.take()?;
        let failures = std::mem::take(&mut self.failures);
        if !matches!(self.last_line, Some(Line::Lasts(_))) {
            return None;
        }
        self.last_line = Some(Line::Ended(now));
        Some((since, failures))
    }
}

#[cfg(test)]
mod tests {
    use super::Outage;
    use crate::clock::{HOUR_MS, MINUTE_MS, Time};

    #[test]
    fn a_fault_gets_a_line_when_it_begins_each_hour_and_when_it_ends() {
        let mut outage = Outage::default();
        let at = Time::from_millis;
        assert_eq!(outage.ended(at(0)), None, "it never began");
        assert_eq!(outage.failed(at(0)), Some((at(0), 1)));
        for millis in 1..1000 {
            assert_eq!(outage.failed(at(millis)), None);
        }
        assert_eq!(outage.failed(at(HOUR_MS)), Some((at(0), 1001)));
        assert!(outage.lasts());
        assert_eq!(outage.ended(at(HOUR_MS + 1)), Some((at(0), 1001)));
        assert_eq!(outage.ended(at(HOUR_MS + 2)), None);
    }

    #[test]
    fn a_fault_that_comes_and_goes_gets_two_lines_a_minute_at_most() {
        let mut outage = Outage::default();
        let at = |second: i64| Time::from_millis(second * 1000);
        let mut lines = 0;
        for second in 0..600 {
            lines += usize::from(outage.failed(at(second)).is_some());
            lines += usize::from(outage.ended(at(second)).is_some());
        }
        assert_eq!(lines, 2 * 600 * 1000 / MINUTE_MS as usize);
        let lasts = outage.failed(at(700));
        assert_eq!(lasts, Some((at(700), 1)), "the count begins anew");
        assert_eq!(outage.ended(at(701)), Some((at(700), 1)));
    }
}

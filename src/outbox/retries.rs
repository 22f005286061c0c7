//! When an email is tried again, and when it is given up: by its age, not by the number of tries
//! (RFC 5321, section 4.5.4.1).

use crate::config;
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::store::MAX_WAIT_MS;

/// Tries that an email gets at least, however old it is: a clock that was far ahead for a moment,
/// or a server that was off for a week, ends none.
const FEWEST_TRIES: u32 = 8;
/// The longest regular pause between two tries, in milliseconds. With its jitter it stays below
/// `store::LONGEST_WAIT`.
const LONGEST_PAUSE: i64 = MAX_WAIT_MS * 4 / 5;

/// The rules for retries, as the settings give them. All times are in milliseconds.
pub(super) struct Retries {
    give_up_after: i64,
    first_pause: i64,
}

impl Retries {
    pub(super) fn new(settings: &config::Mail) -> Self {
        Self {
            give_up_after: i64::from(settings.give_up_hours) * 60 * 60 * 1000,
            first_pause: i64::from(settings.retry_seconds) * 1000,
        }
    }

    /// Whether an email first tried at `tried_since` is given up after its try number `attempts`.
    pub(super) fn are_over(&self, tried_since: Time, attempts: u32, now: Time) -> bool {
        attempts >= FEWEST_TRIES && now >= tried_since.plus_millis(self.give_up_after)
    }

    /// The pause after try number `attempts`: doubling up to an hour, and up to a quarter more by
    /// chance, so that emails refused together do not come back together.
    pub(super) fn pause(&self, attempts: u32) -> i64 {
        let pause = self.shortest_pause(attempts);
        let chance = i64::from(u16::from_le_bytes(ids::random_bytes()));
        pause + pause / 4 * chance / i64::from(u16::MAX)
    }

    /// The longest that an email waits after no try, one, two and so on; the last entry is for all
    /// further ones.
    pub(super) fn longest_waits(&self) -> Vec<i64> {
        let growing = (1..)
            .map(|attempts| self.shortest_pause(attempts))
            .take_while(|pause| *pause < LONGEST_PAUSE);
        let pauses = [0].into_iter().chain(growing).chain([LONGEST_PAUSE]);
        pauses.map(|pause| pause + pause / 4).collect()
    }

    fn shortest_pause(&self, attempts: u32) -> i64 {
        let doubled = 2_i64.saturating_pow(attempts.saturating_sub(1));
        self.first_pause.saturating_mul(doubled).min(LONGEST_PAUSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    #[test]
    fn pauses_double_up_to_an_hour_and_five_days_end_the_tries() {
        let retries = Retries::new(&config::Mail::default());
        for (attempts, seconds) in [(1, 15), (2, 30), (8, 1920), (9, 3600), (1000, 3600)] {
            let pause = retries.pause(attempts);
            let shortest = seconds * 1000;
            assert!((shortest..=shortest * 5 / 4).contains(&pause), "{attempts}");
        }
        let waits = retries.longest_waits();
        assert_eq!(waits[..3], [0, 18_750, 37_500]);
        assert_eq!(waits[9..], [MAX_WAIT_MS]);
        let since = Time::from_millis(1_795_000_000_000);
        for (attempts, hours, over) in [
            (130, 119, false),
            (130, 120, true),
            (7, 120, false),
            (8, 120, true),
            (130, -1000, false),
        ] {
            let now = since.plus_millis(hours * HOUR);
            assert_eq!(
                retries.are_over(since, attempts, now),
                over,
                "{attempts} {hours}"
            );
        }
    }
}

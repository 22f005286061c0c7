//! Limits how many emails are in flight and decides when the next batch is claimed. One email costs
//! as much CPU and disk as several form posts, so a flood of notices must not slow down visitors;
//! sign-in codes and emergency notices bypass the flood.

use std::time::Duration;

use tokio::time::Instant;

use domain::email::priority::Priority;
use store::outbox::delivery::ClaimLimits;

/// Poll interval for rows written by other processes and for retries that have come due.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Poll interval for urgent emails while others are in flight, or during a pause.
const URGENT_POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Pause after an email, multiplied by the number of queued database writes plus one.
const BATCH_PAUSE: Duration = Duration::from_millis(20);
/// While notices are being written, the pause is this many times the send duration: emails get a
/// tenth of the time.
const IDLE_FACTOR: u32 = 9;
/// Upper bound of the send duration used for the pause: a slow mail server says nothing about the
/// load on this host.
const MAX_SEND_DURATION: Duration = Duration::from_millis(100);
/// Upper bound of the queued writes used for the pause, so that an endless flood cannot stop
/// delivery.
const MAX_QUEUE: usize = 50;
/// Emails that may be claimed per poll during a pause: one of each urgent priority.
const DURING_PAUSE: [u32; Priority::ALL.len()] = [1, 1, 0];

/// A finished delivery attempt.
pub(super) struct Attempt {
    pub priority: Priority,
    pub duration: Duration,
}

/// Emails in flight, and the end of the current pause.
pub(super) struct Pacing {
    concurrency: u32,
    in_flight: [u32; Priority::ALL.len()],
    pause_until: Instant,
    last_poll: Instant,
    /// Whether the last poll ran outside a pause and no attempt has finished since.
    polled_fully: bool,
    /// Whether notices were written since the last poll outside a pause.
    notices_written: bool,
}

impl Pacing {
    /// Allows at most `concurrency` emails in flight.
    pub(super) fn new(concurrency: u32) -> Self {
        let now = Instant::now();
        Self {
            concurrency,
            in_flight: [0; Priority::ALL.len()],
            pause_until: now,
            last_poll: now,
            polled_fully: false,
            notices_written: false,
        }
    }

    /// Records a poll of the outbox and returns what may be claimed. No single priority may use
    /// every slot: if emails of one priority hang, the others still go out.
    pub(super) fn poll(&mut self) -> ClaimLimits {
        self.last_poll = Instant::now();
        self.polled_fully = self.last_poll >= self.pause_until;
        let limit = self.concurrency.saturating_sub(1).max(1);
        let mut each = self.in_flight.map(|count| limit.saturating_sub(count));
        if self.polled_fully {
            self.notices_written = false;
        } else {
            for (free, limit) in each.iter_mut().zip(DURING_PAUSE) {
                *free = limit.min(*free);
            }
        }
        let in_flight: u32 = self.in_flight.iter().sum();
        ClaimLimits {
            total: self.concurrency.saturating_sub(in_flight),
            each,
        }
    }

    /// Records the start of an attempt.
    pub(super) fn started(&mut self, priority: Priority) {
        self.in_flight[priority.index()] += 1;
    }

    /// Records the end of an attempt and extends the pause. `queued_writes` is the number of
    /// database writes waiting now; `notified` says whether notices were written since the last
    /// call.
    pub(super) fn finished(&mut self, attempt: Attempt, queued_writes: usize, notified: bool) {
        let count = &mut self.in_flight[attempt.priority.index()];
        *count = count.saturating_sub(1);
        let queued = u32::try_from(queued_writes.min(MAX_QUEUE)).unwrap_or(0);
        let mut pause = BATCH_PAUSE * (queued + 1);
        self.notices_written |= notified;
        if self.notices_written {
            pause = pause.max(attempt.duration.min(MAX_SEND_DURATION) * IDLE_FACTOR);
        }
        self.pause_until = self.pause_until.max(Instant::now() + pause);
        self.polled_fully = false;
    }

    /// Whether the last poll claimed everything that was due, and nothing is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.polled_fully && self.in_flight.iter().all(|count| *count == 0)
    }

    /// Time of the next poll.
    pub(super) fn next_poll(&self) -> Instant {
        match (self.is_idle(), self.polled_fully) {
            (true, _) => self.last_poll + POLL_INTERVAL,
            (false, true) => self.last_poll + URGENT_POLL_INTERVAL,
            (false, false) => self.pause_until.min(self.last_poll + URGENT_POLL_INTERVAL),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_priority_uses_every_slot_and_a_pause_leaves_slots_for_urgent_emails() {
        let mut pacing = Pacing::new(4);
        let limits = |total, each| ClaimLimits { total, each };
        assert_eq!(pacing.poll(), limits(4, [3, 3, 3]));
        for _ in 0..3 {
            pacing.started(Priority::Normal);
        }
        assert_eq!(pacing.poll(), limits(1, [3, 3, 0]));
        pacing.started(Priority::Account);
        assert_eq!(pacing.poll().total, 0);
        let attempt = Attempt {
            priority: Priority::Normal,
            duration: Duration::from_secs(3),
        };
        pacing.finished(attempt, MAX_QUEUE * 2, true);
        assert_eq!(pacing.poll(), limits(1, [1, 1, 0]));
        assert!(pacing.next_poll() <= pacing.last_poll + URGENT_POLL_INTERVAL);
        assert!(pacing.pause_until <= Instant::now() + BATCH_PAUSE * 51);
    }

    #[test]
    fn a_concurrency_of_one_is_available_to_every_priority() {
        assert_eq!(Pacing::new(1).poll(), ClaimLimits::any(1));
    }
}

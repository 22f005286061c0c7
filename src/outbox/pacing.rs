//! How many emails are under way at once, and when the next ones are claimed. An email costs the
//! host as much as several posts, so a flood of emails leaves the processor and the disk to the
//! visitors who cause it; but a person who waits for a sign-in code does not wait for the flood.

use std::time::Duration;

use tokio::time::Instant;

use crate::domain::notice::Priority;
use crate::store::ClaimLimits;

/// How often the outbox is looked into for what other processes wrote and for retries that have
/// come due.
const LOOK: Duration = Duration::from_secs(2);
/// How often it is looked into for urgent emails while others are under way, or during a pause.
const URGENT_LOOK: Duration = Duration::from_millis(200);
/// Pause after an email for each visitor who waits for a commit, and one more.
const BREATH: Duration = Duration::from_millis(20);
/// While visitors go on writing, the pause is this many times as long as the email took: emails get
/// a tenth of the time.
const REST: u32 = 9;
/// The longest that one email counts for this: a mail server that hangs says nothing of the
/// visitors.
const LONGEST: Duration = Duration::from_millis(100);
/// Visitors for whom the postman pauses at most: a flood that does not end must not keep the office
/// from hearing of it.
const POLITENESS: usize = 50;
/// What may be claimed at each look during a pause: an email of each urgent priority.
const DURING_PAUSE: [u32; Priority::ALL.len()] = [1, 1, 0];

/// A try that has come to its end.
pub(super) struct Ended {
    pub priority: Priority,
    pub took: Duration,
}

/// What is under way, and until when little else is begun.
pub(super) struct Pacing {
    most: u32,
    under_way: [u32; Priority::ALL.len()],
    pause_until: Instant,
    looked: Instant,
    /// Whether the last look left nothing behind that could have been claimed, and nothing has
    /// ended since.
    looked_fully: bool,
    /// Whether notices were written since the last look outside a pause.
    written: bool,
}

impl Pacing {
    /// With at most `most` emails under way at once.
    pub(super) fn new(most: u32) -> Self {
        let now = Instant::now();
        Self {
            most,
            under_way: [0; Priority::ALL.len()],
            pause_until: now,
            looked: now,
            looked_fully: false,
            written: false,
        }
    }

    /// A look into the outbox: what may be claimed. No priority gets the last place: however many
    /// emails of one hang, those of another go out.
    pub(super) fn look(&mut self) -> ClaimLimits {
        self.looked = Instant::now();
        self.looked_fully = self.looked >= self.pause_until;
        let limit = self.most.saturating_sub(1).max(1);
        let mut each = self.under_way.map(|busy| limit.saturating_sub(busy));
        if self.looked_fully {
            self.written = false;
        } else {
            for (room, most) in each.iter_mut().zip(DURING_PAUSE) {
                *room = most.min(*room);
            }
        }
        ClaimLimits {
            total: self.most.saturating_sub(self.under_way.iter().sum()),
            each,
        }
    }

    /// An email is under way.
    pub(super) fn begun(&mut self, priority: Priority) {
        self.under_way[priority.index()] += 1;
    }

    /// An email is under way no more. `visitors` wait for a commit now; `more` says whether notices
    /// were written since this was last asked.
    pub(super) fn ended(&mut self, ended: Ended, visitors: usize, more: bool) {
        let busy = &mut self.under_way[ended.priority.index()];
        *busy = busy.saturating_sub(1);
        let visitors = u32::try_from(visitors.min(POLITENESS)).unwrap_or(0);
        let mut pause = BREATH * (visitors + 1);
        self.written |= more;
        if self.written {
            pause = pause.max(ended.took.min(LONGEST) * REST);
        }
        self.pause_until = self.pause_until.max(Instant::now() + pause);
        self.looked_fully = false;
    }

    /// Whether the last look found all there was, and nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.looked_fully && self.under_way.iter().all(|busy| *busy == 0)
    }

    /// When to look again.
    pub(super) fn next_look(&self) -> Instant {
        match (self.is_idle(), self.looked_fully) {
            (true, _) => self.looked + LOOK,
            (false, true) => self.looked + URGENT_LOOK,
            (false, false) => self.pause_until.min(self.looked + URGENT_LOOK),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_priority_takes_every_place_and_a_pause_leaves_room_for_urgent_emails() {
        let mut pacing = Pacing::new(4);
        let room = |total, each| ClaimLimits { total, each };
        assert_eq!(pacing.look(), room(4, [3, 3, 3]));
        for _ in 0..3 {
            pacing.begun(Priority::Normal);
        }
        assert_eq!(pacing.look(), room(1, [3, 3, 0]));
        pacing.begun(Priority::Account);
        assert_eq!(pacing.look().total, 0);
        pacing.ended(
            Ended {
                priority: Priority::Normal,
                took: Duration::from_secs(3),
            },
            POLITENESS * 2,
            true,
        );
        assert_eq!(pacing.look(), room(1, [1, 1, 0]));
        assert!(pacing.next_look() <= pacing.looked + URGENT_LOOK);
        assert!(pacing.pause_until <= Instant::now() + BREATH * 51);
    }

    #[test]
    fn with_one_place_every_priority_may_have_it() {
        assert_eq!(Pacing::new(1).look(), ClaimLimits::any(1));
    }
}

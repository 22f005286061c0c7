//! Bounds on calls, text messages, pushes and emails: a flood of requests costs no money without
//! end, and carriers do not block a number that rings too often. Nothing but another emergency
//! delays an emergency, and those by ten minutes at most.
//!
//! | what | counts | calls and text messages | pushes and emails | how long |
//! |---|---|---|---|---|
//! | emergency that is new to the person | emergencies | P, D, waits for ten minutes | F | |
//! | emergency again: later steps and rounds | emergencies | P, D | F | 48 rounds |
//! | overdue request | emergencies, overdue requests | P, D | F | one round |
//! | gap in the schedule | these and gaps | none | F | once |
//! | test, weekly | all | P, D, none while an emergency is raised | F | 30 minutes |
//! | test, by hand | all | the same | F | 30 minutes; five an hour |
//! | anything in a drill | | none | none | |
//!
//! - P, to one person: `alarms.calls_per_person` and `texts_per_person`. A call waits for three
//!   minutes after the end of the last one, or for eight after its beginning if no end is reported,
//!   and for a minute after one that the provider has refused.
//! - D, to all people in 24 hours: `alarms.calls_per_day` and `texts_per_day`.
//! - F: to one device, or by email to one person, five within a quarter of an hour, then one a
//!   minute.
//! - One contact names all alarms of its kind that wait. A call or a text message that is to wait
//!   for four minutes is replaced by a push and an email at once.

pub use super::alarm::Bounds;
use super::alarm::{AlarmKind, Channel};
use crate::clock::{DAY_MS, HOUR_MS, MINUTE_MS, Time};

/// The windows of the bounds on one person, in milliseconds.
pub const WINDOWS_MS: [i64; 4] = [MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS];
/// The window of the bounds on all people.
pub const ALL_PEOPLE_MS: i64 = DAY_MS;
/// After a call has ended, the person is not called again for this time.
const PAUSE_MS: i64 = 3 * MINUTE_MS;
/// A call whose end is not reported has ended after this time.
const LONGEST_CALL_MS: i64 = 5 * MINUTE_MS;
/// How long bounds delay an emergency of which the person was not told by this channel.
pub const LONGEST_WAIT_MS: i64 = 10 * MINUTE_MS;
/// A call or a text message that waits longer is replaced by a push and an email.
pub const LONG_WAIT_MS: i64 = 4 * MINUTE_MS;
/// Pushes to one device, and emails to one person, that are sent at once within a quarter of an
/// hour; later ones are a minute apart.
const AT_ONCE: usize = 5;
/// Test alarms that are raised by hand within an hour.
pub const TESTS_AN_HOUR: i64 = 5;
/// How long after its chain a test alarm may be acknowledged, in milliseconds.
pub const TEST_WAIT_MS: i64 = 30 * MINUTE_MS;
/// Rounds after which an emergency is given up: a day of half hours.
pub const MAX_ROUNDS: u32 = 48;
/// Emergencies within an hour from which on they are named a flood.
pub const FLOOD: i64 = 20;
/// Why a call or a text message waits.
pub const PERSON_BOUND: &str = "it waits: the bound for one person is reached";
pub const DAY_BOUND: &str = "it waits: the bound for a day is reached";

/// A contact that is to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub kind: AlarmKind,
    pub channel: Channel,
    /// Since when an emergency waits of which the person was not told by this channel.
    pub new_since: Option<Time>,
    /// Whether an emergency is raised.
    pub is_emergency_raised: bool,
    /// When the bound on all people allows one more.
    pub day_allows: Time,
}

/// An earlier contact of the same person, channel and device.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub kind: AlarmKind,
    pub at: Time,
    /// When a call ended, if that was reported.
    pub ended_at: Option<Time>,
    /// The provider did not place it: it has cost nothing.
    pub is_refused: bool,
}

/// When a contact may be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    pub at: Time,
    /// The bound that delays it, if that is one on calls and text messages.
    pub why: Option<&'static str>,
}

/// The kinds that delay one another: each those after it.
const RANKS: [AlarmKind; 4] = [
    AlarmKind::Emergency,
    AlarmKind::Overdue,
    AlarmKind::Gap,
    AlarmKind::Test,
];

/// The kinds that the bounds of a kind count, as the table says.
pub fn counted(kind: AlarmKind) -> &'static [AlarmKind] {
    let rank = RANKS.iter().position(|it| *it == kind);
    &RANKS[..=rank.unwrap_or(0)]
}

impl Bounds {
    /// The bounds of a channel on one person and on all people; `None` for pushes and emails,
    /// which cost nothing.
    pub const fn of(&self, channel: Channel) -> Option<([u32; 4], u32)> {
        match channel {
            Channel::Call => Some((self.calls, self.calls_a_day)),
            Channel::Sms => Some((self.texts, self.texts_a_day)),
            Channel::Push | Channel::Email => None,
        }
    }

    /// When a contact may be placed; `now`, if nothing is in the way. `placed` are the earlier ones
    /// within the longest window, newest first.
    pub fn next(&self, contact: &Contact, placed: &[Placed], now: Time) -> Next {
        let counted = counted(contact.kind);
        let counts = |it: &&Placed| counted.contains(&it.kind);
        let placed: Vec<_> = placed.iter().filter(counts).copied().collect();
        let cost = placed.iter().filter(|it| !it.is_refused);
        let times: Vec<_> = cost.map(|it| it.at).collect();
        let Some((limits, _)) = self.of(contact.channel) else {
            let at = free_allowed(&times, now);
            return Next { at, why: None };
        };
        let person = person_allowed(limits, &times, now);
        let why = match contact.day_allows > now {
            true => Some(DAY_BOUND),
            false => (person > now).then_some(PERSON_BOUND),
        };
        let bound = person.max(contact.day_allows);
        let longest = contact.new_since.map(|it| it.plus_millis(LONGEST_WAIT_MS));
        let mut at = longest.map_or(bound, |longest| bound.min(longest));
        if contact.channel == Channel::Call {
            at = at.max(after_calls(&placed));
        }
        if contact.kind == AlarmKind::Test && contact.is_emergency_raised {
            at = at.max(now.plus_millis(MINUTE_MS));
        }
        Next {
            at: at.max(now),
            why,
        }
    }
}

/// When the person may be called after earlier calls, newest first.
fn after_calls(placed: &[Placed]) -> Time {
    let attempted = placed.first().map(|it| it.at.plus_millis(WINDOWS_MS[0]));
    let last = placed.iter().find(|it| !it.is_refused).map(|it| {
        let end = it.ended_at.unwrap_or(it.at.plus_millis(LONGEST_CALL_MS));
        end.plus_millis(PAUSE_MS)
    });
    attempted.max(last).unwrap_or(Time::from_millis(0))
}

/// When a person may be called or texted next. `placed` are the times of earlier ones, newest
/// first.
fn person_allowed(limits: [u32; 4], placed: &[Time], now: Time) -> Time {
    let windows = WINDOWS_MS.iter().zip(limits);
    let allowed = windows.map(|(window, limit)| window_allowed(limit, *window, placed, now));
    allowed.max().unwrap_or(now)
}

/// When the next push to a device or email to a person may be sent.
fn free_allowed(sent: &[Time], now: Time) -> Time {
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
            let allowed = person_allowed([1, 3, 5, 10], &placed, now);
            let wait = (allowed.millis() - now.millis()) / MINUTE_MS;
            assert_eq!(wait, expected, "{ago:?}");
        }
    }

    /// When a call of a kind may be placed, in minutes, after others that were placed so many
    /// minutes ago, without a reported end.
    fn call_waits(kind: AlarmKind, new_since: Option<i64>, before: &[(AlarmKind, i64)]) -> i64 {
        let now = Time::parse("2026-11-21T12:00:00Z").unwrap();
        let ago = |minutes: i64| now.plus_millis(-minutes * MINUTE_MS);
        let bounds = Bounds {
            calls: [1, 3, 5, 10],
            texts: [1, 5, 12, 20],
            calls_a_day: 100,
            texts_a_day: 200,
        };
        let placed = before.iter().map(|(kind, at)| Placed {
            kind: *kind,
            at: ago(*at),
            ended_at: None,
            is_refused: false,
        });
        let contact = Contact {
            kind,
            channel: Channel::Call,
            new_since: new_since.map(ago),
            is_emergency_raised: false,
            day_allows: now,
        };
        let next = bounds.next(&contact, &placed.collect::<Vec<_>>(), now);
        (next.at.millis() - now.millis()) / MINUTE_MS
    }

    #[test]
    fn only_emergencies_delay_an_emergency_and_all_that_was_placed_delays_a_test() {
        use AlarmKind::{Emergency, Overdue, Test};
        let five = |kind| [1, 9, 17, 25, 33].map(|at| (kind, at));
        for (kind, before, waits) in [
            (Emergency, five(Test), 0),
            (Emergency, five(Overdue), 0),
            (Emergency, five(Emergency), 27),
            (Overdue, five(Test), 0),
            (Overdue, five(Emergency), 27),
            (Test, five(Overdue), 27),
        ] {
            assert_eq!(
                call_waits(kind, None, &before),
                waits,
                "{kind:?} {before:?}"
            );
        }
    }

    #[test]
    fn a_new_emergency_waits_ten_minutes_at_most_and_never_while_the_phone_may_ring() {
        use AlarmKind::Emergency;
        let five = [1, 9, 17, 25, 33].map(|at| (Emergency, at));
        assert_eq!(call_waits(Emergency, Some(0), &five), 10);
        assert_eq!(call_waits(Emergency, Some(8), &five), 7, "the pause");
        assert_eq!(call_waits(Emergency, Some(12), &five[1..]), 0);
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

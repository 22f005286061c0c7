//! When a request has to be answered. The site promises an answer within 24 hours, and a call
//! within minutes to visitors who ask for one. Hours are elapsed time, also in the nights in which
//! the clocks change.

use super::Request;
use crate::clock::{HOUR_MS, MINUTE_MS, Time};
use crate::ids;

/// Response-time targets (`[desk]` in the settings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerTimes {
    normal_ms: i64,
    emergency_ms: i64,
    next_ms: i64,
}

impl AnswerTimes {
    /// Hours for a request, and minutes for an emergency.
    pub fn new(answer_hours: u32, emergency_minutes: u32) -> Self {
        Self {
            normal_ms: i64::from(answer_hours) * HOUR_MS,
            emergency_ms: i64::from(emergency_minutes) * MINUTE_MS,
            next_ms: 0,
        }
    }

    /// The same with `hours` for each further message of a customer.
    pub fn with_next_answer(self, hours: u32) -> Self {
        Self {
            next_ms: i64::from(hours) * HOUR_MS,
            ..self
        }
    }

    /// The response time to a further message, in milliseconds.
    pub const fn next_millis(self) -> i64 {
        self.next_ms
    }

    /// The response time, in milliseconds.
    pub const fn millis(self, emergency: bool) -> i64 {
        if emergency {
            self.emergency_ms
        } else {
            self.normal_ms
        }
    }

    /// When a request that was received at `received` is due. Contact messages are never
    /// emergencies.
    pub const fn due(self, emergency: bool, received: Time) -> Time {
        received.plus_millis(self.millis(emergency))
    }

    /// When the next answer to `request` is due: the first one, or that to a further message. The
    /// epoch if its time of receipt cannot be read.
    pub fn due_of(self, request: &Request) -> Time {
        if let Some(message) = request.unanswered_message() {
            return ids::time_of_seq(message).plus_millis(self.next_ms);
        }
        self.first_due_of(request)
    }

    /// When the first answer to `request` is due.
    pub fn first_due_of(self, request: &Request) -> Time {
        let received = request.created_at;
        self.due(request.emergency_contact, received)
    }
}

#[cfg(test)]
mod tests {
    use super::AnswerTimes;
    use crate::clock::Time;
    use crate::clock::time_zone::TimeZone;

    #[test]
    fn a_request_is_due_after_the_elapsed_time_also_when_the_clocks_change() {
        let times = AnswerTimes::new(24, 30);
        let chicago = TimeZone::parse("America/Chicago").unwrap();
        // Clocks are set forward on March 8, 2026 at 2:00, and back on November 1, 2026 at 2:00.
        for row in [
            "2026-06-10T15:00 quote 2026-06-11T15:00, on the wall 2026-06-11 10:00",
            "2026-06-10T15:00 emergency 2026-06-10T15:30, on the wall 2026-06-10 10:30",
            // Saturday 18:00 CST: due Sunday 19:00 CDT, since the night is an hour shorter.
            "2026-03-08T00:00 quote 2026-03-09T00:00, on the wall 2026-03-08 19:00",
            // 1:45 CST: half an hour later it is 3:15 CDT.
            "2026-03-08T07:45 emergency 2026-03-08T08:15, on the wall 2026-03-08 03:15",
            // Saturday 18:00 CDT: due Sunday 17:00 CST.
            "2026-10-31T23:00 quote 2026-11-01T23:00, on the wall 2026-11-01 17:00",
            // 1:45 CDT: half an hour later it is 1:15 CST.
            "2026-11-01T06:45 emergency 2026-11-01T07:15, on the wall 2026-11-01 01:15",
        ] {
            let (received, due) = row.split_at("2026-06-10T15:00".len());
            let received = Time::parse(&format!("{received}:00Z")).unwrap();
            let found = times.due(due.starts_with(" emergency"), received);
            let on_the_wall = chicago.format(found, "%Y-%m-%d %H:%M");
            let found = format!("{}, on the wall {on_the_wall}", &found.to_string()[..16]);
            assert!(due.ends_with(&format!(" {found}")), "{row}: {found}");
        }
    }
}

//! The parts of "Needs attention" and the position of a page in them.

use crate::lists::walk::Order;
use domain::clock::Time;
use domain::request::Request;

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Emergencies without a call that reached the customer.
    Emergencies,
    /// Others with a due follow-up of the reader.
    OwnFollowUps,
    /// Others with a due follow-up of a colleague.
    FollowUps,
    /// Others whose due time has passed.
    Overdue,
    /// Others that are due later.
    Later,
}

impl Part {
    pub(super) const ALL: [Self; 5] = [
        Self::Emergencies,
        Self::OwnFollowUps,
        Self::FollowUps,
        Self::Overdue,
        Self::Later,
    ];

    const fn tag(self) -> char {
        match self {
            Self::Emergencies => 'e',
            Self::OwnFollowUps => 'm',
            Self::FollowUps => 'f',
            Self::Overdue => 'o',
            Self::Later => 'l',
        }
    }

    pub(super) const fn order(self) -> Order {
        match self {
            Self::Overdue => Order::NewestFirst,
            _ => Order::OldestFirst,
        }
    }

    pub(super) const fn is_of_follow_ups(self) -> bool {
        matches!(self, Self::OwnFollowUps | Self::FollowUps)
    }

    /// Whether the requests that ask for a call, or the others, can be in this part.
    pub(super) const fn has(self, emergency: bool) -> bool {
        emergency || !matches!(self, Self::Emergencies)
    }
}

/// The end of a page: the part, the due time of its last request in the unit of `seq`, the clock of
/// that request, and the time of the first page, which decides what is overdue on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub part: Part,
    pub due: i64,
    pub clock: DueClock,
    pub now: Time,
}

/// What a request waits for. Of requests that are due at the same time, the first ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DueClock {
    /// A call right away.
    Emergency,
    /// The first answer.
    First,
    /// The answer to a further message.
    Next,
}

impl DueClock {
    const fn digit(self) -> i64 {
        match self {
            Self::Emergency => 1,
            Self::First => 0,
            Self::Next => 2,
        }
    }

    pub(super) const fn of(request: &Request) -> Self {
        match (request.unanswered, request.answered_at) {
            (Some(_), Some(_)) => Self::Next,
            _ if request.emergency_contact => Self::Emergency,
            _ => Self::First,
        }
    }
}

impl Position {
    pub(super) fn format(self) -> String {
        let Self { part, due, now, .. } = self;
        let clock = self.clock.digit();
        format!("{}{due}.{clock}.{}", part.tag(), now.millis())
    }

    pub(super) fn parse(cursor: &str) -> Option<Self> {
        let part = Part::ALL
            .into_iter()
            .find(|part| cursor.starts_with(part.tag()))?;
        let mut fields = cursor[1..].split('.').map(str::parse::<i64>);
        let mut next = || fields.next()?.ok();
        let (due, clock, now) = (next()?, next()?, next()?);
        let clock = [DueClock::Emergency, DueClock::First, DueClock::Next]
            .into_iter()
            .find(|known| known.digit() == clock)?;
        // Bounds within which due times cannot overflow.
        let bounds = 0..1_i64 << 60;
        let is_valid = bounds.contains(&due) && (0..1 << 50).contains(&now);
        (is_valid && fields.next().is_none()).then(|| Self {
            part,
            due,
            clock,
            now: Time::from_millis(now),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DueClock, Part, Position};
    use domain::clock::Time;

    proptest! {
        #[test]
        fn a_position_is_read_as_it_was_written(
            part in 0..5_usize, due in 0..1_i64 << 60, clock in 0..3_usize, now in 0..1_i64 << 50,
        ) {
            let now = Time::from_millis(now);
            let clock = [DueClock::Emergency, DueClock::First, DueClock::Next][clock];
            let position = Position { part: Part::ALL[part], due, clock, now };
            prop_assert_eq!(Position::parse(&position.format()), Some(position));
        }

        #[test]
        fn a_text_is_rejected_or_names_a_position(text in "[emfol0-9.-]{0,40}|.*") {
            if let Some(position) = Position::parse(&text) {
                prop_assert_eq!(Position::parse(&position.format()), Some(position));
            }
        }
    }
}

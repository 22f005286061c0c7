//! The order of "Needs attention": emergencies without a call that reached the customer, earliest
//! due first; then due follow-ups, those of the reader first; then overdue requests, newest due
//! first; then the rest, earliest due first. A further message of the customer has its own due time.

use rusqlite::Connection;

use crate::domain::clock::Time;
use crate::domain::ids::SEQS_PER_MILLI;
use crate::domain::request::Request;
use crate::store::Result;
use crate::store::lists::filter::{FollowUps, RequestFilter, SeqRange};
use crate::store::lists::query::{InboxQuery, Page, foreign_cursor, paginate};
use crate::store::lists::walk::{Order, Source, first};
use crate::store::search::prefix_condition;

/// A part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
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
    const ALL: [Self; 5] = [
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

    const fn order(self) -> Order {
        match self {
            Self::Overdue => Order::NewestFirst,
            _ => Order::OldestFirst,
        }
    }

    /// Whether the requests that ask for a call, or the others, can be in this part.
    const fn has(self, emergency: bool) -> bool {
        emergency || !matches!(self, Self::Emergencies)
    }
}

/// The end of a page: the part, the due time of its last request in the unit of `seq`, the clock of that
/// request, and the time of the first page, which decides what is overdue on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    part: Part,
    due: i64,
    clock: DueClock,
    now: Time,
}

/// What a request waits for. Of requests that are due at the same time, the first ones come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DueClock {
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

    const fn of(request: &Request) -> Self {
        match (request.unanswered, &request.answered_at) {
            (Some(_), Some(_)) => Self::Next,
            _ if request.emergency_contact => Self::Emergency,
            _ => Self::First,
        }
    }
}

impl Position {
    fn format(self) -> String {
        let Self { part, due, now, .. } = self;
        let clock = self.clock.digit();
        format!("{}{due}.{clock}.{}", part.tag(), now.millis())
    }

    fn parse(cursor: &str) -> Option<Self> {
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

/// A page of open requests that need attention, and the FTS5 condition of the last term.
pub(in crate::store) fn by_urgency(
    conn: &Connection,
    query: &InboxQuery,
    terms: &[String],
) -> Result<(Page, Option<String>)> {
    let cursor = query.cursor.as_deref();
    let position = cursor.map(|cursor| Position::parse(cursor).ok_or_else(foreign_cursor));
    let position = position.transpose()?;
    let (whole, condition) = match terms.split_last() {
        Some((last, whole)) => (whole, Some(prefix_condition(conn, last)?)),
        None => (&[][..], None),
    };
    let now = position.map_or(query.filter.now, |position| position.now);
    let mut rows: Vec<Request> = Vec::new();
    for part in Part::ALL {
        let missing = (query.limit + 1).saturating_sub(rows.len());
        let is_past = position.is_some_and(|position| part < position.part);
        if missing == 0 || is_past {
            continue;
        }
        let mut found = Vec::new();
        for emergency in [true, false] {
            let Some(filter) = narrowed(&query.filter, part, emergency, now) else {
                continue;
            };
            let source = Source::of(&filter, whole, condition.as_deref());
            let range = rest(&filter, part, emergency, position);
            let order = (range, part.order());
            found.extend(first(conn, &filter, &source, order, missing)?);
        }
        found.extend(written(
            conn,
            query,
            (whole, condition.as_deref()),
            part,
            (position, now),
        )?);
        found.sort_by_key(|request| {
            let due = due(&query.filter, request);
            let due = if part.order() == Order::NewestFirst {
                -due
            } else {
                due
            };
            (due, DueClock::of(request))
        });
        found.truncate(missing);
        rows.extend(found);
    }
    let cursor = |last: &Request| {
        let filter = RequestFilter {
            now,
            ..query.filter.clone()
        };
        let position = Position {
            part: part_of(&filter, last),
            due: due(&filter, last),
            clock: DueClock::of(last),
            now,
        };
        position.format()
    };
    Ok((paginate(rows, query.limit, cursor), condition))
}

/// The requests of a part whose customer waits for an answer to a further message. They are few, and in
/// another order than their `seq`.
fn written(
    conn: &Connection,
    query: &InboxQuery,
    (whole, condition): (&[String], Option<&str>),
    part: Part,
    (position, now): (Option<Position>, Time),
) -> Result<Vec<Request>> {
    if !matches!(part, Part::Overdue | Part::Later) {
        return Ok(Vec::new());
    }
    let filter = RequestFilter {
        written: Some(true),
        follow_up: Some(FollowUps::NotDue),
        now,
        ..query.filter.clone()
    };
    let source = Source::of(&filter, whole, condition);
    let order = (filter.range(), Order::OldestFirst);
    let mut found = first(conn, &filter, &source, order, usize::MAX)?;
    let position = position.filter(|last| last.part == part);
    found.retain(|request| {
        let due = due(&filter, request);
        let is_after = position.is_none_or(|last| match part.order() {
            Order::OldestFirst => (due, DueClock::Next) > (last.due, last.clock),
            Order::NewestFirst => (-due, DueClock::Next) > (-last.due, last.clock),
        });
        part_of(&filter, request) == part && is_after
    });
    Ok(found)
}

/// The filter of the requests of a part that ask for a call, or do not; `None` if there are none.
fn narrowed(
    filter: &RequestFilter,
    part: Part,
    emergency: bool,
    now: Time,
) -> Option<RequestFilter> {
    let is_asked = filter.emergency.is_none_or(|asked| asked == emergency);
    (is_asked && part.has(emergency)).then(|| RequestFilter {
        emergency: Some(emergency),
        answered: emergency.then_some(part != Part::Emergencies),
        written: matches!(part, Part::Overdue | Part::Later).then_some(false),
        follow_up: match part {
            Part::Emergencies => None,
            Part::OwnFollowUps => Some(FollowUps::DueOf(filter.viewer.clone())),
            Part::FollowUps => Some(FollowUps::DueOfOthers(filter.viewer.clone())),
            Part::Overdue | Part::Later => Some(FollowUps::NotDue),
        },
        now,
        ..filter.clone()
    })
}

fn part_of(filter: &RequestFilter, request: &Request) -> Part {
    let emergency = request.emergency_contact;
    let is_overdue = match request.awaited_message() {
        Some(message) => message < filter.next_overdue_end(),
        None => request.seq < filter.overdue_end(emergency),
    };
    match is_overdue {
        _ if emergency && request.answered_at.is_none() => Part::Emergencies,
        _ if request.follow_up_due => match request.follow_up_by.as_deref() {
            Some(by) if by == filter.viewer => Part::OwnFollowUps,
            _ => Part::FollowUps,
        },
        true => Part::Overdue,
        false => Part::Later,
    }
}

/// The `seq` of a part that follow the last request of the previous page. Among requests that are
/// due at the same time, emergencies come first.
fn rest(
    filter: &RequestFilter,
    part: Part,
    emergency: bool,
    position: Option<Position>,
) -> SeqRange {
    let end = filter.overdue_end(emergency);
    let range = match part {
        Part::Emergencies | Part::OwnFollowUps | Part::FollowUps => filter.range(),
        Part::Overdue => filter.range().below(end),
        Part::Later => filter.range().above(end - 1),
    };
    let Some(last) = position.filter(|last| last.part == part) else {
        return range;
    };
    let same_due = last.due - seqs_until_due(filter, emergency);
    let comes_later = last.clock == DueClock::Emergency && !emergency;
    match (part.order(), comes_later) {
        (Order::OldestFirst, false) => range.above(same_due),
        (Order::OldestFirst, true) => range.above(same_due - 1),
        (Order::NewestFirst, false) => range.below(same_due),
        (Order::NewestFirst, true) => range.below(same_due + 1),
    }
}

/// The due time of a request in the unit of `seq`.
fn due(filter: &RequestFilter, request: &Request) -> i64 {
    if let Some(message) = request.awaited_message() {
        return message + filter.times.next_millis() * SEQS_PER_MILLI;
    }
    request.seq + seqs_until_due(filter, request.emergency_contact)
}

fn seqs_until_due(filter: &RequestFilter, emergency: bool) -> i64 {
    filter.times.millis(emergency) * SEQS_PER_MILLI
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DueClock, Part, Position};
    use crate::domain::clock::Time;

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

//! The order of "Needs attention": emergencies without a call that reached the customer, earliest
//! due first; then due follow-ups, those of the reader first; then overdue requests, newest due
//! first; then the rest, earliest due first. A further message of the customer has its own due
//! time.

use rusqlite::Connection;

use crate::Result;
use crate::lists::filter::{FollowUps, RequestFilter, SeqRange};
use crate::lists::query::{InboxQuery, Page, foreign_cursor, paginate};
use crate::lists::urgency_position::{DueClock, Part, Position};
use crate::lists::walk::{Order, Words, first};
use domain::ids::SEQS_PER_MILLI;
use domain::request::Request;

/// A page of open requests that need attention.
pub(crate) fn by_urgency(
    conn: &Connection,
    query: &InboxQuery,
    words: Option<&Words>,
) -> Result<Page> {
    let cursor = query.cursor.as_deref();
    let position = cursor.map(|cursor| Position::parse(cursor).ok_or_else(foreign_cursor));
    let position = position.transpose()?;
    let now = position.map_or(query.filter.now, |position| position.now);
    let filter = RequestFilter {
        now,
        ..query.filter.clone()
    };
    let written = written(conn, &filter, words)?;
    let is_past_follow_ups = position.is_some_and(|position| position.part > Part::FollowUps);
    let has_due_follow_ups = !is_past_follow_ups && has_due_follow_ups(conn, &filter, words)?;
    let mut rows: Vec<Request> = Vec::new();
    for part in Part::ALL {
        let missing = (query.limit + 1).saturating_sub(rows.len());
        let is_past = position.is_some_and(|position| part < position.part);
        let is_empty = part.is_of_follow_ups() && !has_due_follow_ups;
        if missing == 0 || is_past || is_empty {
            continue;
        }
        let mut found = Vec::new();
        for emergency in [true, false] {
            let Some(of_part) = narrowed(&filter, part, emergency) else {
                continue;
            };
            let range = rest(&of_part, part, emergency, position);
            let order = part.order();
            found.extend(first(conn, &of_part, words, range, order, missing)?);
        }
        let written = written.iter();
        let written = written.filter(|request| is_rest(&filter, request, part, position));
        found.extend(written.cloned());
        found.sort_by_key(|request| {
            let due = due(&filter, request);
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
        let position = Position {
            part: part_of(&filter, last),
            due: due(&filter, last),
            clock: DueClock::of(last),
            now,
        };
        position.format()
    };
    Ok(paginate(rows, query.limit, cursor))
}

/// The requests whose customer waits for an answer to a further message. They are few, and in
/// another order than their `seq`.
fn written(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<&Words>,
) -> Result<Vec<Request>> {
    let filter = RequestFilter {
        written: Some(true),
        follow_up: Some(FollowUps::NotDue),
        ..filter.clone()
    };
    let (range, order) = (filter.range(), Order::OldestFirst);
    first(conn, &filter, words, range, order, usize::MAX)
}

/// Whether a request of `written` is in this part, after the last request of the previous page.
fn is_rest(
    filter: &RequestFilter,
    request: &Request,
    part: Part,
    position: Option<Position>,
) -> bool {
    let due = due(filter, request);
    let position = position.filter(|last| last.part == part);
    let is_after = position.is_none_or(|last| match part.order() {
        Order::OldestFirst => (due, DueClock::Next) > (last.due, last.clock),
        Order::NewestFirst => (-due, DueClock::Next) > (-last.due, last.clock),
    });
    matches!(part, Part::Overdue | Part::Later) && part_of(filter, request) == part && is_after
}

/// Whether any follow-up is due. Mostly none is, and the two parts of them take four queries.
fn has_due_follow_ups(
    conn: &Connection,
    filter: &RequestFilter,
    words: Option<&Words>,
) -> Result<bool> {
    let filter = RequestFilter {
        follow_up: Some(FollowUps::Due),
        ..filter.clone()
    };
    let (range, order) = (filter.range(), Order::OldestFirst);
    let found = first(conn, &filter, words, range, order, 1)?;
    Ok(!found.is_empty())
}

/// The filter of the requests of a part that ask for a call, or do not; `None` if there are none.
fn narrowed(filter: &RequestFilter, part: Part, emergency: bool) -> Option<RequestFilter> {
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
        _ if request.is_follow_up_due() => match &request.follow_up {
            Some(reminder) if reminder.by.id == filter.viewer => Part::OwnFollowUps,
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

//! The orders of lists, and their pages: a page continues after the keys of the last request of the
//! page before.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::conditions::Conditions;
use super::filter::RequestFilter;
use super::query::{InboxQuery, SortKey};
use super::selection::{MAX_FOUND, Selection};
use crate::request::columns::{columns, read_request};
use crate::{Error, Result};
use domain::clock::Time;
use domain::request::Request;

/// A page of a list.
pub(crate) struct Page {
    pub requests: Vec<Request>,
    /// The cursor of the next page; `None` on the last.
    pub next_cursor: Option<String>,
}

/// The end of a page: the time of the first page, which decides what is overdue on all pages, and
/// the keys of the last request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Position {
    pub now: Time,
    keys: Vec<Value>,
}

impl InboxQuery {
    /// The order: as it is asked for, or the most urgent first with `attention`, or newest first.
    fn order(&self) -> (String, bool) {
        match self.sort {
            Some(sort) => (sort.to_string(), sort.is_descending),
            None if self.filter.attention == Some(true) => ("urgency".to_owned(), false),
            None => ("newest".to_owned(), true),
        }
    }

    /// Whether the first page has the newest, of which a search finds a thousand.
    pub(crate) fn is_newest_first(&self) -> bool {
        let (_, is_descending) = self.order();
        let is_by_receipt = self.sort.is_none_or(|sort| sort.key == SortKey::Received);
        is_by_receipt && is_descending && self.limit < MAX_FOUND
    }

    /// The values by which the list is ordered before `seq`, none of them null.
    fn keys(&self, filter: &RequestFilter, all: &mut Conditions) -> Vec<String> {
        let Some(sort) = self.sort else {
            return match filter.attention {
                Some(true) => filter.urgency(all),
                _ => Vec::new(),
            };
        };
        // Requests without the key come last in both directions.
        let (none, no_text) = match sort.is_descending {
            true => (i64::MIN, ""),
            false => (i64::MAX, "~"),
        };
        let key = match sort.key {
            SortKey::Received => return Vec::new(),
            SortKey::Due => filter.due(),
            SortKey::Start => format!("coalesce(nullif(start_date, ''), '{no_text}')"),
            SortKey::Value => format!(
                "coalesce(iif(open = 0 OR outcome = 'won', outcome_cents, NULL),
                   (SELECT total_cents FROM offers JOIN offer_states USING (number, version)
                    WHERE offers.seq = requests.seq ORDER BY sent_at DESC, number DESC LIMIT 1),
                   {none})"
            ),
        };
        vec![key]
    }

    /// The end of the page before; `None` for a first page. Errors: `Conflict` for a cursor of
    /// another list.
    pub(crate) fn position(&self) -> Result<Option<Position>> {
        let Some(cursor) = &self.cursor else {
            return Ok(None);
        };
        let position = read_cursor(&self.order().0, cursor);
        position.map(Some).ok_or_else(foreign_cursor)
    }

    /// A page of the requests that are selected by `filter`, which has the time of the first page.
    pub(crate) fn page(
        &self,
        conn: &Connection,
        filter: &RequestFilter,
        selection: Selection,
        position: Option<&Position>,
    ) -> Result<Page> {
        let (name, is_descending) = self.order();
        let (direction, after) = match is_descending {
            true => ("DESC", "<"),
            false => ("ASC", ">"),
        };
        let Selection { from, mut all, seq } = selection;
        let keys = self.keys(filter, &mut all);
        let names: String = (0..keys.len()).map(|n| format!("key{n}, ")).collect();
        let selected = keys.iter().enumerate();
        let selected: String = selected
            .map(|(n, key)| format!("{key} AS key{n}, "))
            .collect();
        let conditions = all.sql();
        if position.is_some_and(|last| last.keys.len() != keys.len() + 1) {
            return Err(foreign_cursor());
        }
        let after = match position {
            Some(Position { keys: last, .. }) => {
                let last: Vec<_> = last.iter().map(|key| all.parameter(key.clone())).collect();
                format!("({names}at) {after} ({})", last.join(", "))
            }
            None => "TRUE".to_owned(),
        };
        let limit = all.parameter(i64::try_from(self.limit).unwrap_or(i64::MAX - 1) + 1);
        let order = format!(
            "{}at {direction}",
            names.replace(',', &format!(" {direction},"))
        );
        let listed = match keys.is_empty() {
            true => format!("SELECT {seq} AS at FROM {from} WHERE {conditions} AND {after}"),
            // In the direction of the list: SQLite keeps the first rows of the page, and the fewest
            // come to them later. It keeps the order of a subquery that has a limit.
            false => format!(
                "SELECT * FROM (SELECT {selected}{seq} AS at FROM {from} WHERE {conditions}
                   ORDER BY {seq} {direction} LIMIT -1) WHERE {after}"
            ),
        };
        let sql = format!(
            "SELECT {}, {names}at FROM ({listed} ORDER BY {order} LIMIT {limit} + 0)
             CROSS JOIN requests ON requests.seq = at ORDER BY {order}",
            columns!()
        );
        let mut find = conn.prepare_cached(&sql)?;
        let first = find.column_count() - keys.len() - 1;
        let read = |row: &Row<'_>| {
            let keys = (first..=first + keys.len()).map(|column| row.get::<_, Value>(column));
            Ok((
                read_request(row)?,
                keys.collect::<rusqlite::Result<Vec<_>>>()?,
            ))
        };
        let mut rows = find
            .query_map(params_from_iter(all.values), read)?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let has_more = rows.len() > self.limit;
        rows.truncate(self.limit);
        let last = rows.last().filter(|_| has_more);
        let next_cursor = last.map(|(_, keys)| write_cursor(&name, filter.now, keys));
        Ok(Page {
            requests: rows.into_iter().map(|(request, _)| request).collect(),
            next_cursor,
        })
    }
}

fn foreign_cursor() -> Error {
    Error::Conflict("this cursor does not belong to this list".into())
}

fn write_cursor(name: &str, now: Time, keys: &[Value]) -> String {
    let key = |key: &Value| match key {
        Value::Integer(number) => format!(".{number}"),
        Value::Text(text) => format!(".{text}"),
        _ => ".".to_owned(),
    };
    let keys: String = keys.iter().map(key).collect();
    format!("{name}.{}{keys}", now.millis())
}

fn read_cursor(name: &str, cursor: &str) -> Option<Position> {
    let rest = cursor.strip_prefix(name)?.strip_prefix('.')?;
    let (now, keys) = rest.split_once('.')?;
    let key = |key: &str| match key.parse() {
        Ok(number) => Value::Integer(number),
        Err(_) => Value::Text(key.to_owned()),
    };
    let now = now.parse().ok()?;
    // Within these bounds due times cannot overflow.
    (0..1 << 50).contains(&now).then(|| Position {
        now: Time::from_millis(now),
        keys: keys.split('.').map(key).collect(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Position, Value, read_cursor, write_cursor};
    use domain::clock::Time;

    proptest! {
        #[test]
        fn a_cursor_is_valid_for_its_own_order_only(
            now in 0..1_i64 << 50, keys in prop::collection::vec(any::<i64>(), 1..5),
        ) {
            let mut keys: Vec<_> = keys.into_iter().map(Value::Integer).collect();
            keys.push(Value::Text("2026-11-21".to_owned()));
            let now = Time::from_millis(now);
            let cursor = write_cursor("-due", now, &keys);
            prop_assert_eq!(read_cursor("-due", &cursor), Some(Position { now, keys }));
            prop_assert_eq!(read_cursor("due", &cursor), None);
            prop_assert_eq!(read_cursor("newest", &cursor), None);
        }

        #[test]
        fn a_text_is_rejected_or_names_a_position(text in "due[0-9.-]{0,40}|.*") {
            if let Some(Position { now, keys }) = read_cursor("due", &text) {
                let written = write_cursor("due", now, &keys);
                prop_assert!(read_cursor("due", &written).is_some());
            }
        }
    }
}

//! The orders of lists, and their pages: a page continues after the keys of the last request of the
//! page before.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::conditions::{Conditions, HAS_DUE_TIME};
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

    /// The index that has the closed requests, which are many, in this order.
    fn index_of_closed(&self) -> Option<&'static str> {
        match self.sort?.key {
            SortKey::Start => Some("requests_closed_by_start"),
            SortKey::Value => Some("requests_closed_by_value"),
            SortKey::Received | SortKey::Due => None,
        }
    }

    /// The values by which the list is ordered before `seq`, and that a request has them: those
    /// without come last in both directions.
    fn keys(&self, filter: &RequestFilter, all: &mut Conditions) -> (Vec<String>, String) {
        let key = |key: &str, condition: &str| (vec![key.to_owned()], condition.to_owned());
        match self.sort.map(|sort| sort.key) {
            None if filter.attention == Some(true) => (filter.urgency(all), "TRUE".to_owned()),
            None | Some(SortKey::Received) => (Vec::new(), "FALSE".to_owned()),
            Some(SortKey::Due) => (vec![filter.due()], format!("({HAS_DUE_TIME})")),
            Some(SortKey::Start) => key("start_date", "(start_date > '')"),
            Some(SortKey::Value) => key("value_cents", "(value_cents IS NOT NULL)"),
        }
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
        mut selection: Selection,
        position: Option<&Position>,
    ) -> Result<Page> {
        let (keys, has_keys) = self.keys(filter, &mut selection.all);
        if position.is_some_and(|last| last.keys.len() != keys.len() + 1) {
            return Err(foreign_cursor());
        }
        let (name, is_descending) = self.order();
        let (direction, after) = match is_descending {
            true => ("DESC", "<"),
            false => ("ASC", ">"),
        };
        let names: String = (0..keys.len()).map(|n| format!("key{n}, ")).collect();
        let order = names.replace(',', &format!(" {direction},")) + &format!("at {direction}");
        let conditions = selection.all.sql();
        let mut after_keys = "TRUE".to_owned();
        let mut after_seq = "TRUE".to_owned();
        if let Some(Position { keys: last, .. }) = position {
            let values = last.iter().map(|key| selection.all.parameter(key.clone()));
            let values: Vec<_> = values.collect();
            after_keys = format!("({names}at) {after} ({})", values.join(", "));
            if keys.is_empty() || last[0] == Value::Null {
                after_seq = format!("at {after} {}", values[keys.len()]);
            }
        }
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX - 1) + 1;
        let limit = format!("LIMIT {} + 0", selection.all.parameter(limit));
        let nulls = names.replace("key", "NULL AS key");
        let no_keys = format!("{has_keys} IS NOT TRUE AND {after_seq}");
        let mut listed = selection.by_receipt(&nulls, &no_keys, direction);
        if !keys.is_empty() {
            let keys = keys.iter().enumerate();
            let keys: String = keys.map(|(n, key)| format!("{key} AS key{n}, ")).collect();
            let Selection { from, seq, .. } = &selection;
            let part = |from: &str, part: &str| {
                format!(
                    "SELECT * FROM (SELECT {keys}{seq} AS at FROM {from} WHERE {conditions}
                       AND {part} AND {has_keys} AND {after_keys} ORDER BY {order} {limit})"
                )
            };
            let index = self.index_of_closed().filter(|_| selection.has_all_closed);
            let sorted = match index {
                Some(index) => {
                    let closed = part(&format!("requests INDEXED BY {index}"), "open = 0");
                    let open = part(from, "open = 1");
                    format!("SELECT * FROM ({closed} UNION ALL {open} ORDER BY {order} {limit})")
                }
                None => part(from, "TRUE"),
            };
            listed = format!("{sorted} UNION ALL SELECT * FROM ({listed} {limit})");
        }
        let sql = format!(
            "SELECT {}, {names}at FROM ({listed} {limit}) CROSS JOIN requests ON requests.seq = at",
            columns!()
        );
        let mut rows = read(conn, &sql, selection.all, keys.len() + 1)?;
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

/// Requests with the last `keys` columns of their rows.
fn read(
    conn: &Connection,
    sql: &str,
    all: Conditions,
    keys: usize,
) -> Result<Vec<(Request, Vec<Value>)>> {
    let mut find = conn.prepare_cached(sql)?;
    let columns = find.column_count();
    let read = |row: &Row<'_>| {
        let keys = (columns - keys..columns).map(|column| row.get(column));
        Ok((read_request(row)?, keys.collect::<rusqlite::Result<_>>()?))
    };
    let rows = find.query_map(params_from_iter(all.values), read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
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
        Err(_) if key.is_empty() => Value::Null,
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

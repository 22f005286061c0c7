//! A list sorted by a property instead of the urgency or the time of receipt. Its requests are
//! sorted for each page, since no index has them in this order; so there is a maximum.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::filter::{RequestFilter, SeqRange};
use super::query::{InboxQuery, Page, Sort, SortKey, foreign_cursor, paginate};
use super::walk::{Order, Source, Words, first, statement};
use crate::inbox::columns::{columns, read_request};
use crate::{Error, Result, query};
use domain::ids::SEQS_PER_MILLI;

impl SortKey {
    /// An integer or null, of a row of `requests`.
    fn sql(self, filter: &RequestFilter) -> String {
        let seqs = |millis: i64| millis * SEQS_PER_MILLI;
        match self {
            Self::Received => "seq".to_owned(),
            // As `AnswerTimes::due_of`. `answered` comes first: the indexes have it, so that the rows
            // of requests without an answer are not read.
            Self::Due => format!(
                "iif(answered = 1 AND unanswered IS NOT NULL, unanswered + {}, \
                 seq + iif(emergency_contact = 1, {}, {}))",
                seqs(filter.times.next_millis()),
                seqs(filter.times.millis(true)),
                seqs(filter.times.millis(false)),
            ),
            Self::Start => "CAST(nullif(replace(start_date, '-', ''), '') AS INTEGER)".to_owned(),
            Self::Value => "coalesce(iif(open = 0 OR outcome = 'won', outcome_cents, NULL), \
                (SELECT total_cents FROM offers JOIN offer_states USING (number, version) \
                 WHERE offers.seq = requests.seq ORDER BY sent_at DESC, number DESC LIMIT 1))"
                .to_owned(),
        }
    }
}

/// Requests that are sorted for a page.
const MAX_SORTED: i64 = 20_000;

/// A page of the requests that pass the filter and have the words, in the order of `sort`. Errors:
/// `Conflict` for a cursor of another list, or if more than `MAX_SORTED` pass.
pub(crate) fn sorted(
    conn: &Connection,
    query: &InboxQuery,
    words: Option<&Words>,
    sort: Sort,
) -> Result<Page> {
    let last = query.cursor.as_deref();
    let last = last.map(|cursor| read_cursor(sort, cursor).ok_or_else(foreign_cursor));
    let last = last.transpose()?;
    if sort.key == SortKey::Received {
        return by_receipt(conn, query, words, sort, last);
    }
    let (filter, range) = (&query.filter, query.filter.range());
    let source = Source::of(conn, filter, words)?;
    if !may_be_sorted(conn, filter, source, range)? {
        return Err(Error::Conflict(
            "More than 20,000 requests: set a filter before you sort them.".into(),
        ));
    }
    let (after, order, none) = match sort.is_descending {
        true => ("<", "DESC", i64::MIN),
        false => (">", "ASC", i64::MAX),
    };
    let select = format!(
        "seq AS at, coalesce({}, {none}) AS key",
        sort.key.sql(filter)
    );
    let (inner, mut values) = statement(&select, filter, source, range);
    let mut bind = |value: i64| {
        values.push(Value::from(value));
        format!("?{}", values.len())
    };
    let is_after = match last {
        Some((key, seq)) => format!("(key, at) {after} ({}, {})", bind(key), bind(seq)),
        None => "TRUE".to_owned(),
    };
    let limit = bind(i64::try_from(query.limit).unwrap_or(i64::MAX - 1) + 1);
    let sql = format!(
        "SELECT {}, key FROM
           (SELECT at, key FROM ({inner}) WHERE {is_after} ORDER BY key {order}, at {order}
            LIMIT {limit} + 0)
         CROSS JOIN requests ON seq = at ORDER BY key {order}, at {order}",
        columns!()
    );
    let mut find = conn.prepare_cached(&sql)?;
    let read = |row: &Row<'_>| Ok((read_request(row)?, row.get("key")?));
    let found = find.query_map(params_from_iter(values), read)?;
    let found = found.collect::<rusqlite::Result<Vec<(_, i64)>>>()?;
    let last_key = query.limit.checked_sub(1).and_then(|last| found.get(last));
    let last_key = last_key.map_or(none, |(_, key)| *key);
    let requests = found.into_iter().map(|(request, _)| request).collect();
    Ok(paginate(requests, query.limit, |last| {
        format!("{sort}.{last_key}.{}", last.seq)
    }))
}

/// The table has this order.
fn by_receipt(
    conn: &Connection,
    query: &InboxQuery,
    words: Option<&Words>,
    sort: Sort,
    last: Option<(i64, i64)>,
) -> Result<Page> {
    let range = query.filter.range();
    let (order, range) = match (sort.is_descending, last) {
        (true, Some((_, seq))) => (Order::NewestFirst, range.below(seq)),
        (true, None) => (Order::NewestFirst, range),
        (false, Some((_, seq))) => (Order::OldestFirst, range.above(seq)),
        (false, None) => (Order::OldestFirst, range),
    };
    let found = first(conn, &query.filter, words, range, order, query.limit + 1)?;
    Ok(paginate(found, query.limit, |last| {
        format!("{sort}.0.{}", last.seq)
    }))
}

/// Whether at most `MAX_SORTED` requests pass.
fn may_be_sorted(
    conn: &Connection,
    filter: &RequestFilter,
    source: Source<'_>,
    range: SeqRange,
) -> Result<bool> {
    let (sql, values) = statement("1", filter, source, range);
    let sql = format!("SELECT count(*) FROM ({sql} LIMIT {})", MAX_SORTED + 1);
    let found: i64 = query::one(conn, &sql, params_from_iter(values), |row| row.get(0))?;
    Ok(found <= MAX_SORTED)
}

/// The key and the `seq` of the last request of the previous page.
fn read_cursor(sort: Sort, cursor: &str) -> Option<(i64, i64)> {
    let rest = cursor.strip_prefix(&sort.to_string())?.strip_prefix('.')?;
    let (key, seq) = rest.split_once('.')?;
    Some((key.parse().ok()?, seq.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{MAX_SORTED, read_cursor, sorted};
    use crate::lists::query::{InboxQuery, Sort};
    use crate::{Error, Store};

    #[test]
    fn a_cursor_belongs_to_one_order() {
        let parse = |text| Sort::parse(text).unwrap();
        assert_eq!(read_cursor(parse("due"), "due.-12.34"), Some((-12, 34)));
        for (sort, cursor) in [
            ("due", "-due.12.34"),
            ("-due", "due.12.34"),
            ("start", "due.12.34"),
            ("due", "due.12"),
            ("due", "due.12.34.56"),
            ("due", "t34"),
        ] {
            assert_eq!(read_cursor(parse(sort), cursor), None, "{sort} {cursor}");
        }
        for text in ["", "-", "--due", "name", "due "] {
            assert_eq!(Sort::parse(text), None, "{text}");
        }
    }

    #[tokio::test]
    async fn more_requests_than_the_maximum_are_not_sorted_but_by_receipt() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let fill = move |conn: &Connection| {
            conn.execute(
                "WITH RECURSIVE n (seq) AS
                   (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq <= ?1)
                 INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, first_name,
                   last_name, email, phone, service)
                 SELECT seq, 'message', seq, '', '2026-11-21', '2026-11-21', '', '', '', '', ''
                 FROM n",
                [MAX_SORTED],
            )?;
            Ok(())
        };
        store.write(fill).await.unwrap();
        let query = InboxQuery {
            limit: 2,
            ..InboxQuery::default()
        };
        let read = move |conn: &Connection| {
            let page = |text| sorted(conn, &query, None, Sort::parse(text).unwrap());
            let refused = page("due");
            assert!(matches!(refused, Err(Error::Conflict(_))));
            let oldest = page("received")?;
            assert_eq!(oldest.next_cursor.as_deref(), Some("received.0.2"));
            conn.execute("DELETE FROM requests WHERE seq = 1", [])?;
            let due = page("due")?;
            assert_eq!(due.requests.first().map(|first| first.seq), Some(2));
            Ok(())
        };
        store.write(read).await.unwrap();
    }
}

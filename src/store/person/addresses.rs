//! The email addresses that a request has had: the office may have corrected them.

use rusqlite::{Connection, params};

use crate::database::row::read_row;
use crate::{Result, query};

/// An edit of the address of a request.
struct AddressEdit {
    event: i64,
    from: String,
    to: String,
}

/// The `seq` of each request that had this address (lower case) at some time before the event
/// `last`.
pub(super) fn requests_of(conn: &Connection, email: &str, last: i64) -> Result<Vec<i64>> {
    let mut find = conn.prepare(
        "SELECT seq, email FROM requests WHERE seq < ?2 AND (email = ?1 COLLATE NOCASE
           OR seq IN (SELECT seq FROM events WHERE verb = 'edited'
             AND ?1 IN (lower(detail ->> '$.from.email'), lower(detail ->> '$.to.email'))))",
    )?;
    let candidates = find.query_map(params![email, last], |row| row.try_into())?;
    let mut found = Vec::new();
    for candidate in candidates.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
        let (seq, present) = candidate;
        if had(&edits(conn, seq)?, &present, email, last) {
            found.push(seq);
        }
    }
    Ok(found)
}

/// Every other address that a request has had, in lower case.
pub(super) fn former(conn: &Connection, seq: i64) -> Result<Vec<String>> {
    let found = edits(conn, seq)?.into_iter();
    let both = found.flat_map(|edit| [edit.from, edit.to]);
    Ok(both.filter(|address| !address.is_empty()).collect())
}

/// Whether a request, whose address is `present`, had `email` before the event `last`.
fn had(edits: &[AddressEdit], present: &str, email: &str, last: i64) -> bool {
    let is_it = |address: &str| address.eq_ignore_ascii_case(email);
    let (before, after): (Vec<_>, Vec<_>) = edits.iter().partition(|edit| edit.event < last);
    let then = after.first().map_or(present, |edit| &edit.from);
    is_it(then)
        || before
            .iter()
            .any(|edit| is_it(&edit.from) || is_it(&edit.to))
}

/// The edits of the address of a request, oldest first; an undo is one too.
fn edits(conn: &Connection, seq: i64) -> Result<Vec<AddressEdit>> {
    let sql =
        "SELECT id, lower(detail ->> '$.from.email') AS old, lower(detail ->> '$.to.email') AS new
        FROM events
        WHERE seq = ?1 AND (verb = 'edited' OR verb = 'undone' AND detail ->> 'verb' = 'edited')
          AND detail ->> '$.to.email' IS NOT NULL
        ORDER BY id";
    let read = read_row!(AddressEdit => event: "id", from: "old", to: "new");
    query::all(conn, sql, [seq], read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_counts_if_the_request_had_it_by_then() {
        let edit = |event, from: &str, to: &str| AddressEdit {
            event,
            from: from.into(),
            to: to.into(),
        };
        let edits = [edit(10, "ana@a", "ann@a"), edit(20, "ann@a", "zoe@b")];
        for (address, last, expected) in [
            ("ana@a", 5, true),
            ("ann@a", 5, false),
            ("ANN@A", 15, true),
            ("ana@a", 15, true),
            ("zoe@b", 15, false),
            ("zoe@b", 25, true),
            ("ana@a", 25, true),
        ] {
            let found = had(&edits, "zoe@b", address, last);
            assert_eq!(found, expected, "{address} {last}");
        }
    }
}

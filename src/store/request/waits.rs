//! What of a request waits for the office (`domain::request::waits`): no other file writes its
//! columns. They are computed anew when an event that counts is recorded (`events::record`), and
//! after each change of the state of an email, of what was opened or confirmed, and of a merge.

use rusqlite::{Connection, Params, params};

use super::event_row;
use crate::{Result, query};
use domain::clock::Time;
use domain::request::waits::{Family, Waits};

/// The request at `?1` and its duplicates, with theirs.
macro_rules! with_family {
    ($statement:literal) => {
        concat!(
            "WITH RECURSIVE family (seq, merged_into, wants_call) AS (
               SELECT seq, NULL, emergency_contact FROM requests WHERE seq = ?1
               UNION ALL SELECT requests.seq, requests.merged_into, emergency_contact
                 FROM family JOIN requests ON requests.merged_into = family.seq) ",
            $statement
        )
    };
}

/// The condition that the columns of the request at `?1` are others than the values.
macro_rules! differs {
    () => {
        "seq = ?1 AND (unanswered, unread, answered_at, answered_by, emailed_at, failed_reply)
           IS NOT (?2, ?3, ?4, ?5, ?6, ?7)"
    };
}

/// What waits in a request.
pub(crate) fn of_request(conn: &Connection, seq: i64) -> Result<Waits> {
    let mut family = Family::default();
    let members = with_family!("SELECT seq, merged_into, wants_call FROM family");
    let members: Vec<(i64, Option<i64>, bool)> =
        query::all(conn, members, [seq], |row| row.try_into())?;
    for (member, parent, wants_call) in members {
        match parent {
            Some(parent) => drop(family.parents.insert(member, parent)),
            None => family.wants_call = wants_call,
        }
        family.history.extend(event_row::of_request(conn, member)?);
    }
    family.history.sort_by_key(|event| event.id);
    Ok(family.waits())
}

/// Computes what waits in a request, and in those that show it. Call it inside the `write` job of
/// the change, after it.
pub(crate) fn recompute(conn: &Connection, seq: i64) -> Result<()> {
    let mut next = Some(seq);
    while let Some(seq) = next {
        let sql = concat!(
            "UPDATE requests SET unanswered = ?2, unread = ?3, answered_at = ?4, answered_by = ?5,
               emailed_at = ?6, failed_reply = ?7 WHERE ",
            differs!()
        );
        query::execute(conn, sql, values(conn, seq)?)?;
        let shown_in = "SELECT merged_into FROM requests WHERE seq = ?1";
        next = query::optional(conn, shown_in, [seq], |row| row.get(0))?.flatten();
    }
    Ok(())
}

/// Computes what waits in all requests.
pub(crate) fn recompute_all(conn: &Connection) -> Result<()> {
    let all: Vec<i64> = query::all(conn, "SELECT seq FROM requests", [], |row| row.get(0))?;
    all.into_iter().try_for_each(|seq| recompute(conn, seq))
}

/// The references of the requests whose columns are not what their history says.
pub(crate) fn differing(conn: &Connection) -> Result<Vec<String>> {
    let all = "SELECT seq, reference FROM requests ORDER BY seq";
    let all: Vec<(i64, String)> = query::all(conn, all, [], |row| row.try_into())?;
    let sql = concat!("SELECT 1 FROM requests WHERE ", differs!());
    let mut differing = Vec::new();
    for (seq, reference) in all {
        if query::exists(conn, sql, values(conn, seq)?)? {
            differing.push(reference);
        }
    }
    Ok(differing)
}

/// The values of the columns of a request.
fn values(conn: &Connection, seq: i64) -> Result<impl Params> {
    let waits = of_request(conn, seq)?;
    Ok((
        seq,
        waits.unanswered,
        waits.unread,
        waits.answered_at.map(|at| at.to_string()),
        waits.answered_by,
        waits.emailed_at.map(|at| at.to_string()),
        waits.failed_reply,
    ))
}

/// Marks what the customer has written or accepted, in a request and its duplicates, as opened by a
/// user.
pub(crate) fn mark_opened(conn: &Connection, seq: i64, reader: &str, now: Time) -> Result<()> {
    let sql = with_family!(
        "UPDATE events SET detail = json_set(detail, '$.read_at', ?2, '$.read_by', ?3)
         WHERE seq IN (SELECT seq FROM family) AND detail ->> 'read_at' IS NULL
           AND (verb IN ('wrote', 'settled') OR verb = 'offer_accepted' AND actor IS NULL)"
    );
    query::execute(conn, sql, params![seq, now.to_string(), reader])?;
    recompute(conn, seq)
}

/// Takes back what a user has marked at a time. Call it before the undo is recorded.
pub(crate) fn unmark_opened(conn: &Connection, seq: i64, reader: &str, at: Time) -> Result<()> {
    let sql = with_family!(
        "UPDATE events SET detail = json_remove(detail, '$.read_at', '$.read_by')
         WHERE seq IN (SELECT seq FROM family)
           AND detail ->> 'read_at' = ?2 AND detail ->> 'read_by' = ?3"
    );
    query::run(conn, sql, params![seq, at.to_string(), reader])
}

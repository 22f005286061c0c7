//! Requests: their `seq`, id and reference, and lookups by id.

use std::iter;

use rusqlite::{Connection, params};

use super::columns::{BY_SEQ, DUPLICATES, columns, read_request};
use crate::search::index;
use crate::{Error, Result, Store, existing, query};
use domain::clock::Time;
use domain::ids;
use domain::request::reference;
use domain::request::{Request, RequestKind};

/// Finds a request by its id `?1` and the `seq` that the id encodes, `?2`. Ids from before they
/// encoded it are looked up in `old_request_ids`.
macro_rules! has_id {
    () => {
        "id = ?1 AND seq IN (?2, (SELECT seq FROM old_request_ids WHERE id = ?1))"
    };
}

/// The identifiers of a new request.
pub(crate) struct NewIds {
    pub seq: i64,
    pub id: String,
    /// The number of which the reference is made.
    pub ordinal: i64,
    pub reference: String,
    /// Whether a request with a higher `seq` exists, as after the clock was set back.
    pub is_out_of_order: bool,
}

/// The ids of a request that is received now. Call it inside the `write` job that inserts the
/// request.
pub(crate) fn new_ids(conn: &Connection, now: Time) -> rusqlite::Result<NewIds> {
    let (newest, ordinal, reference) = newest_and_next(conn)?;
    let seq = free_seq(conn, newest, now)?;
    let is_out_of_order = newest > seq;
    if is_out_of_order {
        // The newest request does not tell this number.
        let sql = "UPDATE reference_key SET issued = ?1";
        conn.prepare_cached(sql)?.execute([ordinal])?;
    }
    Ok(NewIds {
        seq,
        id: ids::from_seq(seq).to_string(),
        ordinal,
        reference,
        is_out_of_order,
    })
}

/// A separate function, so that the statement is back in the cache before it is used again: a
/// statement in use would be parsed a second time, which takes longer than the rest of a post.
fn newest_below(conn: &Connection, end: i64) -> rusqlite::Result<i64> {
    conn.prepare_cached("SELECT coalesce(max(seq), -1) FROM requests WHERE seq < ?1")?
        .query_row([end], |row| row.get(0))
}

/// The highest `seq` in use, or -1, and the next number with its reference. The last number is that
/// of the newest request, or `issued`, which has it after a newer one was deleted.
fn newest_and_next(conn: &Connection) -> rusqlite::Result<(i64, i64, String)> {
    let mut find = conn.prepare_cached(
        "SELECT coalesce(seq, -1), max(coalesce(ordinal, 0), issued) + 1, key
         FROM reference_key LEFT JOIN
           (SELECT seq, ordinal FROM requests ORDER BY seq DESC LIMIT 1) ON TRUE",
    )?;
    find.query_row([], |row| {
        let ordinal: i64 = row.get(1)?;
        let key = row.get_ref(2)?.as_blob()?;
        let reference = reference::encode(ordinal.unsigned_abs(), key);
        Ok((row.get(0)?, ordinal, reference))
    })
}

/// The first free `seq` in the millisecond of `now`, so that it sorts as `created_at` does, and
/// then by arrival. If there is none, the one after `newest`, the highest in use; or, if that is
/// more than `BURST` ahead, the first one that is free.
fn free_seq(conn: &Connection, newest: i64, now: Time) -> rusqlite::Result<i64> {
    let mut first = ids::first_seq(now);
    loop {
        let end = first.saturating_add(ids::SEQS_PER_MILLI);
        let last = match newest < end {
            true => newest,
            false => newest_below(conn, end)?,
        };
        let free = first.max(last + 1);
        if free < end {
            return Ok(free);
        }
        if newest < end.saturating_add(BURST) {
            return Ok(newest + 1);
        }
        first = end;
    }
}

/// How far requests of one burst may be ahead of the clock. Later ones exist only after the clock
/// was set back.
const BURST: i64 = 256 * ids::SEQS_PER_MILLI;

const BY_ID: &str = concat!("SELECT ", columns!(), " FROM requests WHERE ", has_id!());

/// The request of a kind with this id. Errors: `Missing` for an unknown id.
pub(crate) fn by_id(conn: &Connection, kind: RequestKind, id: &str) -> Result<Request> {
    let found = of_any_kind(conn, id)?;
    match found.kind == kind {
        true => Ok(found),
        false => Err(Error::Missing),
    }
}

fn of_any_kind(conn: &Connection, id: &str) -> Result<Request> {
    query::one(conn, BY_ID, params![id, ids::seq_of_id(id)], read_request)
}

/// Whether there is a request with this id that passes a condition.
pub(crate) fn exists(conn: &Connection, id: &str, condition: &'static str) -> Result<bool> {
    let sql = format!("SELECT 1 FROM requests WHERE {} AND {condition}", has_id!());
    query::exists(conn, &sql, params![id, ids::seq_of_id(id)])
}

/// The request at this `seq`. Errors: `Missing` if there is none.
pub(crate) fn by_seq(conn: &Connection, seq: i64) -> Result<Request> {
    query::one(conn, BY_SEQ, [seq], read_request)
}

/// The request with this `seq`; `None` without one, or if it was deleted.
pub(crate) fn still_stored(conn: &Connection, seq: Option<i64>) -> Result<Option<Request>> {
    seq.map_or(Ok(None), |seq| existing(by_seq(conn, seq)))
}

/// The request with this id or reference (any case, with or without the prefix); of a duplicate,
/// the request in which it is shown. Errors: `Missing` if there is none.
pub(crate) fn find(conn: &Connection, id_or_reference: &str) -> Result<Request> {
    let mut found = itself(conn, id_or_reference)?;
    while let Some(seq) = found.merged_into {
        found = by_seq(conn, seq)?;
    }
    Ok(found)
}

/// The request with this id or reference, also if it is a duplicate. Errors: `Missing` if there is
/// none.
pub(crate) fn itself(conn: &Connection, id_or_reference: &str) -> Result<Request> {
    match reference::parse(id_or_reference) {
        Some(reference) => by_reference(conn, &reference),
        None => of_any_kind(conn, id_or_reference),
    }
}

/// References are words of the search index; the newest requests may not be indexed yet.
fn by_reference(conn: &Connection, reference: &str) -> Result<Request> {
    let word = reference.rsplit('-').next().unwrap_or_default();
    for seq in index::seqs_with_word(conn, word, "reference", reference)? {
        match by_seq(conn, seq) {
            Ok(request) if request.reference == reference => return Ok(request),
            Ok(_) | Err(Error::Missing) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Missing)
}

impl Store {
    /// The request with this id, also if it is a duplicate. Errors: `Missing` if there is none.
    pub async fn request_itself(&self, id: String) -> Result<Request> {
        self.read(move |conn| itself(conn, &id)).await
    }

    /// The request with this id or reference (any case, with or without the prefix); of a
    /// duplicate, the request in which it is shown. Errors: `Missing` if there is none.
    pub async fn request(&self, id_or_reference: String) -> Result<Request> {
        self.read(move |conn| find(conn, &id_or_reference)).await
    }
}

/// The duplicates that are shown in a request, oldest first, with their own ones.
pub(crate) fn duplicates(conn: &Connection, seq: i64) -> Result<Vec<Request>> {
    let mut all: Vec<Request> = query::all(conn, DUPLICATES, [seq], read_request)?;
    for at in 0..all.len() {
        let further = duplicates(conn, all[at].seq)?;
        all.extend(further);
    }
    all.sort_by_key(|request| request.seq);
    Ok(all)
}

/// A request and its duplicates, with theirs.
pub(crate) fn family(conn: &Connection, seq: i64) -> Result<Vec<i64>> {
    let duplicates = duplicates(conn, seq)?;
    let duplicates = duplicates.iter().map(|request| request.seq);
    Ok(iter::once(seq).chain(duplicates).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_burst_is_stored_in_the_order_of_arrival_and_one_after_it_in_its_own_millisecond() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let now = Time::from_millis(1_800_000_000_000);
        let seqs = move |conn: &Connection| {
            let insert = |at: Time| {
                let ids = new_ids(conn, at)?;
                conn.execute(
                    "INSERT INTO requests (seq, kind, id, reference, created_at, updated_at,
                       first_name, last_name, email, phone, service)
                     VALUES (?1, 'message', ?2, ?3, '', '', '', '', '', '', '')",
                    params![ids.seq, ids.id, ids.reference],
                )?;
                Ok::<_, Error>((ids.seq, ids.is_out_of_order))
            };
            let burst: Result<Vec<_>> = (0..100).map(|_| insert(now)).collect();
            let within = insert(now.plus_millis(3))?;
            let after = insert(now.plus_millis(50))?;
            let hour_ago = insert(now.plus_millis(-3_600_000))?;
            Ok((burst?, within, after, hour_ago))
        };
        let (burst, within, after, hour_ago) = store.write(seqs).await.unwrap();
        let first = ids::first_seq(now);
        let expected: Vec<_> = (first..first + 100).map(|seq| (seq, false)).collect();
        assert_eq!(burst, expected);
        assert_eq!(within, (first + 100, false));
        assert_eq!(after, (ids::first_seq(now.plus_millis(50)), false));
        let hour_ago_seq = ids::first_seq(now.plus_millis(-3_600_000));
        assert_eq!(hour_ago, (hour_ago_seq, true));
    }
}

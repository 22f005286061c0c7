//! The requests of one customer, found by the email address or the phone number.

use rusqlite::{Connection, params};

use super::columns::{columns, read_request};
use crate::search::index;
use crate::{Result, query};
use domain::phone;
use domain::request::Request;

/// Maximum number of other requests of one customer.
const MAX_RELATED: u32 = 20;

/// Whether the customer of a request has sent an earlier one that is not held.
pub(crate) fn has_earlier(conn: &Connection, request: &Request) -> Result<bool> {
    let by_email = "SELECT 1 FROM requests
        WHERE email = ?1 COLLATE NOCASE AND email <> '' AND seq < ?2 AND hidden = 0";
    if query::exists(conn, by_email, params![request.email, request.seq])? {
        return Ok(true);
    }
    let by_number = "SELECT 1 FROM requests WHERE seq < ?1 AND number = ?2 AND hidden = 0
        AND seq IN (SELECT value FROM json_each(?3))";
    let number = phone::e164(&request.phone);
    let seqs = with_number(conn, number.as_deref())?;
    query::exists(conn, by_number, params![request.seq, number, seqs])
}

/// Whether a request from this address was accepted or answered.
pub(crate) fn is_known(conn: &Connection, email: &str) -> Result<bool> {
    let sql =
        "SELECT 1 FROM requests WHERE email = ?1 COLLATE NOCASE AND email <> '' AND hidden = 0
        AND (answered = 1 OR status IN ('in_progress', 'completed'))";
    query::exists(conn, sql, [email])
}

/// The newest other requests of the customer of a request, held ones too.
pub(crate) fn related(conn: &Connection, request: &Request) -> Result<Vec<Request>> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM requests WHERE seq IN (
           SELECT * FROM (SELECT seq FROM requests
             WHERE email = ?2 COLLATE NOCASE AND email <> '' AND seq <> ?1 AND hidden < 2
             ORDER BY seq DESC LIMIT ?4)
           UNION SELECT * FROM (SELECT seq FROM requests
             WHERE number = ?3 AND seq <> ?1 AND hidden < 2
               AND seq IN (SELECT value FROM json_each(?5)) ORDER BY seq DESC LIMIT ?4))
         ORDER BY seq DESC LIMIT ?4"
    );
    let number = phone::e164(&request.phone);
    let seqs = with_number(conn, number.as_deref())?;
    let values = params![request.seq, request.email, number, MAX_RELATED, seqs];
    query::all(conn, sql, values, read_request)
}

/// The `seq` of each request that may have this number, as a JSON array.
fn with_number(conn: &Connection, number: Option<&str>) -> Result<String> {
    let seqs = number.map(|number| {
        let digits = number.trim_start_matches('+');
        index::seqs_with_word(conn, digits, "number", number)
    });
    Ok(serde_json::json!(seqs.transpose()?.unwrap_or_default()).to_string())
}

//! The requests that pass a filter and have the words of a search, as SQL.

use rusqlite::{Connection, Row, params_from_iter};

use super::conditions::Conditions;
use super::filter::{Hidden, RequestFilter};
use super::status_counts::{Counts, StatusCounts};
use crate::request::columns::columns;
use crate::search::{expressions, terms};
use crate::{Result, query};
use domain::request::quote::Status;

/// Requests with the words of a search that are counted.
pub(super) const MAX_FOUND: usize = 1000;
/// Requests that pass a narrow filter, which are found before the words of a search.
const FEW: usize = 5000;

/// What a list is selected from, and by which conditions.
pub(crate) struct Selection {
    pub from: String,
    pub all: Conditions,
    /// The column with the `seq` of a request.
    pub seq: &'static str,
    /// Conditions of its parts, each of which is in the order of receipt.
    parts: &'static [&'static str],
    /// Whether it has all closed requests, or all of a kind or status.
    pub has_all_closed: bool,
}

impl Selection {
    /// The requests that pass a filter: those of the lists are passed over in one index that has
    /// all columns of the filters, the open and the closed ones in the order of receipt.
    pub(crate) fn of(filter: &RequestFilter) -> Self {
        let mut all = filter.conditions();
        let is_listed = filter.hidden == Hidden::No;
        let any = RequestFilter {
            kind: None,
            open: None,
            ..filter.clone()
        };
        let index = match is_listed {
            true => "requests_listed",
            false => {
                all.add("held IS NOT NULL");
                "requests_held"
            }
        };
        Self {
            from: format!("requests INDEXED BY {index}"),
            all,
            seq: "seq",
            parts: match is_listed && filter.is_open().is_none() {
                true => &["open = 0", "open = 1"],
                false => &["TRUE"],
            },
            has_all_closed: is_listed && filter.is_open() != Some(true) && !any.is_narrow(),
        }
    }

    /// Those for which `condition` holds, in the order of receipt: `columns`, each with a comma
    /// after it, and their `seq` as `at`.
    pub(crate) fn by_receipt(&self, columns: &str, condition: &str, direction: &str) -> String {
        let Self {
            from,
            all,
            seq,
            parts,
            ..
        } = self;
        let all = all.sql();
        let parts = parts.iter().map(|part| {
            format!(
                "SELECT {columns}{seq} AS at FROM {from} WHERE {all} AND {part} AND {condition}"
            )
        });
        let parts: Vec<_> = parts.collect();
        format!("{} ORDER BY at {direction}", parts.join(" UNION ALL "))
    }

    /// Those of them with the words of a search, whose counts are the second value; for a first
    /// page that begins with the newest, these suffice. The number of rows that are read is bounded
    /// by the fewer of those with the words and those that pass the filter.
    pub(crate) fn find(
        conn: &Connection,
        filter: &RequestFilter,
        search: &str,
        is_first: bool,
    ) -> Result<(Self, Option<Counts>)> {
        let selection = Self::of(filter);
        let terms = terms(search);
        let Some([exact, words]) = expressions(&terms) else {
            return Ok(match search.trim().is_empty() {
                true => (selection, None),
                // Signs are no words: nothing has them.
                false => (selection.among(&[]), Some(Counts::default())),
            });
        };
        let any_status = || Self::of(&filter.of_any_status());
        let few = match filter.is_narrow() {
            true => Some(any_status().seqs(conn, FEW + 1)?).filter(|few| few.len() <= FEW),
            false => None,
        };
        let words = match has_longer(conn, &terms)? {
            true => words,
            false => exact.clone(),
        };
        let common = |words: &str| any_status().with(words).statuses(conn, MAX_FOUND);
        // FTS5 gathers the rows of all words with a prefix first: not if the word has enough.
        let (words, found) = match &few {
            Some(few) => {
                let found = having(conn, few, &words)?;
                (words, found)
            }
            None => match common(&exact)? {
                found if found.len() == MAX_FOUND || words == exact => (exact, found),
                _ => {
                    let found = common(&words)?;
                    (words, found)
                }
            },
        };
        let mut by_status = StatusCounts::default();
        for (_, status) in &found {
            by_status.add(*status, 1);
        }
        let at_least = few.is_none() && found.len() == MAX_FOUND;
        let counts = Counts {
            by_status,
            at_least,
        };
        // Those that were found are the newest.
        let is_complete = !at_least || (is_first && filter.statuses.is_empty());
        let selection = match is_complete {
            true => selection.among(&found),
            false => selection.with(&words),
        };
        Ok((selection, Some(counts)))
    }

    /// Those of them with the words of an FTS5 query.
    fn with(mut self, words: &str) -> Self {
        self.all.bind("request_words MATCH ?", words.to_owned());
        Self {
            from: "request_words CROSS JOIN requests ON seq = request_words.rowid".to_owned(),
            all: self.all,
            // FTS5 reads its row lists in both orders, and says so of its own column only.
            seq: "request_words.rowid",
            parts: &["TRUE"],
            has_all_closed: false,
        }
    }

    /// Those of them that were found.
    fn among(mut self, found: &[(i64, Status)]) -> Self {
        let seqs: Vec<i64> = found.iter().map(|(seq, _)| *seq).collect();
        self.all
            .bind("seq IN (SELECT value FROM json_each(?))", json(&seqs));
        Self {
            from: "requests".to_owned(),
            parts: &["TRUE"],
            has_all_closed: false,
            ..self
        }
    }

    fn seqs(&self, conn: &Connection, limit: usize) -> Result<Vec<i64>> {
        let Self { from, all, .. } = self;
        let sql = format!("SELECT seq FROM {from} WHERE {} LIMIT {limit}", all.sql());
        query::all(conn, &sql, params_from_iter(&all.values), |row| row.get(0))
    }

    /// The newest, with their status.
    fn statuses(&self, conn: &Connection, limit: usize) -> Result<Vec<(i64, Status)>> {
        let Self { from, all, seq, .. } = self;
        let sql = format!(
            "SELECT {seq}, status FROM {from} WHERE {} ORDER BY {seq} DESC LIMIT {limit}",
            all.sql()
        );
        query::all(conn, &sql, params_from_iter(&all.values), seq_and_status)
    }

    /// The rows of all, oldest first. Until `visit` says false.
    pub(crate) fn each(
        &self,
        conn: &Connection,
        mut visit: impl FnMut(&Row<'_>) -> Result<bool>,
    ) -> Result<()> {
        // SQLite keeps the order of a subquery that has a limit.
        let sql = format!(
            "SELECT {} FROM ({} LIMIT -1) CROSS JOIN requests ON requests.seq = at",
            columns!(),
            self.by_receipt("", "TRUE", "ASC")
        );
        let mut rows = conn.prepare_cached(&sql)?;
        let mut rows = rows.query(params_from_iter(&self.all.values))?;
        while let Some(row) = rows.next()? {
            if !visit(row)? {
                break;
            }
        }
        Ok(())
    }
}

impl RequestFilter {
    pub(super) fn of_any_status(&self) -> Self {
        Self {
            statuses: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether it asks for more than the status.
    fn is_narrow(&self) -> bool {
        let any = Self {
            viewer: self.viewer.clone(),
            times: self.times,
            now: self.now,
            ..Self::default()
        };
        self.of_any_status() != any
    }
}

/// Whether there may be longer words that begin with the last term.
fn has_longer(conn: &Connection, terms: &[String]) -> Result<bool> {
    let last = terms.last().map(|term| term.to_lowercase());
    let Some(last) = last.filter(|term| term.is_ascii()) else {
        return Ok(true);
    };
    let sql = "SELECT 1 FROM request_words_each WHERE term > ?1 AND term < ?2 AND term <> ?1";
    query::exists(conn, sql, [&last, &format!("{last}{}", char::MAX)])
}

/// Those of few requests with the words. They are compared with all rows of the words, which takes
/// less than to look up the words for each.
fn having(conn: &Connection, few: &[i64], words: &str) -> Result<Vec<(i64, Status)>> {
    let sql = "SELECT seq, status FROM requests WHERE seq IN (SELECT rowid FROM request_words
        WHERE request_words MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?2)))";
    query::all(conn, sql, [words, &json(few)], seq_and_status)
}

fn seq_and_status(row: &Row<'_>) -> rusqlite::Result<(i64, Status)> {
    let status = Status::parse(row.get_ref(1)?.as_str()?);
    Ok((row.get(0)?, status.unwrap_or(Status::Pending)))
}

fn json(seqs: &[i64]) -> String {
    serde_json::json!(seqs).to_string()
}

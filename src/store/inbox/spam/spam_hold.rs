//! Decides which submissions are held as spam. `held_requests` handles the held ones.

use rusqlite::{Connection, params};

use crate::database::row;
use crate::request::customers;
use crate::request::events;
use crate::request::events::NewEvent;
use crate::{Result, query};
use domain::clock::Time;
use domain::request::RequestKind;
use domain::request::event::{Event, Held};
use domain::spam;
use domain::spam::recent_texts::RecentTexts;
use domain::spam::{Assessment, Reason};

/// The signals of a submission.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// The signals, whether it is held or not.
    pub reasons: Vec<Reason>,
    /// Whether they hold it.
    pub is_held: bool,
    /// Whether they would hold it if it were not urgent.
    pub is_suspect: bool,
}

impl Judged {
    /// The signals of a request that is not held, as its column stores them.
    pub(crate) fn signals(&self) -> Result<Option<String>> {
        let is_stored = !self.is_held && !self.reasons.is_empty();
        Ok(is_stored.then(|| row::text(&self.reasons)).transpose()?)
    }
}

/// Judges a submission. It is not held if it has too few points, is urgent, or comes from a known
/// customer. Records its text, to be compared with later ones.
pub(crate) fn judge(
    conn: &Connection,
    texts: &mut RecentTexts,
    found: &Assessment,
    client: &str,
) -> Result<Judged> {
    let mut reasons = found.reasons.clone();
    if let Some(text) = found.text_hash {
        reasons.extend(spam::same_text(texts.other_clients(text, client)));
    }
    let is_suspect = spam::is_held(&reasons) && !customers::is_known(conn, &found.email)?;
    Ok(Judged {
        reasons,
        is_held: is_suspect && !found.is_urgent,
        is_suspect,
    })
}

/// Holds a request that was just inserted, and perhaps indexed.
pub(crate) fn hold(
    conn: &Connection,
    kind: RequestKind,
    seq: i64,
    reasons: &[Reason],
    now: Time,
) -> Result<()> {
    let sql = "UPDATE requests SET held = ?2 WHERE seq = ?1";
    let stored = row::text(&reasons)?;
    query::execute(conn, sql, params![seq, stored])?;
    let reasons = serde_json::from_str(&stored).unwrap_or_default();
    let event = NewEvent {
        seq,
        kind,
        actor: None,
        event: &Event::Held(Held { reasons }),
        bulk: None,
    };
    events::record(conn, &event, now).map(drop)
}

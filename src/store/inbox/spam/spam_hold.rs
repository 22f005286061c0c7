//! Decides which submissions are held as spam. `held_requests` handles the held ones.

use std::collections::VecDeque;

use rusqlite::{Connection, params};

use crate::Result;
use crate::database::row;
use crate::inbox::customers;
use crate::inbox::events;
use crate::inbox::events::NewEvent;
use domain::account::Metadata;
use domain::clock::Time;
use domain::request::RequestKind;
use domain::spam;
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

/// Texts that are compared with those of new submissions.
const RECENT_TEXTS: usize = 2048;

/// The newest texts of this process, by their hashes, and who has sent them.
#[derive(Default)]
pub(crate) struct RecentTexts(VecDeque<(u64, String)>);

impl RecentTexts {
    /// The number of other clients that sent this text, counted up to `MANY_CLIENTS`: in a flood of
    /// one text all are equal. Records it.
    fn other_clients(&mut self, text: u64, client: &str) -> usize {
        let mut others = Vec::new();
        for (_, other) in self.0.iter().filter(|(sent, _)| *sent == text) {
            if other != client && !others.contains(&other) {
                others.push(other);
            }
            if others.len() == spam::MANY_CLIENTS {
                break;
            }
        }
        let others = others.len();
        self.0.push_back((text, client.to_owned()));
        if self.0.len() > RECENT_TEXTS {
            self.0.pop_front();
        }
        others
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
    conn.prepare_cached("UPDATE requests SET held = ?2 WHERE seq = ?1")?
        .execute(params![seq, row::text(&reasons)?])?;
    let value = serde_json::to_value(reasons).unwrap_or_default();
    let event = NewEvent {
        seq,
        kind,
        actor: None,
        verb: "held",
        detail: &Metadata::from_iter([("reasons".to_owned(), value)]),
        bulk: None,
    };
    events::record(conn, &event, now).map(drop)
}

#[cfg(test)]
mod tests {
    use super::{RECENT_TEXTS, RecentTexts};

    #[test]
    fn equal_texts_of_other_clients_are_counted_once_per_client() {
        let mut texts = RecentTexts::default();
        for (text, client, others) in [
            (1, "Ann", 0),
            (1, "Bob", 1),
            (1, "Bob", 1),
            (2, "Cem", 0),
            (1, "Dee", 2),
            (1, "Ann", 2),
        ] {
            assert_eq!(texts.other_clients(text, client), others, "{text} {client}");
        }
        (0..RECENT_TEXTS).for_each(|_| {
            texts.other_clients(3, "Flo");
        });
        assert_eq!(texts.other_clients(1, "Eva"), 0, "old texts are dropped");
    }
}

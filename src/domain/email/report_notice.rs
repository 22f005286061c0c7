//! The report of the figures of a week or a month to one person.

use serde::{Deserialize, Serialize};

/// A report, with the texts of the time at which it was due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportNotice {
    /// The recipient.
    pub to: String,
    /// `week` or `month`.
    pub kind: String,
    /// The first and the last day, `YYYY-MM-DD`.
    pub from: String,
    pub until: String,
    /// Name and number of each figure.
    pub facts: Vec<(String, String)>,
    /// What needs doing, a line each.
    pub to_do: Vec<String>,
}

//! The report of the figures of a week or a month to one person.

use serde::{Deserialize, Serialize};

use crate::figures::report::Report;

/// A report to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportNotice {
    /// The recipient.
    pub to: String,
    /// `week` or `month`.
    pub kind: String,
    pub report: Report,
}

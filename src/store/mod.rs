//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub(crate) mod accounts;
mod content;
pub mod database;
mod error;
pub mod inbox;
mod inbox_urgency;
pub mod installation;
pub mod job_requests;
pub mod lists;
pub mod live;
pub(crate) mod outbox;
pub mod person;
mod request_corrections;
mod request_drafts;
pub(crate) mod request_files;
mod request_notes;
mod search;
pub mod storage;
mod submissions;

use std::sync::{Arc, Mutex};

pub use rusqlite::Connection;

use database::health::Health;
use database::readers::Readers;
use database::transactions::read_failed;
use database::writer::Writer;
use live::change_log::ChangeLog;
use outbox::signal::OutboxSignal;
use submissions::index::SubmissionIndex;

pub use accounts::NewUser;
pub use accounts::audit::AuditRow;
pub use accounts::identities::NewIdentity;
pub use accounts::user_list::{UserPage, UserStart};
pub use content::drafts::Draft;
pub use content::publish::{NewVersion, Reason};
pub use content::{Published, Stored, VersionRow};
pub use database::connection::Checkpoints;
pub use database::metrics_queries::Figures;
pub use database::schema::VERSION as SCHEMA_VERSION;
pub use error::{Error, Result, RuleError};
pub use inbox::calls::CallOutcome;
pub use inbox::changes::{Assign, BulkResult, Changed, ChangedRequest, Refusal, RequestUpdate};
pub use inbox::columns::{ExportColumn, INBOX_COLUMNS, MESSAGE_COLUMNS, QUOTE_COLUMNS};
pub use inbox::detail::RequestDetail;
pub use inbox::export::{ExportRow, ExportValue};
pub use inbox::quotes::MoveResult;
pub use inbox::replies::{NewReply, StoredReply};
pub use inbox::undo::{BulkPart, BulkUndo, UndoRefusal};
pub use inbox::writes::Mover;
pub use lists::counts::{Counts, Views};
pub use lists::filter::{Assignee, RequestFilter};
pub use lists::list::InboxPage;
pub use lists::named_filters::NamedFilter;
pub use lists::query::InboxQuery;
pub use lists::quote_list::{QuotePage, QuoteQuery};
pub use live::feed::{Listener, LiveFeed};
pub use outbox::admin::{LATE_AFTER, OutboxCounts, OutboxRow};
pub use outbox::delivery::{ClaimLimits, ClaimedEmail};
pub use outbox::repair::MAX_WAIT_MS;
pub use request_corrections::Correction;
pub use request_drafts::RequestDraft;
pub use storage::buckets::Bucket;
pub use storage::objects::Object;
pub use submissions::{Submission, Submitted};

/// The database: one writer, a few readers. Cheap to clone; dropping the last clone ends the writer
/// thread after its queue is empty.
#[derive(Clone)]
pub struct Store {
    writer: Arc<Writer>,
    readers: Readers,
    health: Arc<Health>,
    outbox_signal: OutboxSignal,
    changes: ChangeLog,
    submission_index: Arc<Mutex<SubmissionIndex>>,
}

impl Store {
    /// Closes the store for all its clones: finishes queued jobs, checkpoints the log into the
    /// database file, and closes every connection. Later calls fail with `Busy`.
    pub async fn close(&self) {
        let writer = self.writer.clone();
        let _ = tokio::task::spawn_blocking(move || writer.close()).await;
    }

    /// Empties the write-ahead log into the database file. Does nothing while another process
    /// reads.
    pub(crate) async fn truncate_log(&self) -> Result<()> {
        let readers = self.readers.clone();
        let work = move || readers.truncate_log();
        tokio::task::spawn_blocking(work)
            .await
            .map_err(read_failed)?
    }

    /// The number of writes that wait for their commit.
    pub fn pending_writes(&self) -> usize {
        self.writer.pending()
    }

    /// Waits until this process has committed a notice since the last call.
    pub async fn outbox_notified(&self) {
        self.outbox_signal.notified().await;
    }

    /// The feed of committed changes.
    pub fn live_feed(&self) -> LiveFeed {
        self.changes.feed()
    }

    /// Waits until sessions, users or their roles may have changed since the last call: a commit of
    /// this process that concerns them, any commit of another process, or `request_access_check`.
    pub async fn access_changed(&self) {
        self.changes.access_changed().await;
    }

    /// Makes `access_changed` return.
    pub fn request_access_check(&self) {
        self.changes.request_access_check();
    }
}

//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub mod access;
pub(crate) mod accounts;
pub(crate) mod audit;
pub(crate) mod buckets;
mod call_clicks;
mod change_log;
pub(crate) mod clock_repair;
mod connection;
mod contacts;
mod content;
mod content_pictures;
pub(crate) mod decoys;
pub mod demo;
mod error;
mod escalations;
pub(crate) mod events;
mod export;
pub(crate) mod factors;
mod figures;
mod files;
mod filter_expression;
pub(crate) mod flows;
mod group_commit;
mod growth;
mod health;
mod held;
mod hold;
pub(crate) mod identities;
mod inbox_counts;
mod inbox_filters;
mod inbox_list;
mod inbox_query;
mod inbox_urgency;
mod inbox_walk;
mod index_merge;
mod index_words;
pub mod inspection;
mod integrity;
pub mod job_requests;
pub mod key_files;
pub mod lead_reserve;
mod license_warnings;
mod live_feed;
pub mod maintenance;
mod media_files;
mod migration_copy;
mod new_rows;
mod notice_split;
pub(crate) mod object_contents;
pub(crate) mod object_list;
pub(crate) mod objects;
pub(crate) mod one_time_tokens;
mod open;
pub(crate) mod outbox;
mod outbox_admin;
mod outbox_delivery;
mod outbox_repair;
mod outbox_retry;
mod outbox_signal;
pub(crate) mod passwords;
pub mod person;
mod prefix;
mod quote_list;
mod quotes;
pub(crate) mod rate_buckets;
mod readers;
mod replies;
mod request_calls;
pub(crate) mod request_changes;
mod request_columns;
mod request_corrections;
mod request_detail;
mod request_drafts;
mod request_emails;
pub(crate) mod request_files;
mod request_filter;
mod request_notes;
mod request_undo;
mod request_writes;
mod requests;
pub mod restored;
pub(crate) mod roles;
mod row;
mod schema;
mod search;
mod search_index;
pub(crate) mod sessions;
pub mod snapshot;
mod submission_index;
mod submissions;
mod transactions;
mod transfer;
pub(crate) mod uploads;
pub(crate) mod used_nonces;
pub(crate) mod user_addresses;
pub(crate) mod user_list;
mod user_row;
mod write_connection;
mod write_job;
mod writer;

use std::sync::{Arc, Mutex};

pub use rusqlite::Connection;

use change_log::ChangeLog;
use health::Health;
use outbox_signal::OutboxSignal;
use readers::Readers;
use submission_index::SubmissionIndex;
use transactions::read_failed;
use writer::Writer;

pub use accounts::NewUser;
pub use audit::AuditRow;
pub use buckets::Bucket;
pub use connection::Checkpoints;
pub use content::drafts::Draft;
pub use content::publish::{NewVersion, Reason};
pub use content::{Published, Stored, VersionRow};
pub use error::{Error, Result, RuleError};
pub use export::{ExportRow, ExportValue};
pub use figures::Figures;
pub use identities::NewIdentity;
pub use inbox_counts::{Counts, Views};
pub use inbox_filters::NamedFilter;
pub use inbox_list::InboxPage;
pub use inbox_query::InboxQuery;
pub use live_feed::{Listener, LiveFeed};
pub use objects::Object;
pub use outbox_admin::{LATE_AFTER, OutboxCounts, OutboxRow};
pub use outbox_delivery::{ClaimLimits, ClaimedEmail};
pub use outbox_repair::MAX_WAIT_MS;
pub use quote_list::{QuotePage, QuoteQuery};
pub use quotes::MoveResult;
pub use replies::{NewReply, StoredReply};
pub use request_calls::CallOutcome;
pub use request_changes::{Assign, BulkResult, Changed, ChangedRequest, Refusal, RequestUpdate};
pub use request_columns::{ExportColumn, INBOX_COLUMNS, MESSAGE_COLUMNS, QUOTE_COLUMNS};
pub use request_corrections::Correction;
pub use request_detail::RequestDetail;
pub use request_drafts::RequestDraft;
pub use request_filter::{Assignee, RequestFilter};
pub use request_undo::{BulkPart, BulkUndo, UndoRefusal};
pub use request_writes::Mover;
pub use schema::VERSION as SCHEMA_VERSION;
pub use submissions::{Submission, Submitted};
pub use user_list::{UserPage, UserStart};

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
    ///
    /// # Errors
    /// The error of the database.
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

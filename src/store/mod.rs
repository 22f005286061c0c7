//! All SQL. `Store` owns the writer thread and the read connections; the files below add methods to
//! it, one file per noun. Nothing here depends on HTTP.

pub(crate) mod accounts;
pub mod backup_places;
mod content;
pub mod database;
mod error;
pub mod inbox;
pub mod installation;
pub mod lists;
pub mod live;
pub(crate) mod outbox;
pub mod person;
mod search;
pub mod storage;
mod submissions;

pub use rusqlite::Connection;

pub use accounts::NewUser;
pub use accounts::audit::AuditRow;
pub use accounts::identities::NewIdentity;
pub use accounts::user_list::{UserPage, UserStart};
pub use content::drafts::Draft;
pub use content::publish::{NewVersion, Reason};
pub use content::schedule::Scheduled;
pub use content::{Published, Stored, VersionRow};
pub use database::connection::Checkpoints;
pub use database::metrics_queries::Figures;
pub use database::schema::VERSION as SCHEMA_VERSION;
pub use database::store::Store;
pub use error::{Error, Result, RuleError};
pub use inbox::calls::CallOutcome;
pub use inbox::changes::{Assign, BulkResult, Changed, ChangedRequest, Refusal, RequestUpdate};
pub use inbox::columns::{ExportColumn, INBOX_COLUMNS, MESSAGE_COLUMNS, QUOTE_COLUMNS};
pub use inbox::corrections::Correction;
pub use inbox::detail::RequestDetail;
pub use inbox::drafts::RequestDraft;
pub use inbox::export::{ExportRow, ExportValue};
pub use inbox::outcomes::NewOutcome;
pub use inbox::quotes::MoveResult;
pub use inbox::replies::{NewReply, StoredReply};
pub use inbox::undo::{BulkPart, BulkUndo, UndoRefusal};
pub use inbox::writes::Actor;
pub use lists::counts::{Counts, Views};
pub use lists::filter::{Assignee, FollowUps, Outcomes, RequestFilter};
pub use lists::list::InboxPage;
pub use lists::named_filters::NamedFilter;
pub use lists::query::InboxQuery;
pub use lists::quote_list::{QuotePage, QuoteQuery};
pub use live::feed::{Listener, LiveFeed};
pub use outbox::admin::{LATE_AFTER, OWN_HEADERS, OutboxCounts, OutboxRow};
pub use outbox::delivery::{ClaimLimits, ClaimedEmail};
pub use outbox::repair::MAX_WAIT_MS;
pub use storage::buckets::Bucket;
pub use storage::objects::Object;
pub use submissions::{Submission, Submitted};

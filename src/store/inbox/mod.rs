//! Requests: quotes, messages, their changes, history, emails and export.

pub(super) mod call_clicks;
pub(super) mod calls;
pub mod changes;
pub mod demo;
pub(super) mod detail;
pub(super) mod drafts;
pub(super) mod escalations;
pub(super) mod export;
pub(super) mod export_columns;
pub mod files;
pub(super) mod messages;
pub(super) mod notes;
pub(super) mod phone_requests;
pub(super) mod quotes;
pub(super) mod replies;
pub(super) mod spam;
pub(crate) mod submissions;

//! Requests: quotes, messages, their changes, history, emails and export.

pub(super) mod call_clicks;
pub mod calls;
pub mod changes;
pub mod demo;
pub mod detail;
pub mod drafts;
pub(super) mod escalations;
pub mod export;
pub mod export_columns;
pub mod files;
pub(super) mod messages;
pub(super) mod notes;
pub mod phone_requests;
pub mod quotes;
pub mod replies;
pub(super) mod spam;
pub mod submissions;

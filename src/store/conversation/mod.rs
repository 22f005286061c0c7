//! What customers write after their request: emails and messages of the status page, in the history
//! of the request.

pub(super) mod bounces;
mod copies;
pub mod forward;
pub(super) mod matching;
pub(super) mod messages;
pub mod received;
pub mod reply_files;
pub mod take_in;
pub mod tries;
pub(super) mod unanswered;
pub mod unmatched;

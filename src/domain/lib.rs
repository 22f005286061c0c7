//! Domain types and rules, a folder for each noun. No SQL, no HTTP, no async code; only `clock`,
//! `ids` and `rate_limit` (a monotonic clock) call the operating system.

pub mod account;
pub mod clock;
pub mod content;
pub mod delivery;
pub mod email;
pub mod figures;
pub mod form;
pub mod ids;
pub mod live;
pub mod offer;
pub mod on_call;
pub mod outage;
pub mod phone;
pub mod program;
pub mod promises;
pub mod rate_limit;
pub mod request;
pub mod sealing;
pub mod sender;
pub mod spam;
pub mod storage;
pub mod text;
mod text_enum;
pub mod us_state;
pub mod webhook;

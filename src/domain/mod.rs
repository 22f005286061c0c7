//! Domain types and rules: forms, quotes, notices, times and ids. No SQL, no HTTP, no async code;
//! only `clock`, `ids` and `rate_limit` (a monotonic clock) call the operating system.

pub mod account;
pub mod attribution;
pub mod clock;
pub mod contact;
pub mod form;
pub mod ids;
pub mod notice;
pub mod quote;
pub mod rate_limit;
pub mod sealing;
pub mod text;

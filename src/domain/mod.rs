//! Domain types and rules: forms, quotes, notices, times and ids. No SQL, no HTTP, no async code;
//! only `clock`, `ids` and `rate_limit` (a monotonic clock) call the operating system.

pub mod account;
pub mod account_email;
pub mod attribution;
pub mod case_link;
pub mod clock;
pub mod contact;
pub mod content;
pub mod due_time;
pub mod event;
pub mod form;
pub mod ids;
pub mod live;
pub mod local_time;
pub mod notice;
pub mod phone;
pub mod quote;
pub mod rate_limit;
pub mod reference;
pub mod reply_template;
pub mod request;
pub mod sealing;
pub mod spam;
pub mod storage;
pub mod text;
pub mod time_zone;
pub mod us_state;

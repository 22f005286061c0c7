//! What the words mean: forms, quotes, notices, times and ids. No SQL, no HTTP, no waiting; only `clock` and `ids` touch the outside.

pub mod account;
pub mod clock;
pub mod contact;
pub mod form;
pub mod ids;
pub mod notice;
pub mod quote;
pub mod visit;

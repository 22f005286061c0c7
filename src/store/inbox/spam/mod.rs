//! Requests that are held as spam: which are, what an admin does to them, and their deletion.

pub(in crate::store) mod held_requests;
mod purge;
pub(in crate::store) mod spam_hold;

//! Requests that are held as spam: which are, what an admin does to them, and their deletion.

pub(crate) mod held_requests;
pub(crate) mod spam_hold;

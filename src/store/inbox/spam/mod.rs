//! Requests that are held as spam.

pub(in crate::store) mod held_requests;
pub(in crate::store) mod spam_hold;

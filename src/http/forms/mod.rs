//! The public forms: submission, posts without JavaScript, attachments, confirmation, and
//! the status page of a request.

pub(super) mod attachments;
pub(super) mod confirmation;
pub mod form_views;
pub(super) mod html_forms;
pub mod paths;
pub(super) mod rejected_form_page;
mod status_message;
pub(super) mod status_page;
pub mod submit;

//! The public forms: submission, posts without JavaScript, attachments, confirmation, and
//! the status page of a request.

pub(super) mod attachments;
pub mod confirmation;
pub mod form_views;
pub mod html_forms;
pub mod paths;
pub(super) mod rejected_form_page;
mod status_files;
mod status_message;
pub mod status_page;
mod status_words;
pub mod submit;

use crate::area;

area! {
    /// What the forms and the status page are made of.
    FormPages: store, clock, time_zone, forms, form_views, limits, bodies, files, pages,
        publisher, answer_times, status_links, offer_keys
}

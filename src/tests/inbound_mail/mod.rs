//! Emails of customers.

mod attachments;
mod conversation;
mod corpus;
mod desk;
mod pipe;
mod privacy;
mod reading;
mod replies;
mod reports;
mod settings;
mod status_page;
mod unmatched;

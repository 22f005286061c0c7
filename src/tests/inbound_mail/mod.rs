//! Emails of customers.

mod answer_address;
mod attachments;
mod cases;
mod conversation;
pub mod desk;
mod faults;
mod hostile;
mod kills;
mod live;
mod matching;
mod pipe;
mod privacy;
mod replies;
mod reports;
mod settings;
mod status_page;
mod unmatched;
mod waiting;
mod watched;

//! Emails: addresses, what is sent (notices and replies), and what is received.

pub mod alarm_notice;
pub mod email_address;
pub mod message_id;
pub mod notice;
pub mod offer_notice;
pub mod priority;
pub mod received_email;
pub mod reply_address;
pub mod reply_template;
pub mod report_notice;
pub mod request_list;

//! Keeps emails in memory, for tests.

use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::{DeliveryError, Mailer};
use crate::email::Email;

/// Keeps emails in wire format.
#[derive(Default)]
pub struct Memory {
    emails: Mutex<Vec<Vec<u8>>>,
}

impl Memory {
    /// Every email so far, oldest first, in wire format.
    pub fn emails(&self) -> Vec<Vec<u8>> {
        self.emails.lock().clone()
    }
}

impl Mailer for Memory {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let content = email.message.formatted();
        self.emails.lock().push(content);
        Box::pin(std::future::ready(Ok(())))
    }

    fn concurrency(&self) -> u32 {
        1
    }
}

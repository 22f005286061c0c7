//! Letters kept in memory, for tests to read.

use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;

use super::{DeliveryError, Mailer};
use crate::outbox::email::Email;

/// Keeps letters as they would go over the wire.
#[derive(Default)]
pub struct Memory {
    letters: Mutex<Vec<Vec<u8>>>,
}

impl Memory {
    /// Every letter so far, oldest first, in wire format.
    pub fn letters(&self) -> Vec<Vec<u8>> {
        self.letters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Mailer for Memory {
    fn send<'a>(&'a self, letter: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let content = letter.message.formatted();
        self.letters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(content);
        Box::pin(std::future::ready(Ok(())))
    }

    fn at_once(&self) -> u32 {
        1
    }
}

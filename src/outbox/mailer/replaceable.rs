//! A mailer that can be replaced while emails are sent, for example after a new password.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use parking_lot::RwLock;

use super::{DeliveryError, Mailer};
use crate::email::Email;

/// Sends through the newest mailer; emails in flight finish with the one that they started with.
pub struct Replaceable(RwLock<Arc<dyn Mailer>>);

impl Replaceable {
    /// Begins with `mailer`.
    pub fn new(mailer: Arc<dyn Mailer>) -> Self {
        Self(RwLock::new(mailer))
    }

    /// Sends through `mailer` from now on.
    pub fn replace(&self, mailer: Arc<dyn Mailer>) {
        *self.0.write() = mailer;
    }

    fn current(&self) -> Arc<dyn Mailer> {
        self.0.read().clone()
    }
}

impl Mailer for Replaceable {
    fn send<'a>(&'a self, email: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>> {
        let mailer = self.current();
        Box::pin(async move { mailer.send(email).await })
    }

    fn concurrency(&self) -> u32 {
        self.current().concurrency()
    }

    fn close_idle(&self) -> BoxFuture<'_, ()> {
        let mailer = self.current();
        Box::pin(async move { mailer.close_idle().await })
    }
}

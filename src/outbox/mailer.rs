//! How a letter leaves the house, behind one small trait: by SMTP, as a file, or into memory for tests.
//! Nothing here knows what letters say or when they are tried again.

mod folder;
mod memory;
mod smtp;

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::email::Email;
use crate::config;

pub use folder::Folder;
pub use memory::Memory;
pub use smtp::Smtp;

/// Takes letters out of the house.
pub trait Mailer: Send + Sync {
    /// Hands one letter over; `Ok` when the other side has taken it on.
    fn send<'a>(&'a self, letter: &'a Email) -> BoxFuture<'a, Result<(), DeliveryError>>;

    /// How many letters may be on their way at once.
    fn at_once(&self) -> u32;

    /// Nothing is left to send for now: ends what is only kept open for the next letter.
    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Why a letter was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryError {
    /// Whether the same letter will be refused again (RFC 5321, section 4.2.1: a 5xx answer to the letter itself).
    pub permanent: bool,
    /// What went wrong, for the log: no address, no content.
    pub brief: String,
    /// What the other side said, for the operator.
    pub said: String,
}

impl DeliveryError {
    /// It may go better later.
    pub fn temporary(brief: impl Into<String>, said: impl ToString) -> Self {
        Self {
            permanent: false,
            brief: brief.into(),
            said: said.to_string(),
        }
    }

    /// It will not go better later.
    pub fn permanent(brief: impl Into<String>, said: impl ToString) -> Self {
        Self {
            permanent: true,
            ..Self::temporary(brief, said)
        }
    }
}

/// The mailer that the settings ask for: SMTP where a host is given, else `.eml` files in `folder`.
///
/// # Errors
/// When the password file cannot be read, the host is no name, or the folder cannot be made.
pub fn for_settings(settings: &config::Mail, folder: &Path) -> anyhow::Result<Arc<dyn Mailer>> {
    Ok(if settings.smtp_host.is_empty() {
        Arc::new(Folder::open(folder)?)
    } else {
        Arc::new(Smtp::new(settings)?)
    })
}

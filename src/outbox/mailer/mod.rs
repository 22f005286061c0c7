//! Mail transports behind one trait: SMTP and files. Transports know nothing about an email's
//! content or about retries.

mod folder;
mod smtp;
mod transport;

use std::path::Path;
use std::sync::Arc;

pub use folder::Folder;
pub use smtp::Smtp;
pub use transport::{DeliveryError, Mailer};

/// The mailer for these settings: SMTP if a host is configured, else `.eml` files in `folder`.
/// Fails if the password file cannot be read, the host name is invalid, or the folder cannot be
/// created.
pub fn for_settings(settings: &config::Mail, folder: &Path) -> anyhow::Result<Arc<dyn Mailer>> {
    Ok(if settings.smtp_host.is_empty() {
        Arc::new(Folder::open(folder)?)
    } else {
        Arc::new(Smtp::new(settings)?)
    })
}

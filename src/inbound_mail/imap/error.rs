//! Why a mailbox cannot be read. No text quotes what the server has sent, which may be an email.

use std::io::{Error, ErrorKind};
use std::time::Duration;

/// Why a mailbox cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ImapError {
    /// No connection; with the reason.
    #[error("no connection: {0}")]
    Unreachable(String),
    /// The user name or the password is wrong; with the server's words.
    #[error("the user name or the password is refused: {0}")]
    SignInRefused(String),
    /// The folder cannot be opened; with its name and the server's words.
    #[error("the folder `{0}` cannot be opened: {1}")]
    Folder(String, String),
    /// The server has not answered for so long.
    #[error("no answer for {} s", .0.as_secs())]
    Silent(Duration),
    /// The server refuses a command; with its words.
    #[error("a command is refused: {0}")]
    Refused(String),
    /// The connection has ended, or what the server sends is not IMAP.
    #[error("{0}")]
    Broken(&'static str),
    /// A message is there, and the server does not give it; with the reason.
    #[error("a message cannot be read: {0}")]
    Unread(&'static str),
    /// A message could not be stored; it is read again later.
    #[error("a message could not be stored: {0}")]
    NotStored(String),
}

impl ImapError {
    /// Whether the session can go on with another message.
    pub(super) const fn is_of_message(&self) -> bool {
        matches!(
            self,
            Self::Refused(_) | Self::Unread(_) | Self::NotStored(_)
        )
    }
}

impl From<Error> for ImapError {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => Self::Broken("the connection has ended"),
            // Errors of the parser quote the text that it has read.
            ErrorKind::Other => Self::Broken("the server sends something that is not IMAP"),
            _ => Self::Unreachable(error.to_string()),
        }
    }
}

//! Why a mailbox cannot be read. No text quotes what the server has sent, which may be an email.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use async_imap::error::Error;

/// Why a mailbox cannot be read.
#[derive(Debug)]
pub enum ImapError {
    /// No connection; with the reason.
    Unreachable(String),
    /// The user name or the password is wrong; with the server's words.
    SignInRefused(String),
    /// The folder cannot be opened; with its name and the server's words.
    Folder(String, String),
    /// The server has not answered for so long.
    Silent(Duration),
    /// The server refuses a command; with its words.
    Refused(String),
    /// The connection has ended, or what the server sends is not IMAP.
    Broken(&'static str),
    /// A message is there, and the server does not give it; with the reason.
    Unread(&'static str),
    /// A message could not be stored; it is read again later.
    NotStored(String),
}

impl fmt::Display for ImapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "no connection: {why}"),
            Self::SignInRefused(words) => {
                write!(f, "the user name or the password is refused: {words}")
            }
            Self::Folder(folder, words) => {
                write!(f, "the folder `{folder}` cannot be opened: {words}")
            }
            Self::Silent(time) => write!(f, "no answer for {} s", time.as_secs()),
            Self::Refused(words) => write!(f, "a command is refused: {words}"),
            Self::Broken(what) => f.write_str(what),
            Self::Unread(why) => write!(f, "a message cannot be read: {why}"),
            Self::NotStored(why) => write!(f, "a message could not be stored: {why}"),
        }
    }
}

impl std::error::Error for ImapError {}

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
        match error {
            Error::No(text) | Error::Bad(text) => Self::Refused(server_words(&text)),
            Error::ConnectionLost => Self::Broken("the connection has ended"),
            Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Self::Broken("the connection has ended")
            }
            // Errors of the parser quote the text that it has read.
            Error::Io(error) if error.kind() != ErrorKind::Other => {
                Self::Unreachable(error.to_string())
            }
            Error::Validate(_) => Self::Broken("a setting has a line break"),
            _ => Self::Broken("the server sends something that is not IMAP"),
        }
    }
}

/// The server's own words in the text of an error, whose last part is `information: Some("…")`.
fn server_words(text: &str) -> String {
    let words = text.rsplit_once("Some(\"").map(|(_, words)| words);
    let words = words.and_then(|words| words.rsplit_once("\")"));
    words.map_or_else(|| text.to_owned(), |(words, _)| words.to_owned())
}

//! The messages of the open folder, and their bytes.

use std::time::Duration;

use async_imap::imap_proto::AttributeValue;

use super::command::quoted;
use super::connection::{Account, OpenFolder};
use super::error::ImapError;
use domain::clock::{DAY_MS, Time};
use store::mailbox::position::MailboxPosition;

/// Days before a position from which messages are looked for if the position does not hold: the
/// folder is read for the first time, or the server has numbered its messages anew.
const BACK_DAYS: i64 = 7;
/// Bytes of a long message's header that are kept.
const MAX_HEADER: usize = 256 * 1024;
/// Bytes that arrive at least in each second of a message.
const SLOWEST: u64 = 32 * 1024;

/// The part of a session that reads one folder.
pub(super) struct FolderReader<'a> {
    pub(super) account: &'a Account,
    pub(super) open: OpenFolder,
    /// Bytes of the longest message that is fetched whole.
    pub(super) max_bytes: u64,
}

impl FolderReader<'_> {
    /// The number that the server gives to the numbering of its messages (RFC 9051, 2.3.1.1).
    pub(super) fn uid_validity(&self) -> Result<u32, ImapError> {
        let known = self.open.uid_validity;
        known.ok_or(ImapError::Broken("the server does not number its messages"))
    }

    /// The messages after the known position, in order; `None` if the server names no result. A
    /// message that was read before may be among them if the position does not hold: then all from
    /// some days before `since` are.
    pub(super) async fn new_messages(
        &mut self,
        known: Option<&MailboxPosition>,
        since: Time,
    ) -> Result<Option<Vec<u32>>, ImapError> {
        let (first, query) = match known {
            Some(known) => {
                let first = known.last_uid.saturating_add(1);
                (first, format!("UID {first}:*"))
            }
            None => {
                let since = since.plus_millis(-BACK_DAYS * DAY_MS);
                (1, format!("SINCE {}", imap_date(since)))
            }
        };
        let session = &mut self.open.session;
        let found = self.account.within(session.search(&query));
        let mut found = found.await?;
        // `n:*` includes the last message even if its number is lower.
        if let Some(uids) = &mut found {
            uids.retain(|uid| *uid >= first);
        }
        Ok(found)
    }

    /// A message; `None` if the server says that it is gone. Of one that is too long, its header
    /// and a sentence. Errors: `Unread` if it is there and is not given.
    pub(super) async fn fetch(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        let session = &mut self.open.session;
        let size = session.fetch(uid, "RFC822.SIZE", |it| match it {
            AttributeValue::Rfc822Size(size) => Some(*size),
            _ => None,
        });
        let Some(size) = self.account.within(size).await? else {
            return self.is_gone(uid, "the server does not say its size").await;
        };
        let is_whole = u64::from(size) <= self.max_bytes;
        let part = match is_whole {
            true => "BODY.PEEK[]",
            false => "BODY.PEEK[HEADER]",
        };
        let session = &mut self.open.session;
        let bytes = session.fetch(uid, part, |it| match it {
            AttributeValue::BodySection {
                data: Some(bytes), ..
            } => Some(bytes.to_vec()),
            _ => None,
        });
        let more = Duration::from_secs(u64::from(size).min(self.max_bytes) / SLOWEST);
        let bytes = self.account.within_more(more, bytes).await?;
        match bytes.filter(|bytes| !bytes.trim_ascii().is_empty()) {
            None => self.is_gone(uid, "the server sends nothing of it").await,
            Some(bytes) if is_whole => Ok(Some(bytes)),
            Some(header) => {
                tracing::warn!(
                    uid,
                    size,
                    "a message in the mailbox is too long; its header is kept"
                );
                Ok(Some(in_place_of_long_message(&header, size)))
            }
        }
    }

    /// `None` if the server says that there is no such message. Errors: `Unread` with the reason.
    async fn is_gone<T>(&mut self, uid: u32, why: &'static str) -> Result<Option<T>, ImapError> {
        let session = &mut self.open.session;
        let query = format!("UID {uid}");
        let found = self.account.within(session.search(&query)).await?;
        match found {
            Some(found) if !found.contains(&uid) => Ok(None),
            _ => Err(ImapError::Unread(why)),
        }
    }

    /// Moves a message that is stored into `folder`.
    pub(super) async fn move_to(&mut self, uid: u32, folder: &str) -> Result<(), ImapError> {
        let command = format!("UID MOVE {uid} {}", quoted(folder)?);
        let moved = self.open.session.run(&command, |_| {});
        self.account.within(moved).await
    }
}

/// A date of a search (RFC 9051, 9), as in `5-Jan-2026`. The server compares days in its own zone;
/// the days before a position allow for that.
fn imap_date(at: Time) -> String {
    let date = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or_default();
    date.strftime("%-d-%b-%Y").to_string()
}

/// A message with the header of a long one, and a sentence in place of its content.
fn in_place_of_long_message(header: &[u8], size: u32) -> Vec<u8> {
    let header = String::from_utf8_lossy(header);
    let mut message = String::new();
    let mut keep = true;
    for line in header.lines().filter(|line| !line.is_empty()) {
        if message.len() + line.len() > MAX_HEADER {
            break;
        }
        if !line.starts_with([' ', '\t']) {
            keep = !line.to_ascii_lowercase().starts_with("content-");
        }
        if keep {
            message.push_str(line);
            message.push_str("\r\n");
        }
    }
    message.push_str(&format!(
        "Content-Type: text/plain; charset=utf-8\r\n\r\n\
         This message is too long to be stored here ({} MB). It is in the mailbox.\r\n",
        size.div_ceil(1_000_000)
    ));
    message.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_keeps_its_header_and_says_where_it_is() {
        let header =
            b"From: a@customer.example\r\nContent-Type: multipart/mixed;\r\n boundary=x\r\n\
            Subject: Plans\r\nIn-Reply-To: <1@guard.example>\r\n\r\n";
        let message = String::from_utf8(in_place_of_long_message(header, 41_000_001)).unwrap();
        assert_eq!(
            message,
            "From: a@customer.example\r\nSubject: Plans\r\nIn-Reply-To: <1@guard.example>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n\
             This message is too long to be stored here (42 MB). It is in the mailbox.\r\n"
        );
    }

    #[test]
    fn dates_of_searches_have_english_months() {
        let at = Time::parse("2026-01-05T23:59:59.000Z").unwrap();
        assert_eq!(imap_date(at), "5-Jan-2026");
    }
}

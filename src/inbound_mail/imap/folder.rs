//! The new messages of the open folder, each stored before the next one is read.

use async_imap::types::Uid;
use futures_util::TryStreamExt;

use super::connection::{Account, OpenFolder};
use super::error::ImapError;
use crate::domain::clock::{DAY_MS, Time};
use crate::store::mailbox_position::MailboxPosition;

/// Days before a position from which messages are looked for if the position does not hold: the
/// folder is read for the first time, or the server has numbered its messages anew.
const BACK_DAYS: i64 = 7;

/// The part of a session that reads one folder.
pub(super) struct FolderReader<'a> {
    pub(super) account: &'a Account,
    pub(super) open: OpenFolder,
    /// Bytes of the longest message that is fetched whole.
    pub(super) max_bytes: u64,
}

impl FolderReader<'_> {
    /// The number that the server gives to the numbering of its messages (RFC 9051, 2.3.1.1).
    pub(super) fn uid_validity(&self) -> u32 {
        self.open.mailbox.uid_validity.unwrap_or_default()
    }

    /// The messages after the known position, in order. A message that was read before may be
    /// among them if the position does not hold.
    pub(super) async fn new_messages(
        &mut self,
        known: Option<&MailboxPosition>,
        now: Time,
    ) -> Result<Vec<Uid>, ImapError> {
        let holds = known.filter(|known| known.uid_validity == self.uid_validity());
        let (first, query) = match holds {
            Some(known) => {
                let first = known.last_uid.saturating_add(1);
                (first, format!("UID {first}:*"))
            }
            None => {
                let last = known.map_or(now, |known| known.read_at);
                let since = last.plus_millis(-BACK_DAYS * DAY_MS);
                (1, format!("SINCE {}", imap_date(since)))
            }
        };
        let session = &mut self.open.session;
        let search = async { Ok(session.uid_search(query).await?) };
        let found = self.account.within(search).await?;
        // `n:*` includes the last message even if its number is lower.
        let mut uids: Vec<Uid> = found.into_iter().filter(|uid| *uid >= first).collect();
        uids.sort_unstable();
        Ok(uids)
    }

    /// A message; `None` if it is gone. Of one that is too long, its header and a sentence.
    pub(super) async fn fetch(&mut self, uid: Uid) -> Result<Option<Vec<u8>>, ImapError> {
        let Some(size) = self.size(uid).await? else {
            return Ok(None);
        };
        if u64::from(size) > self.max_bytes {
            tracing::warn!(
                uid,
                size,
                "a message in the mailbox is too long; its header is kept"
            );
            let header = self.fetch_part(uid, "BODY.PEEK[HEADER]").await?;
            return Ok(header.map(|header| in_place_of_long_message(&header, size)));
        }
        self.fetch_part(uid, "BODY.PEEK[]").await
    }

    async fn size(&mut self, uid: Uid) -> Result<Option<u32>, ImapError> {
        let session = &mut self.open.session;
        let fetch = async {
            let fetched = session
                .uid_fetch(uid.to_string(), "(UID RFC822.SIZE)")
                .await?;
            Ok(fetched.try_collect::<Vec<_>>().await?)
        };
        let fetched = self.account.within(fetch).await?;
        let ours = fetched.iter().find(|it| it.uid == Some(uid));
        Ok(ours.and_then(|it| it.size))
    }

    async fn fetch_part(&mut self, uid: Uid, part: &str) -> Result<Option<Vec<u8>>, ImapError> {
        let session = &mut self.open.session;
        let fetch = async {
            let fetched = session
                .uid_fetch(uid.to_string(), format!("(UID {part})"))
                .await?;
            Ok(fetched.try_collect::<Vec<_>>().await?)
        };
        let fetched = self.account.within(fetch).await?;
        let ours = fetched.iter().find(|it| it.uid == Some(uid));
        Ok(ours.and_then(|it| it.body().or(it.header()).map(<[u8]>::to_vec)))
    }

    /// Moves a message that is stored into `folder`.
    pub(super) async fn move_to(&mut self, uid: Uid, folder: &str) -> Result<(), ImapError> {
        let session = &mut self.open.session;
        let moved = async { Ok(session.uid_mv(uid.to_string(), folder).await?) };
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

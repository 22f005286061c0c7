//! The messages of a folder, one after the other. Everything up to the position is stored, gone, or
//! named among the messages that were set aside.

use super::connection::OpenFolder;
use super::error::ImapError;
use super::folder::FolderReader;
use super::{MailboxReader, not_stored};
use domain::clock::HOUR_MS;
use store::mailbox::position::MailboxPosition;
use store::mailbox::tries::{MAX_TRIES, MessageKey, TriedMessage};

/// How long a message that was set aside waits for the next try.
const RETRY_MS: i64 = HOUR_MS;

impl MailboxReader {
    /// Stores the messages that are new, and those set aside whose time has come; returns how many.
    /// Errors: those of the session; those of a message as long as it is tried again.
    pub(super) async fn read_new(
        &self,
        open: OpenFolder,
    ) -> Result<(OpenFolder, usize), ImapError> {
        let mailbox = self.account.name();
        let mut folder = FolderReader {
            account: &self.account,
            open,
            max_bytes: self.max_bytes,
        };
        let uid_validity = folder.uid_validity()?;
        let known = self.store.mailbox_position(mailbox.clone()).await;
        let known = known.map_err(not_stored)?;
        let holds = known.as_ref().filter(|it| it.uid_validity == uid_validity);
        if known.is_some() && holds.is_none() {
            tracing::warn!(
                mailbox,
                "the server has numbered the messages anew; those of the last days are compared"
            );
        }
        let tried = self.store.tried_messages(mailbox.clone()).await;
        let tried = tried.map_err(not_stored)?;
        let now = self.clock.now();
        let last = known.as_ref().map_or(now, |known| known.read_at);
        let since = tried.iter().map(|it| it.first_at).min();
        let since = since.map_or(last, |first| first.min(last));
        let new = folder.new_messages(holds, since).await?;
        let has_result = new.is_some();
        let uids = self.in_order(new.unwrap_or_default(), &tried, uid_validity);
        let mut count = 0;
        for uid in uids {
            let key = MessageKey {
                mailbox: mailbox.clone(),
                uid_validity,
                uid,
            };
            count += usize::from(self.read_message(&mut folder, key).await?);
        }
        if let (None, true, Some(next)) = (holds, has_result, folder.open.uid_next) {
            // Without it, the next time would read all older messages.
            self.keep_position(uid_validity, next.saturating_sub(1))
                .await?;
        }
        if tried.iter().any(|it| it.uid_validity != uid_validity) {
            let forgotten = self.store.forget_other_numberings(mailbox, uid_validity);
            forgotten.await.map_err(not_stored)?;
        }
        Ok((folder.open, count))
    }

    /// Those set aside whose time has come, then the new ones.
    fn in_order(&self, mut new: Vec<u32>, tried: &[TriedMessage], uid_validity: u32) -> Vec<u32> {
        let due_before = self.clock.now().plus_millis(-RETRY_MS);
        let aside = tried
            .iter()
            .filter(|it| it.uid_validity == uid_validity && it.is_set_aside);
        new.retain(|uid| !aside.clone().any(|it| it.uid == *uid));
        let due = aside.filter(|it| it.tried_at <= due_before);
        due.map(|it| it.uid).chain(new).collect()
    }

    /// Stores a message; returns whether it is read. One that cannot be read is set aside after
    /// some tries. Errors: those of a message that is tried again soon, and of the session.
    async fn read_message(
        &self,
        folder: &mut FolderReader<'_>,
        key: MessageKey,
    ) -> Result<bool, ImapError> {
        let stored = self.store_message(folder, key.uid).await;
        let now = self.clock.now();
        let Err(error) = stored else {
            let ended = self.store.end_message(key, now).await;
            ended.map_err(not_stored)?;
            return Ok(true);
        };
        let (uid, mailbox) = (key.uid, key.mailbox.clone());
        let text = error.to_string();
        let tries = self.store.message_failed(key, text.clone(), now).await;
        let tries = tries.map_err(not_stored)?;
        if tries >= MAX_TRIES {
            tracing::error!(
                mailbox,
                uid,
                error = text,
                "a message in the mailbox is set aside; read it in a mail program"
            );
        }
        match tries >= MAX_TRIES && error.is_of_message() {
            true => Ok(false),
            false => Err(error),
        }
    }

    async fn store_message(
        &self,
        folder: &mut FolderReader<'_>,
        uid: u32,
    ) -> Result<(), ImapError> {
        let Some(raw) = folder.fetch(uid).await? else {
            return Ok(());
        };
        let received = self.receiver.receive(raw).await;
        received.map_err(ImapError::NotStored)?;
        // The other way around, a message would stay unmoved after a kill in between.
        self.move_away(folder, uid).await
    }

    /// Moves a stored message into the folder of the settings. A server that refuses leaves it.
    async fn move_away(&self, folder: &mut FolderReader<'_>, uid: u32) -> Result<(), ImapError> {
        if self.move_to.is_empty() {
            return Ok(());
        }
        let moved = match folder.open.can_move {
            true => folder.move_to(uid, &self.move_to).await,
            false => Err(ImapError::Refused("it does not offer MOVE".to_owned())),
        };
        match moved {
            Err(ImapError::Refused(words)) => {
                let folder = &self.move_to;
                tracing::warn!(folder, error = words, "a read message was not moved");
                Ok(())
            }
            moved => moved,
        }
    }

    /// Stores how far the folder is read; never a lower message than before.
    async fn keep_position(&self, uid_validity: u32, last_uid: u32) -> Result<(), ImapError> {
        let position = MailboxPosition {
            uid_validity,
            last_uid,
            read_at: self.clock.now(),
        };
        let kept = self
            .store
            .keep_mailbox_position(self.account.name(), position);
        kept.await.map_err(not_stored)
    }
}

//! Has the pictures among received files rewritten by a child process, in turns.

use super::decoding::PictureError;
use super::process::Task;
use super::writing;
use crate::contents::temporary::Temporary;
use crate::inspecting::{Inspected, inspect};
use crate::target::{Target, refuse_after_failures};
use crate::{Code, Files, Refusal, Result, blocking};
use domain::sender::Sender;
use domain::storage::content_type::ContentType;
use store::storage::uploads;

/// A file that has arrived whole.
pub(crate) struct Received {
    pub(crate) kind: ContentType,
    pub(crate) inspected: Inspected,
    pub(crate) temporary: Temporary,
}

impl Files {
    /// Has a picture rewritten in the sender's turn. One of an email that cannot be rewritten is
    /// kept as it is, to be downloaded only.
    pub(crate) async fn rewrite_picture(
        &self,
        file: Received,
        target: &Target,
        sender: Option<Sender>,
    ) -> Result<(ContentType, Inspected, Temporary)> {
        let Received {
            kind,
            inspected,
            temporary: original,
        } = file;
        let (contents, program) = (self.contents.clone(), self.pictures.clone());
        let space = self.space.clone();
        let quote_id = target.quote_id().map(str::to_owned);
        // An IPv6 /48 counts as one client.
        let client = match sender {
            Some(sender) => sender.site.unwrap_or(sender.client),
            None => quote_id
                .clone()
                .or(target.owner.clone())
                .unwrap_or_default(),
        };
        let turn = self.turns.wait(client).await;
        if let Some(quote_id) = quote_id.clone() {
            self.read(move |conn| refuse_after_failures(conn, &quote_id))
                .await?;
        }
        let made = blocking(move || {
            let longest = writing::limit(original.file())?;
            let _reserved = space.reserve(longest)?;
            let rewritten = contents.temporary()?;
            let task = Task::Rewrite(kind);
            // Until the picture is written, even if the sender has disconnected.
            let made = program.make(task, original.file(), rewritten.file());
            drop(turn);
            Ok(made
                .map(|written| (written, rewritten))
                .map_err(|error| (error, original)))
        })
        .await?;
        let (written, rewritten) = match made {
            Ok(made) => made,
            Err((error, original))
                if target.is_received() && !matches!(error, PictureError::Io(_)) =>
            {
                return Ok((ContentType::Opaque, inspected, original));
            }
            Err((error, _)) => {
                let counts = matches!(error, PictureError::Invalid | PictureError::Exceeded);
                if let Some(id) = quote_id.filter(|_| counts) {
                    let count = move |conn: &_| uploads::count_failed_picture(conn, &id);
                    self.store.write(count).await?;
                }
                return Err(match error {
                    PictureError::Io(error) => error.into(),
                    PictureError::TooLarge | PictureError::Exceeded => Code::EntityTooLarge.into(),
                    PictureError::Invalid | PictureError::Unfit(_) => {
                        Refusal::media_type(kind.media_type()).into()
                    }
                });
            }
        };
        let (inspected, temporary) = inspect(rewritten, String::new()).await?;
        Ok((written, inspected, temporary))
    }
}

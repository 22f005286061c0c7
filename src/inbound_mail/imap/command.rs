//! Commands whose end is read: the library's streams end alike after success, a refusal and the
//! loss of the connection.

use async_imap::error::Error;
use async_imap::imap_proto::{AttributeValue, MailboxDatum, Response, Status};

use super::connection::ImapSession;
use super::error::ImapError;

/// Runs a command and hands each response before its end to `each`. Errors: `Refused` unless the
/// server says that it was done.
async fn run(
    session: &mut ImapSession,
    command: &str,
    mut each: impl FnMut(&Response<'_>),
) -> Result<(), ImapError> {
    let ours = session.run_command(command).await?;
    loop {
        let next = session.read_response().await.map_err(Error::Io)?;
        let next = next.ok_or(ImapError::Broken("the connection has ended"))?;
        match next.parsed() {
            Response::Done {
                tag,
                status,
                outcome,
            } if *tag == ours => {
                let words = outcome.information.as_deref().unwrap_or("no reason given");
                return match status {
                    Status::Ok => Ok(()),
                    _ => Err(ImapError::Refused(words.to_owned())),
                };
            }
            response => each(response),
        }
    }
}

/// The messages that a search finds, in order; `None` if the server names no result at all.
pub(super) async fn search(
    session: &mut ImapSession,
    query: &str,
) -> Result<Option<Vec<u32>>, ImapError> {
    let mut found: Option<Vec<u32>> = None;
    run(session, &format!("UID SEARCH {query}"), |response| {
        if let Response::MailboxData(MailboxDatum::Search(uids)) = response {
            found.get_or_insert_default().extend(uids);
        }
    })
    .await?;
    if let Some(found) = &mut found {
        found.sort_unstable();
    }
    Ok(found)
}

/// An attribute of a message, as `read` takes it; `None` if the server does not give it.
pub(super) async fn fetch<T>(
    session: &mut ImapSession,
    uid: u32,
    attribute: &str,
    read: impl Fn(&AttributeValue<'_>) -> Option<T>,
) -> Result<Option<T>, ImapError> {
    let mut found = None;
    let command = format!("UID FETCH {uid} (UID {attribute})");
    run(session, &command, |response| {
        let Response::Fetch(_, attributes) = response else {
            return;
        };
        let is_ours = attributes
            .iter()
            .any(|it| matches!(it, AttributeValue::Uid(given) if *given == uid));
        if is_ours {
            found = attributes.iter().find_map(&read).or(found.take());
        }
    })
    .await?;
    Ok(found)
}

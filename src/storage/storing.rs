//! Stores a complete file: finds its type, rewrites pictures, publishes the bytes, and inserts or
//! replaces the row in one transaction with all dependent rows.

use rusqlite::Connection;

use super::contents::Hold;
use super::contents::temporary::Temporary;
use super::inspecting::{Inspected, inspect};
use super::running_uploads::too_many_files;
use super::scan::INFECTED;
use super::target::{Description, Right, Target, check_target, refuse_after_failures};
use super::upload::empty_file;
use super::{Code, Files, Refusal, Result, blocking};
use crate::domain::clock::Time;
use crate::domain::ids;
use crate::domain::sender::Sender;
use crate::domain::storage::MAX_QUOTE_FILES;
use crate::domain::storage::content_type::ContentType;
use crate::domain::storage::values::type_matches;
use crate::storage::pictures::decoding::{self, PictureError};
use crate::storage::pictures::process::Task;
use crate::storage::pictures::writing;
use crate::store::accounts::used_nonces;
use crate::store::inbox::files;
use crate::store::storage::objects;
use crate::store::storage::objects::Object;
use crate::store::storage::{object_contents, uploads};

/// A file that has arrived whole.
struct Received {
    kind: ContentType,
    inspected: Inspected,
    temporary: Temporary,
}

/// A published content and its stored properties.
struct Published {
    sha256: String,
    size: u64,
    kind: ContentType,
    description: Description,
    hold: Hold,
}

impl Files {
    /// Stores the file in `temporary`.
    pub(super) async fn store_file(
        &self,
        temporary: Temporary,
        target: Target,
        description: Description,
    ) -> Result<Object> {
        let declared = description.media_type.clone();
        let (inspected, temporary) = inspect(temporary, declared).await?;
        if inspected.size == 0 {
            return Err(empty_file());
        }
        let kind = self.accepted_type(&inspected, &target).await?;
        let (kind, inspected, temporary) = match kind.is_picture() {
            true => {
                let sender = description.sender.clone();
                let file = Received {
                    kind,
                    inspected,
                    temporary,
                };
                self.rewrite_picture(file, &target, sender).await?
            }
            false => (kind, inspected, temporary),
        };
        let published = self
            .publish(inspected, kind, temporary, description)
            .await?;
        let sha256 = published.sha256.clone();
        let stored = self.insert(target, published).await;
        match stored {
            Ok(object) => {
                self.to_scan.notify_one();
                self.collect_released().await;
                Ok(object)
            }
            Err(error) => {
                self.collect(vec![sha256]).await;
                Err(error)
            }
        }
    }

    /// The type of a file if this sender may store it in this bucket.
    async fn accepted_type(&self, file: &Inspected, target: &Target) -> Result<ContentType> {
        let kind = match &file.kind {
            Ok(kind) => *kind,
            Err(_) if target.is_received() => ContentType::Opaque,
            Err(name) => return Err(Refusal::media_type(name).into()),
        };
        let refused = || Err(Refusal::media_type(kind.media_type()).into());
        if target.is_visitors() && !ContentType::VISITORS.contains(&kind) {
            return refused();
        }
        let bucket = self.bucket(target.bucket.clone()).await?;
        match bucket.allowed_mime_types {
            Some(patterns)
                if !patterns
                    .iter()
                    .any(|pattern| type_matches(pattern, kind.media_type())) =>
            {
                refused()
            }
            _ => Ok(kind),
        }
    }

    /// Has a picture rewritten in the sender's turn. One of an email that cannot be rewritten is
    /// kept as it is, to be downloaded only.
    async fn rewrite_picture(
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
        let quote_id = match &target.right {
            Right::Grant { quote_id, .. } => Some(quote_id.clone()),
            _ => None,
        };
        let owner = target.owner.as_ref();
        let turn = turn_taker(sender, quote_id.as_ref().or(owner));
        let (pixels, original) = blocking(move || {
            let pixels = decoding::declared_pixels(original.file(), kind);
            Ok((pixels, original))
        })
        .await?;
        let turn = self.turns.wait(turn, pixels).await;
        if let Some(quote_id) = quote_id.clone() {
            self.read(move |conn| refuse_after_failures(conn, &quote_id))
                .await?;
        }
        let made = blocking(move || {
            // Held until the picture is written, even if the sender has disconnected.
            let _turn = turn;
            let longest = writing::limit(original.file())?;
            let _reserved = space.reserve(longest)?;
            let rewritten = contents.temporary()?;
            let task = Task::Rewrite(kind);
            Ok(program
                .make(task, original.file(), rewritten.file())
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

    async fn publish(
        &self,
        file: Inspected,
        kind: ContentType,
        temporary: Temporary,
        description: Description,
    ) -> Result<Published> {
        let contents = self.contents.clone();
        let permit = self.publications.clone().acquire_owned().await;
        blocking(move || {
            // Held until the bytes are stored, even if the sender has disconnected.
            let _permit = permit;
            let hold = contents.hold(&file.sha256);
            contents.publish(&temporary, &file.sha256)?;
            Ok(Published {
                sha256: file.sha256,
                size: file.size,
                kind,
                description,
                hold,
            })
        })
        .await
    }

    /// Commits the row.
    async fn insert(&self, target: Target, published: Published) -> Result<Object> {
        let (now, scan, quota) = (self.clock.now(), self.first_scan_state(), self.quota);
        let stored = self
            .write(move |conn| {
                // The guards live until the commit: they are part of the result.
                let (sender, size) = (published.description.sender.as_ref(), published.size);
                // A resumable one was counted when it began.
                let counts = target.is_visitors() && target.resumable.is_none();
                if counts {
                    quota.check(conn, sender, size, now)?;
                }
                let object = insert(conn, &target, &published, scan, now)?;
                if counts {
                    quota.count(conn, sender, size, now)?;
                }
                Ok((object, target, published.hold))
            })
            .await;
        stored.map(|(object, _target, _hold)| object)
    }
}

fn insert(
    conn: &Connection,
    target: &Target,
    published: &Published,
    scan: &str,
    now: Time,
) -> Result<Object> {
    check_target(conn, target, now)?;
    take_right(conn, target, now)?;
    let metadata = published.description.metadata.as_ref();
    let (present, at) = (
        objects::find(conn, &target.bucket, &target.name)?,
        now.to_string(),
    );
    let object = Object {
        id: match &present {
            Some(present) => present.id.clone(),
            None => ids::new(now).to_string(),
        },
        bucket_id: target.bucket.clone(),
        name: target.name.clone(),
        owner: target.owner.clone(),
        version: ids::new(now).to_string(),
        sha256: published.sha256.clone(),
        size: published.size,
        media_type: published.kind.media_type().to_owned(),
        cache_control: published.description.cache_control.clone(),
        user_metadata: metadata.map(|map| serde_json::Value::from(map.clone()).to_string()),
        // An infected content stays infected when it is stored again.
        scan: match object_contents::is_infected(conn, &published.sha256)? {
            true => INFECTED.to_owned(),
            false => scan.to_owned(),
        },
        created_at: match &present {
            Some(present) => present.created_at.clone(),
            None => at.clone(),
        },
        updated_at: at,
    };
    let replaces = present.is_some();
    match present {
        Some(_) => objects::update(conn, &object)?,
        None => objects::insert(conn, &object)?,
    }
    if let Some(id) = &target.resumable {
        uploads::finish(conn, id)?;
    }
    // A file of a quote is in its history, and its name among its search words.
    if let ("quotes", Some((quote_id, _))) = (&*target.bucket, target.name.split_once('/')) {
        files::added(conn, quote_id, &object, replaces, now)?;
    }
    Ok(object)
}

/// Uses up the right: a URL's token, or one of a quote's five files.
fn take_right(conn: &Connection, target: &Target, now: Time) -> Result<()> {
    match &target.right {
        Right::Admin | Right::Received => {}
        Right::Url { token, expires_at } => {
            if !used_nonces::mark_used(conn, token, *expires_at)? {
                return Err(Code::InvalidSignature.into());
            }
        }
        Right::Grant { quote_id, .. } => {
            let own = target.resumable.as_deref();
            let used = uploads::quote_files(conn, quote_id, own, now)?;
            if used >= MAX_QUOTE_FILES {
                return Err(too_many_files().into());
            }
            uploads::count_accepted(conn, quote_id, now)?;
        }
    }
    Ok(())
}

/// Who takes a turn at the decoder: the network of the sender, where an IPv6 /48 counts as one, or
/// the quote or the admin that the picture belongs to.
fn turn_taker(sender: Option<Sender>, owner: Option<&String>) -> String {
    match sender {
        Some(sender) => sender.site.unwrap_or(sender.client),
        None => owner.cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Sender, turn_taker};

    #[test]
    fn the_networks_of_one_48_take_one_turn() {
        let sender = |client: &str, site: Option<&str>| Sender {
            client: client.to_owned(),
            site: site.map(str::to_owned),
        };
        let taker = |sender| turn_taker(Some(sender), Some(&"quote".to_owned()));
        assert_eq!(
            taker(sender("a", Some("48"))),
            taker(sender("b", Some("48")))
        );
        assert_ne!(taker(sender("a", None)), taker(sender("b", None)));
        assert_eq!(turn_taker(None, Some(&"quote".to_owned())), "quote");
    }
}

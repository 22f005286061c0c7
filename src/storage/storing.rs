//! Stores a complete file: finds its type, rewrites pictures, publishes the bytes, and inserts or
//! replaces the row in one transaction with all dependent rows.

use rusqlite::Connection;

use super::contents::Hold;
use super::contents::temporary::Temporary;
use super::inspecting::{Inspected, inspect};
use super::pictures::rewriting::Received;
use super::running_uploads::too_many_files;
use super::target::{Description, Right, Target, check_target};
use super::upload::empty_file;
use super::{Code, Files, Refusal, Result, blocking};
use domain::clock::Time;
use domain::ids;
use domain::storage::content_type::ContentType;
use domain::storage::{MAX_QUOTE_FILES, ScanState};
use store::accounts::used_nonces;
use store::inbox::files;
use store::storage::objects::{self, Object};
use store::storage::{object_contents, uploads};

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
        match bucket.takes(kind.media_type()) {
            true => Ok(kind),
            false => refused(),
        }
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
    scan: ScanState,
    now: Time,
) -> Result<Object> {
    check_target(conn, target, now)?;
    take_right(conn, target, now)?;
    let metadata = published.description.metadata.as_ref();
    let present = objects::find(conn, &target.bucket, &target.name)?;
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
            true => ScanState::Infected,
            false => scan,
        },
        created_at: present.as_ref().map_or(now, |present| present.created_at),
        updated_at: now,
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

//! Erasure of visitors: exports the stored data of one, counts what an erasure would delete, and
//! erases, including written emails and older copies of the database. The ledger repeats erasures
//! after a restore. The command `person` and the dashboard use it.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::backup::ledger::{self, LedgerKey};
use crate::backup::{Place, count_emails_of, remove_emails_of, remove_migration_copies, until_for};
use crate::config;
use crate::domain::clock::Time;
use crate::ownership::Role;
use crate::store::person::{ALWAYS, AuditedBy, Erased};
use crate::store::{self, Store};

/// Why a person was not erased, or not completely.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database; nothing was changed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The ledger, without which a restored backup would contain the person again.
    #[error("nothing was erased: the ledger of erasures cannot be written: {0:#}")]
    Ledger(anyhow::Error),
    /// A file with an email or an older copy of the database; the rows are gone after an erasure.
    #[error("emails in files or an older copy of the database are not covered: {0:#}")]
    Files(anyhow::Error),
}

type Result<T> = std::result::Result<T, Error>;

/// The actor of the audit row.
#[derive(Clone, Debug)]
pub struct Actor {
    /// A user's id, or `operator`.
    pub id: String,
    /// The keyed hash of the client's address.
    pub client: Option<String>,
}

impl Actor {
    /// A command on the host.
    pub fn operator() -> Self {
        Self {
            id: "operator".to_owned(),
            client: None,
        }
    }
}

/// The data stored about a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The rows that an erasure would delete.
    pub rows: Erased,
    /// Files in `mail/` about the person, whose rows may be gone.
    pub written_emails: usize,
    /// Whether an account has the address; erasure keeps it.
    pub has_account: bool,
}

/// The result of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub rows: Erased,
    /// Files in `mail/`.
    pub written_emails: usize,
    /// Copies of the database from before a migration.
    pub migration_copies: usize,
}

/// Finds, exports and erases people by the email address of their requests.
#[derive(Clone)]
pub struct Eraser {
    store: Store,
    data: PathBuf,
    /// The address of the backups; empty if there are none.
    backups: String,
    s3: config::S3,
    /// The role, which limits changes outside of the data folder.
    role: Role,
}

impl Eraser {
    /// For the data folder `data`, whose backups are at the address `backups` (empty: there are
    /// none), perhaps in a bucket by the settings `s3`. A drill writes nothing beside them.
    pub fn new(store: Store, data: &Path, backups: &str, s3: &config::S3, role: Role) -> Self {
        Self {
            store,
            data: data.to_owned(),
            backups: backups.to_owned(),
            s3: s3.clone(),
            role,
        }
    }

    /// What an erasure would delete.
    pub async fn find(&self, email: &str) -> Result<Found> {
        let rows = self.store.count_person(email.to_owned(), ALWAYS).await?;
        let has_account = self.store.has_account(email.to_owned()).await?;
        let (data, person) = (self.data.clone(), email.to_owned());
        let written_emails = blocking(move || count_emails_of(&data, &person, ALWAYS));
        Ok(Found {
            rows,
            written_emails: written_emails.await.map_err(Error::Files)?,
            has_account,
        })
    }

    /// Everything that is stored about the person, with a row in the audit. Fails if the database
    /// or the key of the audited hash cannot be read.
    pub async fn export(&self, email: &str, actor: Actor, now: Time) -> Result<Value> {
        let by = self.audited_by(email, actor, now).await?;
        let tables = self.store.export_person(email.to_owned()).await?;
        self.store.audit_export(by).await?;
        Ok(json!({"email": email, "exported_at": now, "tables": tables}))
    }

    /// Erases the person: first a line in the ledger, then one transaction, then the files. Errors:
    /// as `Error` says.
    pub async fn erase(&self, email: &str, actor: Actor, now: Time) -> Result<Done> {
        let found = self.store.count_person(email.to_owned(), ALWAYS).await?;
        let by = self.audited_by(email, actor, now).await?;
        // A request may be newer than the clock, if that was set back.
        let at = found.newest.map_or(now, |newest| newest.max(now));
        let (this, person) = (self.clone(), email.to_owned());
        let record = move || {
            let backups = this.place_of_backups()?;
            ledger::record(&this.data, backups.as_ref(), &person, at)
        };
        blocking(record).await.map_err(Error::Ledger)?;
        let rows = self
            .store
            .erase_person(email.to_owned(), ALWAYS, Some(by))
            .await?;
        let (data, ids) = (self.data.clone(), rows.email_ids.clone());
        let is_person = until_for(email, ALWAYS);
        let files = move || {
            let written = remove_emails_of(&data, &ids, &is_person)?;
            // They contain the person as well; the next migration makes another.
            Ok((written, remove_migration_copies(&data, ALWAYS)?))
        };
        let (written_emails, migration_copies) = blocking(files).await.map_err(Error::Files)?;
        Ok(Done {
            rows,
            written_emails,
            migration_copies,
        })
    }

    /// The place of the backups, if this server writes into one.
    fn place_of_backups(&self) -> anyhow::Result<Option<Place>> {
        if self.backups.is_empty() || self.role.is_drill() {
            return Ok(None);
        }
        let place = Place::open(Path::new(&self.backups), &self.s3)?;
        // Without the folder, no backup has been made there.
        if place.folder().is_none_or(Path::exists) {
            self.role.claim(&place.marked()?)?;
        }
        Ok(Some(place))
    }

    async fn audited_by(&self, email: &str, actor: Actor, now: Time) -> Result<AuditedBy> {
        let (data, email) = (self.data.clone(), email.to_owned());
        let person = blocking(move || Ok(LedgerKey::read(&data)?.person(&email)))
            .await
            .map_err(Error::Ledger)?;
        Ok(AuditedBy {
            actor: actor.id,
            client: actor.client,
            person,
            now,
        })
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(anyhow!("it panicked; see the log")),
    }
}

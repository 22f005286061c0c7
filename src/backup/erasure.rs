//! Erasure of visitors: exports the stored data of one, counts what an erasure would delete, and
//! erases, including written emails and older copies of the database. The ledger repeats erasures
//! after a restore. The command `person` and the dashboard use it.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::ledger::{self, LedgerKey};
use crate::{Place, count_emails_of, remove_emails_of, until_for};
use domain::clock::Time;
use s3::ownership::Role;
use store::database::disk::leftovers;
use store::installation::backup_places::BackupPlace;
use store::person::{ALWAYS, AuditedBy, Erased};
use store::{self, Store};

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
    /// Copies of the database in the data folder, which may have more rows.
    pub copies: usize,
    /// Whether an account has the address; erasure keeps it.
    pub has_account: bool,
}

/// The result of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub rows: Erased,
    /// Files in `mail/`.
    pub written_emails: usize,
    /// Older or newer copies of the database in the data folder, with their logs.
    pub copies: usize,
    /// Places of backups that were not there: they get the erasure when they are.
    pub unreached: Vec<String>,
}

/// The places of backups by whether their ledgers got an erasure.
#[derive(Default)]
struct Spread {
    reached: Vec<String>,
    unreached: Vec<String>,
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
        let files = move || {
            let written = count_emails_of(&data, &person, ALWAYS)?;
            Ok((written, leftovers::copies(&data)?.len()))
        };
        let (written_emails, copies) = blocking(files).await.map_err(Error::Files)?;
        Ok(Found {
            rows,
            written_emails,
            copies,
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
        let by = self.audited_by(email, actor, now).await?;
        let (this, person) = (self.clone(), email.to_owned());
        let places = self.store.backup_places().await?;
        let record = move || this.record(&person, now, &places);
        let Spread { reached, unreached } = blocking(record).await.map_err(Error::Ledger)?;
        self.store
            .record_ledgers(reached, unreached.clone(), now)
            .await?;
        let rows = self
            .store
            .erase_person(email.to_owned(), ALWAYS, Some(by))
            .await?;
        let (data, ids) = (self.data.clone(), rows.email_ids.clone());
        let is_person = until_for(email, ALWAYS);
        let files = move || {
            let written = remove_emails_of(&data, &ids, &is_person)?;
            // They contain the person as well; the next migration makes another.
            leftovers::remove_unfinished(&data)?;
            Ok((written, leftovers::remove_copies(&data, None)?))
        };
        let (written_emails, copies) = blocking(files).await.map_err(Error::Files)?;
        Ok(Done {
            rows,
            written_emails,
            copies,
            unreached,
        })
    }

    /// Writes the erasure into the ledgers of the data folder and, except in a drill, of all places
    /// of backups. Fails for the data folder, and for the place of the settings unless it is not
    /// there now.
    fn record(&self, person: &str, at: Time, places: &[BackupPlace]) -> anyhow::Result<Spread> {
        ledger::record(&self.data, person, at)?;
        let mut spread = Spread::default();
        if self.role.is_drill() {
            return Ok(spread);
        }
        let scheduled = Some(Path::new(&self.backups)).filter(|_| !self.backups.is_empty());
        let scheduled = scheduled.map(|to| Place::open(to, &self.s3)).transpose()?;
        let address = scheduled.as_ref().map(Place::address);
        let is_known = |known: &BackupPlace| Some(&known.place) == address.as_ref();
        if let Some(place) = scheduled.filter(|_| !places.iter().any(is_known)) {
            // Without the ledger, no backup has been made there.
            self.spread(&place)?;
        }
        for known in places {
            let place = Place::open(Path::new(&known.place), &self.s3);
            match place.and_then(|place| self.spread(&place)) {
                Ok(true) => spread.reached.push(known.place.clone()),
                Err(error) if is_known(known) => return Err(error),
                result => {
                    let error = result.err().map(|error| format!("{error:#}"));
                    tracing::warn!(place = known.place, error, "its ledger lacks an erasure");
                    spread.unreached.push(known.place.clone());
                }
            }
        }
        Ok(spread)
    }

    /// Completes the ledger in a place of backups; returns false if that is not there now.
    fn spread(&self, place: &Place) -> anyhow::Result<bool> {
        ledger::complete(&self.data, place, &self.role)
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

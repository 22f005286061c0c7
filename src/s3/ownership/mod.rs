//! Who may write into a bucket or a folder of backups: the database whose mark is in its
//! `owner.json`. A place without a mark is adopted. A drill may write nowhere.

mod marked;
mod owner;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use parking_lot::Mutex;

use domain::clock::{Clock, Time};
use store::installation::identity::Installation;
use store::{self, Store};

pub use marked::Marked;
pub use owner::Owner;

/// What a server, or a command, may do outside of its data folder.
#[derive(Clone)]
pub enum Role {
    /// It is a drill, since then if it was restored.
    Drill(Option<Time>),
    /// It writes into the places that carry its mark.
    Production(Claimant),
}

/// A database that writes into places.
#[derive(Clone)]
pub struct Claimant {
    installation: Installation,
    data: String,
    clock: Clock,
    /// Why places refuse it, by their addresses.
    refusals: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Role {
    /// The role of the database `store` in the data folder of `config`.
    pub async fn of(store: &Store, config: &config::Data, clock: &Clock) -> store::Result<Self> {
        let installation = store.installation().await?;
        Ok(Self::new(installation, config, clock))
    }

    /// The role of the database of `installation`.
    pub fn new(installation: Installation, config: &config::Data, clock: &Clock) -> Self {
        match installation.drill_since {
            None if !config.drill => Self::Production(Claimant::new(installation, config, clock)),
            since => Self::Drill(since),
        }
    }

    /// Whether it is a drill.
    pub fn is_drill(&self) -> bool {
        matches!(self, Self::Drill(_))
    }

    /// Fails unless `place` is this database's. A place without an owner becomes its own, and so
    /// does one of the database that it was restored from. Fails if it is a drill, or another
    /// database owns the place (naming it, and what to do), or the place cannot be reached.
    pub fn claim(&self, place: &Marked) -> Result<()> {
        match self {
            Self::Drill(_) => bail!("this is a drill: it writes nothing into {place}"),
            Self::Production(claimant) => claimant.claim(place),
        }
    }

    /// What people should know of it, a sentence each.
    pub fn problems(&self) -> Vec<String> {
        match self {
            Self::Drill(Some(since)) => vec![format!(
                "This is a drill, restored at {since}: it sends no emails and makes no backups. \
                 `guardpost promote` ends it."
            )],
            Self::Drill(None) => {
                vec!["This is a drill: it sends no emails and makes no backups.".to_owned()]
            }
            Self::Production(claimant) => {
                let refusals = claimant.refusals.lock();
                refusals.values().map(|why| format!("{why}.")).collect()
            }
        }
    }
}

impl Claimant {
    /// The database of `installation`.
    pub fn new(installation: Installation, config: &config::Data, clock: &Clock) -> Self {
        Self {
            installation,
            data: absolute(&config.dir),
            clock: clock.clone(),
            refusals: Arc::default(),
        }
    }

    fn claim(&self, place: &Marked) -> Result<()> {
        let claimed = self.write(place, |owner| self.follows(owner));
        let mut refusals = self.refusals.lock();
        let refused = match claimed.with_context(|| format!("the owner of {place}"))? {
            Taken::Refused(owner) => refusal(place, &owner),
            Taken::Ours | Taken::From(_) => {
                refusals.remove(&place.to_string());
                return Ok(());
            }
        };
        refusals.insert(place.to_string(), refused.clone());
        bail!(refused)
    }

    /// Whether the owner is this database or the one that it was restored from.
    fn follows(&self, owner: &Owner) -> bool {
        let Installation {
            mark, predecessor, ..
        } = &self.installation;
        owner.mark == *mark || Some(&owner.mark) == predecessor.as_ref()
    }

    /// Why this database may not write into `place`, if so. Writes nothing. Fails if the place
    /// cannot be read.
    pub fn refusal(&self, place: &Marked) -> Result<Option<String>> {
        let other = place.read()?.filter(|owner| !self.follows(owner));
        Ok(other.map(|owner| refusal(place, &owner)))
    }

    /// Makes the place this database's, whosever it is; returns the former owner, if any. Fails if
    /// the place cannot be reached.
    pub fn take_over(&self, place: &Marked) -> Result<Option<String>> {
        match self.write(place, |_| true)? {
            Taken::From(owner) => Ok(Some(owner.describe())),
            Taken::Ours | Taken::Refused(_) => Ok(None),
        }
    }

    /// Writes the mark unless it is there, or `may_replace` refuses the owner.
    fn write(&self, place: &Marked, may_replace: impl Fn(&Owner) -> bool) -> Result<Taken> {
        let former = place.read()?;
        let mark = &self.installation.mark;
        match &former {
            Some(owner) if owner.mark == *mark => return Ok(Taken::Ours),
            Some(owner) if !may_replace(owner) => return Ok(Taken::Refused(owner.clone())),
            _ => {}
        }
        place.write(&Owner {
            mark: mark.clone(),
            host: host(),
            data: self.data.clone(),
            since: self.clock.now().to_string(),
        })?;
        // Of two servers that come at the same time the last one owns it.
        match place.read()? {
            Some(owner) if owner.mark != *mark => Ok(Taken::Refused(owner)),
            _ => Ok(former.map_or(Taken::Ours, Taken::From)),
        }
    }
}

/// The outcome of a claim.
enum Taken {
    Ours,
    From(Owner),
    Refused(Owner),
}

/// Why a place of another owner is left alone, and what to do.
fn refusal(place: &Marked, owner: &Owner) -> String {
    format!(
        "{place} belongs to {}: this server writes and deletes nothing there. If that one is gone \
         for good, run `guardpost promote --place {place}`",
        owner.describe()
    )
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
    name.map_or_else(
        |_| "another machine".to_owned(),
        |name| name.trim().to_owned(),
    )
}

fn absolute(folder: &Path) -> String {
    let path = std::path::absolute(folder);
    path.map_or_else(
        |_| folder.display().to_string(),
        |path| path.display().to_string(),
    )
}

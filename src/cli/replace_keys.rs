//! `guardpost replace-keys`: the way out when the key files are lost and no copy of them exists.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::global_args::GlobalArgs;
use super::{counted, key_files};
use crate::auth::lost_keys;
use crate::domain::clock::{Clock, Time};
use crate::store::key_files::{self as files, KeyError, KeyFile};

/// Make new keys where the key files are lost.
///
/// Look for a copy first, for this cannot be undone. It ends every session, removes every second factor and recovery code, and
/// voids every link and invitation that was sent. Passwords, people, roles, quotes and messages stay. Until they set up
/// a new factor, admins sign in with their password alone. Refused where the keys are there and belong to the database.
/// Stop the server first.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    systemctl stop guardpost && guardpost replace-keys --lost && systemctl start guardpost")]
pub(super) struct ReplaceKeys {
    /// The keys are lost and there is no copy
    #[arg(long, required = true)]
    lost: bool,
}

impl ReplaceKeys {
    pub(super) async fn run(self, place: &GlobalArgs) -> Result<()> {
        debug_assert!(self.lost);
        let config = place.settings()?;
        let folder = &config.data.dir;
        let store = GlobalArgs::open_existing(&config)?;
        let now = Clock::system().now();
        let mut replaced = 0;
        for file in KeyFile::ALL {
            let known = store
                .read(move |conn| files::known_keys(conn, file))
                .await?;
            match key_files::verify(folder, file, &known) {
                Ok(()) => continue,
                // The keys are there: this is mended by the command that the error names.
                Err(KeyError::Access(error)) => return Err(error.into()),
                Err(KeyError::Missing(_) | KeyError::Foreign(_) | KeyError::Damaged { .. }) => {}
            }
            let text = key_files::generate(file)?;
            let fingerprint = key_files::fingerprint(file, &text)?;
            let ended = lost_keys::replace(&store, file, fingerprint, now).await?;
            put_aside(&folder.join(file.name()), now)?;
            files::replace(folder, file, &text)
                .with_context(|| format!("cannot write {}", folder.join(file.name()).display()))?;
            println!("New keys are in {}.", folder.join(file.name()).display());
            if file == KeyFile::Auth {
                println!(
                    "{} ended, {} given up. Accounts without their second factor until a new one is set up: {}. Invite again who was invited.",
                    counted(ended.sessions, "session"),
                    counted(ended.emails, "unsent email"),
                    ended.people,
                );
            }
            replaced += 1;
        }
        if replaced == 0 {
            bail!(
                "no keys are lost: those in {} belong to this database, or it needs none yet. For new signing keys there is rotate-keys",
                folder.display()
            );
        }
        Ok(())
    }
}

/// Keys of another database may be of use to that one.
fn put_aside(path: &Path, now: Time) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".replaced-{}", now.millis()));
    fs::rename(path, &name).with_context(|| format!("cannot rename {}", path.display()))?;
    println!("The old file is now {}.", Path::new(&name).display());
    Ok(())
}

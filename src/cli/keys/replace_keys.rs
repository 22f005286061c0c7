//! `guardpost replace-keys`: creates new key files if the old ones are lost.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::key_files;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use auth::keys::lost_keys;
use domain::clock::{Clock, Time};
use store::database::key_files as files;
use store::database::key_files::{KeyError, KeyFile};

/// Create new keys if the key files are lost.
///
/// Look for a backup first: this cannot be undone. It ends every session, removes every second
/// factor and recovery code, and invalidates every link and invitation sent so far. Passwords,
/// accounts, roles, quotes and messages are kept. Until they set up a new factor, admins sign in
/// with their password alone. The command fails if the keys exist and belong to the database. Stop
/// the server first.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    systemctl stop guardpost && guardpost replace-keys --lost && systemctl start guardpost")]
pub(in crate::cli) struct ReplaceKeys {
    /// Confirm that the keys are lost and no backup exists
    #[arg(long, required = true)]
    lost: bool,
}

impl ReplaceKeys {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        debug_assert!(self.lost);
        let config = globals.settings()?;
        let folder = &config.data.dir;
        let store = GlobalArgs::open_existing(&config)?;
        let now = Clock::system().now();
        let mut replaced = 0;
        for file in KeyFile::ALL {
            let known = store
                .read(move |conn| files::rows::known_keys(conn, file))
                .await?;
            match key_files::verify(folder, file, &known) {
                Ok(()) => continue,
                // The keys exist but are not private; the error names the command that fixes this.
                Err(KeyError::Access(error)) => return Err(error.into()),
                Err(KeyError::Missing(_) | KeyError::Foreign(_) | KeyError::Damaged { .. }) => {}
            }
            let text = key_files::generate(file)?;
            let fingerprint = key_files::fingerprint(file, &text)?;
            let ended = lost_keys::replace(&store, file, fingerprint, now).await?;
            rename_old_file(&folder.join(file.name()), now)?;
            files::replace(folder, file, &text)
                .with_context(|| format!("cannot write {}", folder.join(file.name()).display()))?;
            say!("New keys are in {}.", folder.join(file.name()).display());
            if file == KeyFile::Auth {
                say!(
                    "{} ended, {} given up. Accounts without their second factor until a new one \
                     is set up: {}. Send pending invitations again.",
                    count_noun(ended.sessions, "session"),
                    count_noun(ended.emails, "unsent email"),
                    ended.people,
                );
            }
            replaced += 1;
        }
        if replaced == 0 {
            bail!(
                "no keys are lost: those in {} belong to this database, or it needs none yet. Use \
                 rotate-keys for new signing keys",
                folder.display()
            );
        }
        Ok(())
    }
}

/// Renames instead of deleting, since the file may hold the keys of another database.
fn rename_old_file(path: &Path, now: Time) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".replaced-{}", now.millis()));
    fs::rename(path, &name).with_context(|| format!("cannot rename {}", path.display()))?;
    say!("The old file is now {}.", Path::new(&name).display());
    Ok(())
}

//! Which settings and which data folder a command works on: the flags that every command takes.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::config::Config;
use crate::store::{Store, access};

/// The settings file that is read where none is named.
const SETTINGS: &str = "config.toml";

/// Which settings, which data.
#[derive(Args)]
pub(super) struct GlobalArgs {
    /// The settings file [default: config.toml in the current folder, where there is one]
    #[arg(long, global = true, value_name = "FILE", display_order = 100)]
    config: Option<PathBuf>,
    /// The folder of the database, the keys and the mails; overrides `data.dir`
    #[arg(long, global = true, value_name = "DIR", display_order = 101)]
    data: Option<PathBuf>,
}

impl GlobalArgs {
    /// Reads the settings: flags over environment over file over defaults.
    pub(super) fn settings(&self) -> Result<Config> {
        let shipped = Path::new(SETTINGS);
        let file = match &self.config {
            Some(path) => Some(path.as_path()),
            None => shipped.exists().then_some(shipped),
        };
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let mut config = Config::load(file, environment)?;
        if let Some(data) = &self.data {
            config.data.dir.clone_from(data);
        }
        Ok(config)
    }

    /// Opens the database of `config`'s data folder, making both where there is none.
    pub(super) fn open(config: &Config) -> Result<Store> {
        make_private(&config.data.dir)?;
        open(&config.data.dir)
    }

    /// Opens the database of `config`'s data folder, which must be there: for commands that only make sense on one that is in use.
    pub(super) fn open_existing(config: &Config) -> Result<Store> {
        let file = database(&config.data.dir);
        match file.try_exists() {
            Ok(true) => {}
            Ok(false) => bail!(
                "there is no database at {}; is this the right folder? (--data DIR)",
                file.display()
            ),
            Err(error) => bail!(
                "cannot look into {}: {error}; run this as the user the server runs as",
                config.data.dir.display()
            ),
        }
        open(&config.data.dir)
    }
}

/// Where the database lies in the data folder.
pub(super) fn database(folder: &Path) -> PathBuf {
    folder.join("guardpost.db")
}

fn open(folder: &Path) -> Result<Store> {
    keep_private(folder)?;
    let file = database(folder);
    Store::open(&file).with_context(|| {
        format!(
            "cannot open the database {} (it has to be a database of this program, and the folder writable for this user; --data DIR names another)",
            file.display()
        )
    })
}

/// What a start makes private where it is not: files of older versions, and copies that were put back.
pub(super) fn private_files(folder: &Path) -> [PathBuf; 4] {
    [
        "guardpost.db",
        "guardpost.db-wal",
        "guardpost.db-shm",
        "mail",
    ]
    .map(|name| folder.join(name))
}

fn keep_private(folder: &Path) -> Result<()> {
    let files = private_files(folder);
    let changed = access::make_private(&files).with_context(|| {
        format!(
            "other users of this host can open files in {}, and this user cannot change that; run this as the user the server runs as",
            folder.display()
        )
    })?;
    for path in changed {
        eprintln!(
            "note: other users of this host could open {}; from now on only its owner can",
            path.display()
        );
    }
    Ok(())
}

/// Makes the folder for our eyes only: it holds keys and what visitors wrote. One that is there already keeps its permissions.
fn make_private(folder: &Path) -> Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot make the folder {}", parent.display()))?;
    }
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("cannot make the data folder {}", folder.display()))
        }
        _ => Ok(()),
    }
}

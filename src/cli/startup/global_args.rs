//! The flags of every command: which settings file and which data folder it uses.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use super::data_owner::{create_data_folder, work_as_owner};
use super::environment_file;
use config::{Config, Data, Sources};
use domain::clock::{Clock, Time};
use store::Store;
use store::database::connection::Checkpoints;
use store::database::disk::file_permissions::{quoted, require_private};
use store::database::disk::leftovers;
use store::database::disk::server_lock::ServerLock;
use store::installation::identity;

/// The settings file that is read if no other is given.
const DEFAULT_SETTINGS: &str = "config.toml";

/// The global flags `--config` and `--data`.
#[derive(Args, Clone)]
pub(in crate::cli) struct GlobalArgs {
    /// The settings file [default: config.toml in the current folder, if it exists]
    #[arg(long, global = true, value_name = "FILE", display_order = 100)]
    config: Option<PathBuf>,
    /// The folder with the database, keys, images and emails; overrides `data.dir`
    #[arg(long, global = true, value_name = "DIR", display_order = 101)]
    data: Option<PathBuf>,
    /// A file of environment variables, such as the secrets of the service; read as systemd reads
    /// an `EnvironmentFile`
    #[arg(long, global = true, value_name = "FILE", display_order = 102)]
    env_file: Option<PathBuf>,
    /// The variables of that file.
    #[arg(skip)]
    variables: Vec<(String, String)>,
}

/// The rights of a command that root runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum RunAs {
    /// Those of root: the command does not write to the data folder.
    Caller,
    /// Those of the owner of the data folder.
    Owner,
    /// The same, and the right to listen on ports below 1024.
    OwnerWithPorts,
}

impl GlobalArgs {
    /// Reads the file of `--env-file`, then takes the rights of `run_as`. Returns the user whose
    /// rights they are if they are not the caller's. Fails if the file cannot be read, or the
    /// rights cannot be taken.
    pub(in crate::cli) fn prepare(&mut self, run_as: RunAs) -> Result<Option<String>> {
        if let Some(file) = &self.env_file {
            self.variables = environment_file::read(file)?;
        }
        if run_as == RunAs::Caller {
            return Ok(None);
        }
        match self.settings() {
            Ok(config) => work_as_owner(&config.data.dir, run_as == RunAs::OwnerWithPorts),
            // The command itself reports invalid settings.
            Err(_) => Ok(None),
        }
    }

    /// Reads the settings. Precedence, highest first: flags, environment, file, defaults.
    pub(in crate::cli) fn settings(&self) -> Result<Config> {
        Ok(self.settings_with_sources()?.0)
    }

    /// Whether `--data` is given.
    pub(in crate::cli) const fn names_data(&self) -> bool {
        self.data.is_some()
    }

    /// The settings, and where each comes from.
    pub(in crate::cli) fn settings_with_sources(&self) -> Result<(Config, Sources)> {
        let default = Path::new(DEFAULT_SETTINGS);
        let file = match &self.config {
            Some(path) => Some(path.as_path()),
            None => default.exists().then_some(default),
        };
        // A variable of the process has precedence.
        let own = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let environment = self.variables.iter().cloned().chain(own);
        let (mut config, sources) = Config::load_with_sources(file, environment)?;
        if let Some(data) = &self.data {
            config.data.dir.clone_from(data);
        }
        refuse_file(&config.data.dir)?;
        Ok((config, sources))
    }

    /// The command line for another command with the same settings and data folder, as in
    /// `guardpost promote --data data-drill`.
    pub(in crate::cli) fn line(&self, command: &str) -> String {
        let flags = [("data", &self.data), ("config", &self.config)];
        let flags = flags.into_iter().filter_map(|(name, path)| {
            let path = quoted(path.as_deref()?);
            Some(format!(" --{name} {path}"))
        });
        format!("guardpost {command}{}", flags.collect::<String>())
    }

    /// Fails if the data folder is a drill: `what` would affect production.
    pub(in crate::cli) fn refuse_drill(&self, config: &Config, what: &str) -> Result<()> {
        match drill_since(&config.data.dir)? {
            None => Ok(()),
            Some(since) => bail!(
                "{} is a drill, restored from a backup at {since}: {what}. To make it the \
                 production server, type\n  {}",
                config.data.dir.display(),
                self.line("promote")
            ),
        }
    }

    /// Opens the database in `config`'s data folder; creates both if they do not exist.
    pub(in crate::cli) fn open(config: &Config) -> Result<Store> {
        create_data_folder(&config.data.dir)?;
        // No server would start on it.
        require_private(&config.data.dir)?;
        open(&config.data)
    }

    /// Takes the data folder for the server of this process, and creates it if it does not exist.
    /// Fails if another server runs on it.
    pub(in crate::cli) fn lock_folder(config: &Config) -> Result<ServerLock> {
        let folder = &config.data.dir;
        create_data_folder(folder)?;
        require_private(folder)?;
        require_usable(folder)?;
        let lock = ServerLock::take(folder).with_context(|| folder.display().to_string())?;
        leftovers::remove_unfinished(folder)
            .with_context(|| format!("cannot remove unfinished work in {}", folder.display()))?;
        Ok(lock)
    }

    /// Opens the existing database in `config`'s data folder, for commands that are meaningless on
    /// an empty one.
    pub(in crate::cli) fn open_existing(config: &Config) -> Result<Store> {
        if let Some(why) = leftovers::explain_incomplete(&config.data.dir) {
            bail!(why);
        }
        let file = database(&config.data.dir);
        match file.try_exists() {
            Ok(true) => {}
            Ok(false) => bail!(
                "there is no database at {}; use --data DIR to name another folder",
                file.display()
            ),
            Err(error) => bail!(
                "cannot read {}: {error}; run this as the server's user",
                config.data.dir.display()
            ),
        }
        open(&config.data)
    }
}

/// Fails if the data folder is a file, such as the database in it.
fn refuse_file(folder: &Path) -> Result<()> {
    if folder.is_file() {
        let hint = match folder
            .file_name()
            .is_some_and(|name| name == "guardpost.db")
        {
            true => "; name the folder that it is in",
            false => "",
        };
        bail!(
            "the data folder {} is a file: --data and `data.dir` name a folder{hint}",
            folder.display()
        );
    }
    Ok(())
}

/// Fails unless the data folder is complete and can be written.
fn require_usable(folder: &Path) -> Result<()> {
    if let Some(fault) = explain_unusable(folder) {
        bail!(fault);
    }
    Ok(())
}

/// Why no command can work with the data folder, and what to do; `None` if it can.
pub(in crate::cli) fn explain_unusable(folder: &Path) -> Option<String> {
    let (name, file) = (folder.display(), database(folder));
    if let Some(why) = leftovers::explain_incomplete(folder) {
        return Some(why);
    }
    if let Ok(target) = fs::read_link(&file) {
        return Some(format!(
            "{} is a symbolic link, and its log would be elsewhere: move {} here, or name its \
             folder with data.dir or --data",
            file.display(),
            target.display()
        ));
    }
    let error = leftovers::probe(folder).err()?;
    match error.kind() {
        ErrorKind::ReadOnlyFilesystem => Some(format!(
            "{name} is on a file system that is mounted read-only, as the system does after an \
             error of the disk: `dmesg` names it. Mend the disk, and mount it again"
        )),
        ErrorKind::PermissionDenied => Some(format!(
            "this user cannot write into {name}; run this as the server's user"
        )),
        // With a full disk, requests are stored in their reserve.
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => None,
        _ => Some(format!("{name} cannot be written: {error}")),
    }
}

/// Since when the data folder is a drill.
fn drill_since(folder: &Path) -> Result<Option<Time>> {
    if let Some(why) = leftovers::explain_incomplete(folder) {
        bail!(why);
    }
    let file = database(folder);
    if !file.exists() {
        return Ok(None);
    }
    let known = identity::of_file(&file)
        .with_context(|| format!("cannot read the database {}", file.display()))?;
    Ok(known.and_then(|known| known.drill_since))
}

/// The path of the database in the data folder.
pub(in crate::cli) fn database(folder: &Path) -> PathBuf {
    folder.join("guardpost.db")
}

fn open(data: &Data) -> Result<Store> {
    require_usable(&data.dir)?;
    let file = database(&data.dir);
    let checkpoints = match data.replicated {
        true => Checkpoints::Replicator,
        false => Checkpoints::Store,
    };
    let store = Store::open_with(&file, checkpoints).with_context(|| {
        format!(
            "cannot open the database {} (it must be a guardpost database in a folder that this \
             user can write; --data DIR names another)",
            file.display()
        )
    })?;
    if let Some(newest) = store.newest_time()? {
        Clock::system().start_at(newest);
    }
    Ok(store)
}

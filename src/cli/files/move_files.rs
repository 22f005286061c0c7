//! `guardpost files move`: moves all files to another place.

use anyhow::{Result, bail};

use super::open::open;
use crate::cli::output::count_noun::count_noun;
use crate::cli::output::progress;
use crate::cli::startup::global_args::GlobalArgs;
use backup::Progress;
use config::Config;
use domain::clock::Clock;
use s3::ownership::Role;
use storage::moving::{DATA, Move, Moved};
use store::Store;

/// The place of files by the settings.
fn current_place(config: &Config) -> &str {
    match config.files.to.trim_end_matches('/') {
        "" => DATA,
        bucket => bucket,
    }
}

pub(super) async fn move_and_tell(
    globals: &GlobalArgs,
    config: &Config,
    store: Store,
    from: Option<String>,
    to: &str,
) -> Result<()> {
    let (to, current) = (to.trim_end_matches('/'), current_place(config));
    let is_current = to == current;
    let from = match (from, is_current) {
        (Some(from), _) => from,
        (None, false) => current.to_owned(),
        (None, true) if to == DATA => bail!("name the bucket from which to move: --from s3://…"),
        (None, true) => DATA.to_owned(),
    };
    let from = from.trim_end_matches('/');
    if from == to {
        bail!("the files are in {to} already");
    }
    let moved = move_files(config, store, FromTo { from, to }, is_current).await?;
    let copied = count_noun(moved.copied, "content");
    say!(
        "{copied} copied to {to} and read back, {} bytes",
        moved.bytes
    );
    if is_current {
        say!(
            "{} deleted in {from}: {} that {to} has, {} that no file needs",
            count_noun(moved.removed + moved.unused, "content"),
            moved.removed,
            moved.unused
        );
    } else {
        let setting = if to == DATA { "" } else { to };
        say!(
            "Nothing was deleted in {from}, where the server keeps its files until you set \
             files.to = \"{setting}\" and restart it. Then move the rest:\n  {}",
            globals.line(&format!("files move --from {from} --to {to}"))
        );
    }
    for sha256 in &moved.damaged {
        note!("damaged: {sha256}");
    }
    if !moved.damaged.is_empty() {
        let damaged = count_noun(moved.damaged.len(), "content");
        bail!("{damaged} damaged: restore them in {from} from a backup, and move again");
    }
    Ok(())
}

/// The places of a move: `data`, or a bucket.
pub(in crate::cli) struct FromTo<'a> {
    pub from: &'a str,
    pub to: &'a str,
}

/// Moves the contents from one place to another; with `remove`, deletes them at the old place.
pub(in crate::cli) async fn move_files(
    config: &Config,
    store: Store,
    places: FromTo<'_>,
    remove: bool,
) -> Result<Moved> {
    let role = Role::of(&store, &config.data, &Clock::system()).await?;
    let known = open(config, store).await?.known_to_a_move().await?;
    let (from, to) = (places.from.to_owned(), places.to.to_owned());
    let (s3, data) = (config.s3.clone(), config.data.dir.clone());
    progress::run(move |watch| {
        let work = Move::open(&from, &to, &s3, &data, &role)?;
        work.run(&known, remove, &mut |done, total| {
            watch(Progress {
                step: "moving the files",
                done,
                total,
            })
        })
    })
    .await
}

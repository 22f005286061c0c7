//! Opens the stored files for a command.

use anyhow::Result;

use crate::config::Config;
use crate::domain::clock::Clock;
use crate::domain::ids;
use crate::domain::sealing::SealingKey;
use crate::ownership::Role;
use crate::site::renderer::this_program;
use crate::storage::Files;
use crate::storage::contents::Contents;
use crate::storage::pictures::process::PictureProgram;
use crate::store::Store;

pub(super) async fn open(config: &Config, store: Store) -> Result<Files> {
    // Commands make and open no tokens.
    let key = SealingKey::new(&ids::random_bytes())?;
    let clock = Clock::system();
    let role = Role::of(&store, &config.data, &clock).await?;
    let files = Files::open(
        store,
        clock,
        config.files.clone(),
        Contents::open(&config.files, &config.s3, &config.data.dir, &role)?,
        key,
        PictureProgram::of(this_program()),
    );
    Ok(files.await?)
}

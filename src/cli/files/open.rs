//! Opens the stored files for a command.

use anyhow::Result;

use config::Config;
use domain::clock::Clock;
use domain::ids;
use domain::sealing::SealingKey;
use s3::ownership::Role;
use site::renderer::this_program;
use storage::Files;
use storage::contents::Contents;
use storage::pictures::process::PictureProgram;
use store::Store;

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

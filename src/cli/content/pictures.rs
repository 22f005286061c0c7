//! The files of the pictures named by exported and imported content.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::Value;

use crate::cli::output::new_file::NewFile;
use domain::content::{Sections, picture_name, pictures};
use site::publishing::Publisher;
use storage::pictures::site_picture;

/// The key of the section that names pictures, and the folder of their files.
const PICTURES: &str = "pictures";

/// Writes the pictures that the content names into a folder beside its sections; returns their
/// number.
pub(super) async fn export(publisher: &Publisher, all: &Sections, folder: &Path) -> Result<u64> {
    let names = pictures(all)
        .into_iter()
        .map(|picture| picture.name.to_owned());
    let stored = publisher.stored_pictures(names.collect()).await?;
    let folder = folder.join(PICTURES);
    if !stored.is_empty() {
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    for (name, bytes) in &stored {
        let path = folder.join(name);
        let mut file = NewFile::create(&path, false)?;
        file.write_all(bytes)?;
        file.finish()?;
    }
    Ok(stored.len() as u64)
}

/// Stores the pictures that the content names, from files in the folder `pictures` beside the
/// sections, and replaces their names by the stored ones.
pub(super) async fn read_new(
    publisher: &Publisher,
    all: &mut Sections,
    path: &Path,
) -> Result<Vec<Vec<u8>>> {
    let names = pictures(all)
        .into_iter()
        .map(|picture| picture.name.to_owned());
    let stored = publisher.stored_pictures(names.collect()).await?;
    let beside = if path.is_dir() {
        Some(path)
    } else {
        path.parent()
    };
    let folder = beside.unwrap_or(Path::new("")).join(PICTURES);
    let mut made = Vec::new();
    let entries = all.get_mut(PICTURES).and_then(Value::as_array_mut);
    for entry in entries.into_iter().flatten() {
        let name = entry["picture"].as_str().unwrap_or_default();
        // An invalid name breaks a rule of the content.
        if name.is_empty() || name.contains('/') || stored.contains_key(name) {
            continue;
        }
        let file = folder.join(name);
        let bytes =
            fs::read(&file).with_context(|| format!("pictures.json names {}", file.display()))?;
        let picture =
            site_picture::make(&bytes).map_err(|unfit| anyhow!("{} {unfit}", file.display()))?;
        entry["picture"] = picture_name(&picture).into();
        made.push(picture);
    }
    Ok(made)
}

//! `guardpost content`: exports and imports the site's content as files.

mod pictures;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::Value;

use super::output::count_noun::count_noun;
use super::output::new_file::NewFile;
use super::startup::global_args::GlobalArgs;
use domain::clock::Clock;
use domain::content::Sections;
use site::publishing::{Publication, Publisher};
use site::renderer::{self, Renderer};
use site::sections;
use store::content::publish::Reason;

/// Export and import the texts and pictures of the site.
///
/// They are company facts, licenses, services, insurance, prices, careers, states, clients,
/// testimonials, questions, press releases and pictures. A section is a JSON file, as in faqs.json;
/// the files that pictures.json names are in the folder `pictures` beside it. What breaks a rule is
/// refused whole, with file, place and rule; else it is published at once, and a running server
/// shows it within seconds. The dashboard has the same under Site.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost content export content/\n  \
    guardpost content import content/")]
pub(super) struct ContentCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write every section as it is published into a folder; no file is overwritten
    Export {
        /// The folder; it is created
        folder: PathBuf,
    },
    /// Check a file or all files of a folder, and publish what has changed
    Import {
        /// A file named after its section, as in faqs.json, or a folder of such files
        path: PathBuf,
    },
}

impl ContentCommand {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let store = GlobalArgs::open(&config)?;
        let (clock, renderer) = (Clock::system(), Renderer::of(renderer::this_program()));
        let publisher = Publisher::open(store.clone(), clock, &config.company, renderer).await?;
        let result = match self.command {
            Command::Export { folder } => export(&publisher, &folder).await,
            Command::Import { path } => import(&publisher, &path).await,
        };
        store.close().await;
        result
    }
}

async fn export(publisher: &Publisher, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let all = publisher.sections()?;
    for (key, value) in &all {
        let path = folder.join(format!("{key}.json"));
        let mut file = NewFile::create(&path, false)?;
        serde_json::to_writer_pretty(&mut file, value)?;
        writeln!(file)?;
        file.finish()?;
    }
    let pictures = pictures::export(publisher, &all, folder).await?;
    let pictures = match pictures {
        0 => String::new(),
        pictures => format!("{} and ", count_noun(pictures, "picture")),
    };
    note!(
        "{pictures}{} in {}",
        count_noun(all.len() as u64, "section"),
        folder.display()
    );
    Ok(())
}

async fn import(publisher: &Publisher, path: &Path) -> Result<()> {
    let mut all = read(publisher, path)?;
    let pictures = pictures::read_new(publisher, &mut all, path).await?;
    if all == publisher.sections()? {
        say!("Nothing has changed.");
        return Ok(());
    }
    sections::require_valid(&publisher.rules, &all, &publisher.defaults()?)?;
    for picture in pictures {
        publisher.store_picture(picture).await?;
    }
    let state = publisher.prepare(all).await?;
    let publication = Publication {
        by: None,
        reason: Reason::Import,
        drafts: [].into(),
    };
    let publishing = publisher.begin().await;
    publishing.store(&state, publication).await?;
    say!("Version {} is published.", state.version);
    Ok(())
}

/// Every section: those of the files at `path`, and the published ones.
fn read(publisher: &Publisher, path: &Path) -> Result<Sections> {
    let mut all = publisher.sections()?;
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries =
            fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        files = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_>>()?;
        files.retain(|file| {
            file.extension()
                .is_some_and(|extension| extension == "json")
        });
        files.sort();
    }
    if files.is_empty() {
        bail!("there is no JSON file in {}", path.display());
    }
    for file in files {
        let key = file
            .file_stem()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if !all.contains_key(key) {
            let known: Vec<&str> = publisher.rules.keys().collect();
            bail!(
                "{}: no section; name the file after one of {}",
                file.display(),
                known.join(", ")
            );
        }
        all.insert(key.to_owned(), read_json(&file)?);
    }
    Ok(all)
}

fn read_json(file: &Path) -> Result<Value> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&text).with_context(|| file.display().to_string())
}

//! `guardpost config`: prints the settings that are in force.

use anyhow::Result;
use clap::Args;
use serde_json::{Map, json};

use super::startup::global_args::GlobalArgs;

/// Print each setting that is in force, and where it comes from.
///
/// A value comes from the command line, an environment variable, the settings file or the defaults.
/// Secrets are not printed.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost config\n  \
    guardpost config --changed\n  \
    guardpost config --json | jq '.[\"server.listen\"]'")]
pub(super) struct ConfigCommand {
    /// Only those that differ from their defaults
    #[arg(long)]
    changed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ConfigCommand {
    pub(super) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let (config, sources) = globals.settings_with_sources()?;
        let defaults = config::Config::default().values()?;
        let mut all = Map::new();
        for (key, value) in config.values()? {
            if self.changed && defaults.contains(&(key.clone(), value.clone())) {
                continue;
            }
            let source = match key.as_str() {
                "data.dir" if globals.names_data() => "--data",
                key => sources.of(key),
            };
            match self.json {
                true => drop(all.insert(key, json!({ "value": value, "source": source }))),
                false => say!("{key} = {value}  # {source}"),
            }
        }
        if self.json {
            say!("{:#}", serde_json::Value::Object(all));
        }
        for gone in sources.gone {
            note!("warning: `{gone}` is no setting any more and changes nothing: remove it");
        }
        Ok(())
    }
}

//! Typed settings, one struct a section. Order of say: environment (`GUARDPOST_SECTION__KEY=value`) over `config.toml` over the defaults
//! written here. Unknown keys and bad values are errors that name the key. Each part of the program receives its own section.

mod auth;
mod company;
mod limits;
mod mail;
mod providers;
mod secret;
mod server;

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

pub use auth::Auth;
pub use company::{Company, tel_link};
pub use limits::Limits;
pub use mail::{Mail, SmtpSecurity};
pub use providers::{OidcProvider, SsoDomain, Web3};
pub use secret::Secret;
pub use server::{Data, Server, is_loopback};

/// Every setting of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Who we are: shown on every page, mail and in structured data.
    pub company: Company,
    /// Where and how the server listens.
    pub server: Server,
    /// How much a client may do in how long.
    pub limits: Limits,
    /// The authentication service.
    pub auth: Auth,
    /// How notices leave the house.
    pub mail: Mail,
    /// Where everything the server writes lies.
    pub data: Data,
}

/// The prefix of every environment variable that overrides a setting.
const PREFIX: &str = "GUARDPOST_";

impl Config {
    /// Reads `file` (defaults alone when `None`), then the environment, then checks every section.
    ///
    /// # Errors
    /// Names the file, the key and the reason.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self> {
        let mut table = match file {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the settings in {}", path.display()))?;
                let table = text
                    .parse::<Table>()
                    .with_context(|| format!("{} is not valid TOML", path.display()))?;
                refuse_secrets(&table).with_context(|| format!("in {}", path.display()))?;
                table
            }
            None => Table::new(),
        };
        let defaults = Table::try_from(Self::default()).context("the default settings")?;
        for (name, value) in environment {
            let Some(key) = name.strip_prefix(PREFIX) else {
                continue;
            };
            if key.contains("__") {
                overlay(&mut table, &defaults, key, &value)
                    .with_context(|| format!("in the environment variable {name}"))?;
            } else if let Some(meant) = meant(key, &defaults) {
                bail!("the environment variable {name} names no setting; write {meant}");
            }
        }
        refuse_removed(&table)?;
        let config: Self =
            serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| {
                let key = error.path().to_string();
                let reason = in_words(error.into_inner().message());
                anyhow::anyhow!("setting `{key}`: {reason}")
            })?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<()> {
        self.company.check().context("in [company]")?;
        self.server.check().context("in [server]")?;
        self.limits.check().context("in [limits]")?;
        self.auth.check().context("in [auth]")?;
        self.mail.check().context("in [mail]")
    }
}

/// What the parser calls by its own names, as an operator would.
fn in_words(message: &str) -> String {
    let mut words = message.to_owned();
    for number in ["u16", "u32", "usize"] {
        words = words.replace(&format!("expected {number}"), "expected a whole number");
    }
    words.replace(
        "invalid socket address syntax",
        "give ADDRESS:PORT, as in 127.0.0.1:8080",
    )
}

/// The variable that somebody meant who wrote `SERVER_LISTEN` with one underscore. Anything else with our prefix may be somebody else's.
fn meant(key: &str, defaults: &Table) -> Option<String> {
    let key = key.to_lowercase();
    let settings = defaults.iter().filter_map(|(section, value)| {
        let rest = key.strip_prefix(section.as_str())?.strip_prefix('_')?;
        value.as_table()?.contains_key(rest).then(|| {
            format!(
                "{PREFIX}{}__{}",
                section.to_uppercase(),
                rest.to_uppercase()
            )
        })
    });
    settings.into_iter().next()
}

/// Settings that this program no longer has, and what to write instead.
const REMOVED: [(&str, &str, &str); 1] = [(
    "mail",
    "max_attempts",
    "emails are tried again for a time, not a number of times; write mail.give_up_hours (120 where nothing is written)",
)];

/// A setting of an older version stops the start with the name of its replacement.
fn refuse_removed(table: &Table) -> Result<()> {
    for (section, key, instead) in REMOVED {
        let section_table = table.get(section).and_then(Value::as_table);
        if section_table.is_some_and(|table| table.contains_key(key)) {
            bail!("setting `{section}.{key}` was removed: {instead}");
        }
    }
    Ok(())
}

/// Secrets in a file that is copied and committed leak; they come from the environment or from a file of their own.
fn refuse_secrets(table: &Table) -> Result<()> {
    if table
        .get("mail")
        .and_then(|mail| mail.get("smtp_password"))
        .is_some()
    {
        bail!(
            "setting `mail.smtp_password`: secrets do not belong in this file; set GUARDPOST_MAIL__SMTP_PASSWORD or mail.smtp_password_file"
        );
    }
    Ok(())
}

/// Puts `SECTION__KEY[__KEY]` = `value` into `table`. A setting whose default is text takes the value as it stands; any other is read as TOML.
fn overlay(table: &mut Table, defaults: &Table, key: &str, value: &str) -> Result<()> {
    let path: Vec<String> = key.split("__").map(str::to_lowercase).collect();
    let Some((last, sections)) = path.split_last() else {
        bail!("names no setting")
    };
    let (mut at, mut default) = (table, Some(defaults));
    for section in sections {
        default = default
            .and_then(|table| table.get(section))
            .and_then(Value::as_table);
        let next = at
            .entry(section.clone())
            .or_insert_with(|| Value::Table(Table::new()));
        at = next
            .as_table_mut()
            .with_context(|| format!("`{section}` is a value, not a section"))?;
    }
    let parsed = match default.and_then(|table| table.get(last)) {
        Some(Value::String(_)) | None => Value::String(value.to_owned()),
        Some(_) => format!("v = {value}")
            .parse::<Table>()
            .ok()
            .and_then(|mut t| t.remove("v"))
            .unwrap_or_else(|| Value::String(value.to_owned())),
    };
    at.insert(last.clone(), parsed);
    Ok(())
}

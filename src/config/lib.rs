//! Typed settings, one struct per section. Precedence, highest first: environment variables
//! (`GUARDPOST_SECTION__KEY=value`), `config.toml`, the defaults in this module. Unknown keys and
//! invalid values are errors that name the key. Each module receives only its own section. Fields
//! that serde skips are no settings but constants, which only tests change.

mod alarms;
mod auth;
mod backup;
mod company;
mod data;
mod desk;
mod environment;
mod files;
mod gone;
mod inbound;
mod license;
mod limits;
mod mail;
mod outgoing;
mod phone;
mod providers;
mod retention;
mod s3;
mod secret;
mod server;
mod sources;
mod unknown;

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

pub use alarms::{Alarms, ChainStep};
pub use auth::Auth;
pub use backup::Backup;
pub use company::{Company, tel_link};
pub use data::Data;
pub use desk::{Desk, HELD_DAYS};
pub use files::Files;
pub use inbound::Inbound;
pub use license::License;
pub use limits::Limits;
pub use mail::{Mail, SmtpSecurity};
pub use outgoing::Outgoing;
pub use phone::Phone;
pub use providers::{OidcProvider, SsoDomain, Web3};
pub use retention::Retention;
pub use s3::{S3, SCHEME, bucket_and_prefix};
pub use secret::Secret;
pub use server::{LogFormat, RedirectListen, Server, is_loopback};
pub use sources::Sources;

use environment::{PREFIX, apply_variable, suggest_variable};
use gone::{remove_gone, section_in};

/// Every setting of the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Company facts for pages, emails and structured data.
    pub company: Company,
    /// The quote desk.
    pub desk: Desk,
    /// The HTTP server.
    pub server: Server,
    /// Rate limits and quotas.
    pub limits: Limits,
    /// The authentication service.
    pub auth: Auth,
    /// Email delivery.
    pub mail: Mail,
    /// The storage service.
    pub files: Files,
    /// The data folder.
    pub data: Data,
    /// Backups.
    pub backup: Backup,
    /// The service of the buckets for files and backups.
    pub s3: S3,
    /// How long requests are kept.
    pub retention: Retention,
    /// Who is notified of emergencies.
    pub alarms: Alarms,
    /// Calls and text messages.
    pub phone: Phone,
    /// Requests to addresses that people type.
    pub outgoing: Outgoing,
}

impl Config {
    /// Reads `file` (only the defaults if `None`), applies the environment, and validates every
    /// section. Errors: names the file, the key and the reason.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self> {
        Ok(Self::load_with_sources(file, environment)?.0)
    }

    /// The same, with where each setting comes from.
    pub fn load_with_sources(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<(Self, Sources)> {
        let mut table = match file {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the settings in {}", path.display()))?;
                let mut table = text
                    .parse::<Table>()
                    .with_context(|| format!("{} is not valid TOML", path.display()))?;
                reject_secrets(&mut table).with_context(|| format!("in {}", path.display()))?;
                table
            }
            None => Table::new(),
        };
        let defaults = Table::try_from(Self::default()).context("the default settings")?;
        let mut sources = Sources {
            in_file: unknown::names(&table).into_iter().collect(),
            ..Sources::default()
        };
        for (name, value) in environment {
            let Some(key) = name.strip_prefix(PREFIX) else {
                continue;
            };
            if key.contains("__") {
                apply_variable(&mut table, &defaults, key, &value)
                    .with_context(|| format!("in the environment variable {name}"))?;
                let key = key.to_lowercase().replace("__", ".");
                sources.variables.insert(key, name);
            } else if let Some(suggestion) = suggest_variable(key, &defaults) {
                bail!("the environment variable {name} names no setting; write {suggestion}");
            }
        }
        sources.gone = remove_gone(&mut table);
        let config: Self =
            serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| {
                let key = error.path().to_string();
                let message = error.into_inner().message().to_owned();
                let (key, reason) = match unknown::key_in(&message, &key) {
                    Some(key) => {
                        let hint = unknown::nearest(&key, &defaults);
                        let hint = hint.map(|near| format!("; did you mean `{near}`?"));
                        let reason = "there is no such setting".to_owned();
                        (key, reason + &hint.unwrap_or_default())
                    }
                    None => (key, friendly_message(&message)),
                };
                let place = match (sources.variables.get(&key), file) {
                    (Some(name), _) => format!(" in the environment variable {name}"),
                    (None, Some(file)) => format!(" in {}", file.display()),
                    (None, None) => String::new(),
                };
                anyhow::anyhow!("setting `{key}`{place}: {reason}")
            })?;
        config.check()?;
        Ok((config, sources))
    }

    /// Every setting with its value as TOML; a secret only says whether it is set.
    pub fn values(&self) -> Result<Vec<(String, String)>> {
        let table = Table::try_from(self)?;
        let secrets = [
            ("mail.smtp_password", &self.mail.smtp_password),
            ("mail.inbound.password", &self.mail.inbound.password),
            ("s3.secret_access_key", &self.s3.secret_access_key),
        ];
        let value = |key: &String| {
            let secret = secrets.iter().find(|(name, _)| name == key);
            if let Some((_, secret)) = secret {
                return if secret.is_empty() {
                    "\"\""
                } else {
                    "(secret)"
                }
                .to_owned();
            }
            let mut path = key.split('.');
            let first = path.next().and_then(|name| table.get(name));
            let value = path.fold(first, |at, name| at?.get(name));
            value.map(ToString::to_string).unwrap_or_default()
        };
        let names = unknown::names(&table);
        Ok(names
            .into_iter()
            .map(|key| (key.clone(), value(&key)))
            .collect())
    }

    /// The settings without secrets, as TOML: for backups.
    pub fn without_secrets(&self) -> Result<String> {
        let mut table = Table::try_from(self)?;
        // Secrets are serialized as empty texts; these are not accepted in a file at all.
        for (section, key, _) in SECRETS {
            section_in(&mut table, section).map(|table| table.remove(key));
        }
        Ok(toml::to_string_pretty(&table)?)
    }

    fn check(&self) -> Result<()> {
        self.company.check().context("in [company]")?;
        self.desk.check().context("in [desk]")?;
        self.server.check().context("in [server]")?;
        self.limits.check().context("in [limits]")?;
        self.auth.check().context("in [auth]")?;
        self.mail.check().context("in [mail]")?;
        self.backup.check(&self.data.dir).context("in [backup]")?;
        self.s3.check().context("in [s3]")?;
        self.alarms.check().context("in [alarms]")?;
        self.phone.check().context("in [phone]")?;
        self.files.check().context("in [files]")
    }
}

/// Replaces Rust type names in a parser message by terms an operator knows.
fn friendly_message(message: &str) -> String {
    let mut text = message.to_owned();
    for number in ["u16", "u32", "usize"] {
        text = text.replace(&format!("expected {number}"), "expected a whole number");
    }
    text.replace(
        "invalid socket address syntax",
        "expected ADDRESS:PORT, as in 127.0.0.1:8080",
    )
}

/// Secrets: section, key, and the setting that names a file with the secret instead.
const SECRETS: [(&str, &str, &str); 3] = [
    ("mail", "smtp_password", "smtp_password_file"),
    ("mail.inbound", "password", "password_file"),
    ("s3", "secret_access_key", "secret_access_key_file"),
];

/// Rejects secrets in the settings file, which is often copied and committed.
fn reject_secrets(table: &mut Table) -> Result<()> {
    for (section, key, file) in SECRETS {
        if section_in(table, section).is_some_and(|table| table.contains_key(key)) {
            let section_name = section.replace('.', "__");
            let variable = format!("{PREFIX}{section_name}__{key}").to_uppercase();
            bail!(
                "setting `{section}.{key}`: secrets do not belong in this file; set {variable} or \
                 {section}.{file}"
            );
        }
    }
    Ok(())
}

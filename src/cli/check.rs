//! `guardpost check`: validates the settings, checks the data folder, and warns about sample
//! content that should not be on a live site.

mod data;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::count_noun;
use super::global_args::GlobalArgs;
use super::serve::install_tls_provider;
use crate::config::{Company, Mail, Server, SmtpSecurity, is_loopback};
use crate::domain::clock::Clock;
use crate::http::page_map::PageMap;
use crate::http::tls;
use crate::outbox::mailer::Smtp;

/// Check the settings and the data folder, and warn about sample content.
///
/// Reads the whole database, its keys and its images; a server may be running. Exits with status 1
/// if a setting is invalid or the data folder has a fault (with --strict also if there is a
/// warning), otherwise with 0. Writes nothing.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost check\n  \
    guardpost check --strict --config /etc/guardpost.toml && systemctl restart guardpost")]
pub(super) struct Check {
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
}

/// The seed files whose entries may be marked as samples.
const SEEDS: [(&str, &str); 4] = [
    (
        "seeds/site/clients.json",
        include_str!("../../seeds/site/clients.json"),
    ),
    (
        "seeds/site/testimonials.json",
        include_str!("../../seeds/site/testimonials.json"),
    ),
    (
        "seeds/site/press.json",
        include_str!("../../seeds/site/press.json"),
    ),
    (
        "seeds/site/company.json",
        include_str!("../../seeds/site/company.json"),
    ),
];

impl Check {
    pub(super) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        config.mail.password()?;
        install_tls_provider()?;
        if !config.mail.smtp_host.is_empty() {
            // Validates the TLS settings; does not connect.
            Smtp::new(&config.mail)?;
        }
        let clock = Clock::system();
        tls::acceptor(&config.server, &clock)?;
        let media = config.data.dir.join("media");
        PageMap::open(
            &config.company,
            &config.server,
            &config.auth.sso,
            &media,
            &clock,
        )?;
        let mut warnings = company_warnings(&config.company);
        warnings.extend(server_warnings(&config.server));
        warnings.extend(mail_warnings(&config.mail));
        let data = data::examine(&config.data);
        warnings.extend(data.warnings);
        warnings.extend(sample_warnings()?);
        for warning in &warnings {
            println!("warning: {warning}");
        }
        for fault in &data.faults {
            println!("fault: {fault}");
        }
        if !data.faults.is_empty() {
            let faults = count_noun(data.faults.len(), "fault");
            bail!("{faults} in the data folder {}", config.data.dir.display());
        }
        match warnings.len() {
            0 => println!("The settings are valid, and there is no sample content."),
            n if self.strict => bail!("{}, and --strict was given", count_noun(n, "warning")),
            n => println!("The settings are valid; {}.", count_noun(n, "warning")),
        }
        Ok(())
    }
}

fn company_warnings(company: &Company) -> Vec<String> {
    let mut warnings = Vec::new();
    let sample = Company::default();
    let digits: String = company.phone.chars().filter(char::is_ascii_digit).collect();
    // North American numbers with the exchange 555 are fictitious.
    if digits.len() >= 10 && digits[digits.len() - 7..].starts_with("555") {
        warnings.push(format!(
            "company.phone: {} is a fictitious number (555)",
            company.phone
        ));
    }
    for (key, address) in [
        ("email", &company.email),
        ("media_email", &company.media_email),
    ] {
        if is_example(address) {
            warnings.push(format!(
                "company.{key}: {address} is in a domain reserved for examples and gets no email"
            ));
        }
    }
    for (key, value, sample) in [
        ("name", &company.name, &sample.name),
        ("legal_name", &company.legal_name, &sample.legal_name),
        ("street", &company.street, &sample.street),
    ] {
        if value == sample {
            warnings.push(format!("company.{key}: `{value}` is the sample value"));
        }
    }
    if company.licenses.is_empty() {
        warnings.push(
            "company.licenses: not set; several states require the license number in advertising"
                .into(),
        );
    }
    warnings
}

fn server_warnings(server: &Server) -> Vec<String> {
    let mut warnings = Vec::new();
    let Ok(url) = reqwest::Url::parse(&server.origin()) else {
        return warnings;
    };
    let host = url.host_str().unwrap_or_default();
    if is_loopback(host) {
        warnings.push(format!(
            "server.base_url: {url} works on this host only; links in emails and search results need the site's public address"
        ));
    } else if url.scheme() == "http" {
        warnings.push(format!(
            "server.base_url: {url} is not encrypted; passwords and quotes would be sent in clear text. Use an https address, with tls_cert and tls_key or a TLS proxy"
        ));
    }
    if is_example(host) {
        warnings.push(format!(
            "server.base_url: {host} is a domain reserved for examples"
        ));
    }
    warnings
}

fn mail_warnings(mail: &Mail) -> Vec<String> {
    let mut warnings = Vec::new();
    if mail.smtp_host.is_empty() {
        warnings.push(
            "mail.smtp_host: not set; emails are only written to the folder mail/ in the data folder".into(),
        );
    } else if mail.smtp_security == SmtpSecurity::None && !is_loopback(&mail.smtp_host) {
        warnings.push(format!(
            "mail.smtp_security: emails to {} are sent in clear text",
            mail.smtp_host
        ));
    }
    for address in mail.to.iter().chain([&mail.from]) {
        if is_example(address) {
            warnings.push(format!(
                "mail.to, mail.from: `{address}` is in a domain reserved for examples"
            ));
        }
    }
    warnings
}

fn sample_warnings() -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    for (file, text) in SEEDS {
        let seed: Value = serde_json::from_str(text).with_context(|| file.to_owned())?;
        match count_samples(&seed) {
            0 => {}
            1 => warnings.push(format!("{file}: 1 entry is a sample")),
            n => warnings.push(format!("{file}: {n} entries are samples")),
        }
    }
    Ok(warnings)
}

fn count_samples(value: &Value) -> usize {
    match value {
        Value::Array(entries) => entries.iter().map(count_samples).sum(),
        Value::Object(fields) => {
            let is_sample = fields.get("sample") == Some(&Value::Bool(true));
            usize::from(is_sample) + fields.values().map(count_samples).sum::<usize>()
        }
        _ => 0,
    }
}

/// Whether a host or an email address is in a domain reserved for examples (RFC 2606).
fn is_example(name: &str) -> bool {
    let name = name.trim_end_matches('>').to_ascii_lowercase();
    let domain = name.rsplit('@').next().unwrap_or_default();
    [".example", ".test", ".invalid"]
        .iter()
        .any(|top| domain.ends_with(top))
        || ["example.com", "example.org", "example.net"]
            .iter()
            .any(|reserved| domain == *reserved || domain.ends_with(&format!(".{reserved}")))
}

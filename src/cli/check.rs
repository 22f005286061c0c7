//! `guardpost check`: whether the settings are valid, whether the data folder is well, and what is still as shipped and should not be on a real site.

mod data;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::counted;
use super::global_args::GlobalArgs;
use super::serve::choose_tls;
use crate::config::{Company, Mail, Server, SmtpSecurity, is_loopback};
use crate::domain::clock::Clock;
use crate::http::page_map::PageMap;
use crate::http::tls;
use crate::outbox::mailer::Smtp;

/// Check the settings and the data folder, and warn of samples.
///
/// Reads the whole database, its keys and its media, also beside a running server. Ends with 1 where a setting is wrong or the data
/// folder has a fault (with --strict also where there is a warning), else with 0. Writes nothing.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost check\n  \
    guardpost check --strict --config /etc/guardpost.toml && systemctl restart guardpost")]
pub(super) struct Check {
    /// Count a warning as an error
    #[arg(long)]
    strict: bool,
}

/// The seeds whose entries may be marked as samples.
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
    pub(super) fn run(self, place: &GlobalArgs) -> Result<()> {
        let config = place.settings()?;
        config.mail.password()?;
        choose_tls()?;
        if !config.mail.smtp_host.is_empty() {
            // Reads the files that the connection needs; connects to nobody.
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
        let mut warnings = company(&config.company);
        warnings.extend(server(&config.server));
        warnings.extend(mail(&config.mail));
        let data = data::examine(&config.data);
        warnings.extend(data.warnings);
        warnings.extend(samples()?);
        for warning in &warnings {
            println!("warning: {warning}");
        }
        for fault in &data.faults {
            println!("fault: {fault}");
        }
        if !data.faults.is_empty() {
            let faults = counted(data.faults.len(), "fault");
            bail!("{faults} in the data folder {}", config.data.dir.display());
        }
        match warnings.len() {
            0 => println!("The settings are valid and nothing is left as shipped."),
            many if self.strict => bail!("{}, and --strict was given", counted(many, "warning")),
            many => println!("The settings are valid; {}.", counted(many, "warning")),
        }
        Ok(())
    }
}

fn company(company: &Company) -> Vec<String> {
    let mut warnings = Vec::new();
    let shipped = Company::default();
    let digits: String = company.phone.chars().filter(char::is_ascii_digit).collect();
    // North American numbers with the exchange 555 belong to nobody.
    if digits.len() >= 10 && digits[digits.len() - 7..].starts_with("555") {
        warnings.push(format!(
            "company.phone: {} is a made-up number (555)",
            company.phone
        ));
    }
    for (key, address) in [
        ("email", &company.email),
        ("media_email", &company.media_email),
    ] {
        if is_example(address) {
            warnings.push(format!(
                "company.{key}: no mail reaches {address}; that domain is for examples"
            ));
        }
    }
    for (key, value, as_shipped) in [
        ("name", &company.name, &shipped.name),
        ("legal_name", &company.legal_name, &shipped.legal_name),
        ("street", &company.street, &shipped.street),
    ] {
        if value == as_shipped {
            warnings.push(format!("company.{key}: `{value}` is the shipped sample"));
        }
    }
    if company.licenses.is_empty() {
        warnings.push(
            "company.licenses: none is given; several states want the number in advertising".into(),
        );
    }
    warnings
}

fn server(server: &Server) -> Vec<String> {
    let mut warnings = Vec::new();
    let Ok(url) = reqwest::Url::parse(&server.origin()) else {
        return warnings;
    };
    let host = url.host_str().unwrap_or_default();
    if is_loopback(host) {
        warnings.push(format!(
            "server.base_url: {url} is this very host; links in mails and search results need the site's public address"
        ));
    } else if url.scheme() == "http" {
        warnings.push(format!(
            "server.base_url: {url} is not protected; passwords and quotes would travel in the clear. Give an https address, and tls_cert with tls_key or a proxy that speaks TLS"
        ));
    }
    if is_example(host) {
        warnings.push(format!("server.base_url: {host} is a domain for examples"));
    }
    warnings
}

fn mail(mail: &Mail) -> Vec<String> {
    let mut warnings = Vec::new();
    if mail.smtp_host.is_empty() {
        warnings.push(
            "mail.smtp_host: none is given; mails are only written into the folder mail/ of the data folder".into(),
        );
    } else if mail.smtp_security == SmtpSecurity::None && !is_loopback(&mail.smtp_host) {
        warnings.push(format!(
            "mail.smtp_security: mails to {} travel in the clear",
            mail.smtp_host
        ));
    }
    for address in mail.to.iter().chain([&mail.from]) {
        if is_example(address) {
            warnings.push(format!(
                "mail.to, mail.from: `{address}` is in a domain for examples"
            ));
        }
    }
    warnings
}

fn samples() -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    for (file, text) in SEEDS {
        let seed: Value = serde_json::from_str(text).with_context(|| file.to_owned())?;
        match count_samples(&seed) {
            0 => {}
            1 => warnings.push(format!("{file}: 1 entry is a sample")),
            many => warnings.push(format!("{file}: {many} entries are samples")),
        }
    }
    Ok(warnings)
}

fn count_samples(value: &Value) -> usize {
    match value {
        Value::Array(entries) => entries.iter().map(count_samples).sum(),
        Value::Object(fields) => {
            let marked = fields.get("sample") == Some(&Value::Bool(true));
            usize::from(marked) + fields.values().map(count_samples).sum::<usize>()
        }
        _ => 0,
    }
}

/// Whether a host or a mail address is in a domain kept for examples (RFC 2606).
fn is_example(name: &str) -> bool {
    let name = name.trim_end_matches('>').to_ascii_lowercase();
    let domain = name.rsplit('@').next().unwrap_or_default();
    [".example", ".test", ".invalid"]
        .iter()
        .any(|top| domain.ends_with(top))
        || ["example.com", "example.org", "example.net"]
            .iter()
            .any(|known| domain == *known || domain.ends_with(&format!(".{known}")))
}

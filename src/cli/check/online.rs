//! Checks network services: the mail server, the DNS of the mail domain, the public URL, the clock.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;

use super::dns;
use super::report::Report;
use crate::cli::output::count_noun::count_noun;
use certificates::http_client;
use config::Config;
use domain::clock::Clock;
use inbound_mail::imap::try_mailbox;
use outbox::mailer::Smtp;

/// How long the public URL may take to answer.
const URL_TIMEOUT: Duration = Duration::from_secs(10);
/// Seconds by which the clock may be wrong: a code of a second factor is accepted half a minute
/// early or late.
const MAX_CLOCK_ERROR: i64 = 20;

/// Adds a line for each part.
pub(super) async fn examine(config: &Config, dns_server: Option<SocketAddr>, report: &mut Report) {
    examine_mail_server(config, report).await;
    examine_mailbox(config, report).await;
    examine_mail_domain(config, dns_server, report).await;
    examine_public_url(config, report).await;
    examine_clock(config, report).await;
}

async fn examine_mail_server(config: &Config, report: &mut Report) {
    let mail = &config.mail;
    if mail.smtp_host.is_empty() {
        return;
    }
    let server = format!("{}:{}", mail.smtp_host, mail.smtp_port);
    // An error here is reported by the check of the settings.
    let Ok(smtp) = Smtp::new(mail) else { return };
    match smtp.sign_in().await {
        Ok(()) if mail.smtp_user.is_empty() => {
            report.fine("smtp", format!("mail.smtp_host: {server} answers"));
        }
        Ok(()) => report.fine("smtp", format!("mail.smtp_host: signed in at {server}")),
        Err(error) => report.fault(
            "smtp",
            format!(
                "mail.smtp_host: {server}: {}: {}",
                error.summary, error.detail
            ),
        ),
    }
}

async fn examine_mailbox(config: &Config, report: &mut Report) {
    let settings = &config.mail.inbound;
    if settings.host.is_empty() {
        return;
    }
    let server = format!("{}:{}", settings.host, settings.port);
    let patience = Duration::from_secs(config.mail.timeout_seconds.into());
    match try_mailbox(settings, patience).await {
        Ok(emails) => {
            let emails = count_noun(emails, "email");
            let folder = &settings.folder;
            let line = format!("mail.inbound.host: {server}: {emails} in {folder}");
            report.fine("imap", line);
        }
        Err(error) => report.fault("imap", format!("mail.inbound.host: {server}: {error:#}")),
    }
}

/// SPF (RFC 7208), DKIM (RFC 6376) if a selector is set, and DMARC (RFC 7489) of the sender's
/// domain.
async fn examine_mail_domain(config: &Config, dns_server: Option<SocketAddr>, report: &mut Report) {
    let from = match config.mail.from.as_str() {
        "" => &config.company.email,
        from => from,
    };
    let domain = from
        .trim_end_matches('>')
        .rsplit('@')
        .next()
        .unwrap_or_default();
    if config.mail.smtp_host.is_empty() || domain.is_empty() {
        return;
    }
    let Some(server) = dns_server.or_else(dns::system_server) else {
        return report.warning(
            "dns",
            "no DNS server is configured: SPF, DKIM and DMARC are unknown",
        );
    };
    type IsRecord = fn(&str) -> bool;
    let mut records: Vec<(String, &str, IsRecord)> = vec![
        (domain.to_owned(), "SPF", |text| text.starts_with("v=spf1")),
        (format!("_dmarc.{domain}"), "DMARC", |text| {
            text.starts_with("v=DMARC1")
        }),
    ];
    let selector = &config.mail.dkim_selector;
    if !selector.is_empty() {
        records.push((format!("{selector}._domainkey.{domain}"), "DKIM", is_dkim));
    }
    for (name, record, is_record) in records {
        match dns::txt(server, &name).await {
            Ok(texts) => match texts.iter().find(|text| is_record(text)) {
                Some(text) => report.fine("dns", format!("{record} of {domain}: {text}")),
                None => report.warning(
                    "dns",
                    format!("{record}: {name} has no such record; emails may be taken for spam"),
                ),
            },
            Err(error) => {
                report.warning("dns", format!("{record} of {domain} is unknown: {error}"))
            }
        }
    }
}

/// Whether a record has a DKIM key: an empty one is revoked.
fn is_dkim(record: &str) -> bool {
    let tags = record.split(';').filter_map(|tag| tag.split_once('='));
    let mut keys = tags.filter(|(name, _)| name.trim() == "p");
    keys.any(|(_, key)| !key.trim().is_empty())
}

/// Compares the clock with that of the certificate authority, which every network can reach over
/// https, while time servers are often blocked: codes of second factors are valid for half a
/// minute, and certificates by the day.
async fn examine_clock(config: &Config, report: &mut Report) {
    let url = &config.server.acme_directory;
    let asked = async {
        let client = http_client(&config.server, URL_TIMEOUT)?;
        let answer = client.head(url).send().await?;
        let date = answer.headers().get("date").context("it tells no time")?;
        anyhow::Ok(jiff::fmt::rfc2822::parse(date.to_str()?)?)
    };
    let theirs = match asked.await {
        Ok(date) => date.timestamp().as_second(),
        Err(error) => {
            let text = format!("clock: {url} cannot be asked for the time: {error:#}");
            return report.warning("clock", text);
        }
    };
    let seconds = Clock::system().machine().seconds() - theirs;
    if seconds.abs() > MAX_CLOCK_ERROR {
        let direction = if seconds > 0 { "ahead" } else { "behind" };
        let seconds = seconds.abs();
        let text = format!(
            "clock: it is {seconds} s {direction}, says {url}: second factors and certificates \
             fail; synchronize it"
        );
        return report.fault("clock", text);
    }
    report.fine("clock", format!("clock: it agrees with {url}"));
}

/// Whether the public URL leads to this program.
async fn examine_public_url(config: &Config, report: &mut Report) {
    if config.server.base_url.is_empty() {
        return;
    }
    let url = format!("{}/healthz", config.server.origin());
    let client = reqwest::Client::builder().timeout(URL_TIMEOUT).build();
    let answer = match client {
        Ok(client) => client.get(&url).send().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(answer) if answer.status().is_success() => {
            report.fine("base_url", format!("server.base_url: {url} answers"));
        }
        Ok(answer) => report.fault(
            "base_url",
            format!(
                "server.base_url: {url} answers {}: does it lead to this server?",
                answer.status()
            ),
        ),
        Err(error) => report.fault(
            "base_url",
            format!(
                "server.base_url: {url} cannot be reached: {:#}",
                anyhow::Error::new(error)
            ),
        ),
    }
}

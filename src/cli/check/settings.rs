//! Checks the settings: invalid, unfinished and sample values.

use anyhow::Result;

use super::mail_warnings::mail_warnings;
use super::report::Report;
use crate::app::page_settings;
use crate::cli::output::count_noun::count_noun;
use config::{Company, Config, Server, is_loopback};
use domain::clock::{Clock, DAY_MS, Time};
use domain::content::Sections;
use domain::{promises, us_state};
use http::pages::page_map::PageMap;
use http::server::{certificate_checks as certificate, tls};
use outbox::mailer::Smtp;
use site::content::Content;
use site::{sections, unfinished};

/// Days before the end of the certificate at which its renewal is overdue.
const CERTIFICATE_DAYS: i64 = 14;

/// Adds a line for each finding in the settings.
pub(super) fn examine(config: &Config, clock: &Clock, report: &mut Report) {
    // Without a server, the password is not used, but a missing file is a mistake all the same.
    let password = config.mail.password().map(drop);
    let server = match config.mail.smtp_host.is_empty() {
        true => Ok(()),
        // Validates the TLS settings, and does not connect.
        false => password
            .is_ok()
            .then(|| Smtp::new(&config.mail))
            .transpose()
            .map(drop),
    };
    for fault in [password, server].into_iter().filter_map(Result::err) {
        report.fault("mail", format!("{fault:#}"));
    }
    examine_certificate(config, clock, report);
    if let Err(error) = PageMap::open(&config.company, &page_settings(config, clock)) {
        report.fault("settings", format!("{error:#}"));
    }
    for warning in server_warnings(&config.server) {
        report.warning("server", warning);
    }
    for warning in mail_warnings(&config.mail) {
        report.warning("mail", warning);
    }
    if us_state::parse_code(&config.company.region).is_none() {
        let region = &config.company.region;
        let text = format!("company.region: `{region}` is no state; write its code, as in TX");
        report.fault("settings", text);
    }
    if let Some(promised) = promises::answer_hours()
        && config.desk.answer_hours > promised
    {
        let hours = config.desk.answer_hours;
        let text = format!(
            "desk.answer_hours is {hours}, but the site promises an answer within {promised} hours"
        );
        report.warning("settings", text);
    }
}

/// Adds a warning for each fact that the company has to fill in: samples, which are shown on
/// loopback addresses only, facts and licenses. `published` are the sections that differ from the
/// shipped ones; they replace the facts and licenses of the settings.
pub(super) fn examine_content(
    config: &Config,
    published: &Sections,
    now: Time,
    report: &mut Report,
) -> Result<()> {
    let all = sections::merged(sections::defaults(&config.company)?, published);
    let company = sections::company(&config.company, &all);
    for (key, reason) in unfinished::facts(&company) {
        report.warning("company", format!("company.{key}: {reason}"));
    }
    let entered = match published.contains_key("licenses") {
        true => "Licenses, in the dashboard under Site",
        false => "company.licenses",
    };
    examine_licenses(&company, entered, now, report)?;
    let figures = unfinished::company_figures(&all).names;
    if !figures.is_empty() {
        let text = format!(
            "company: not confirmed: {}. Confirm what you can prove in the dashboard, under Site",
            figures.join("; ")
        );
        report.warning("figures", text);
    }
    let states = unfinished::state_figures(&all).names;
    if !states.is_empty() {
        let text = format!(
            "states: the figures of {} are samples; a public site shows the company's in their \
             place: {}",
            count_noun(states.len() as u64, "state"),
            states.join(", ")
        );
        report.warning("figures", text);
    }
    let claims = unfinished::claims(&all).names;
    if !claims.is_empty() {
        let text = format!(
            "claims of the texts that are not confirmed: {}. Confirm what is true in the \
             dashboard, under Site, Claims to confirm, or change the texts",
            claims.join("; ")
        );
        report.warning("claims", text);
    }
    for key in sections::WITH_SAMPLES {
        let samples = sections::count_samples(&all[key]);
        if samples > 0 {
            let noun = count_noun(samples as u64, "sample");
            let warning = format!(
                "{key}: {noun} left; a public site leaves them out. Write your own in the \
                 dashboard, under Site"
            );
            report.warning("samples", warning);
        }
    }
    Ok(())
}

fn examine_certificate(config: &Config, clock: &Clock, report: &mut Report) {
    let (server, data) = (&config.server, config.data.dir.as_path());
    if let Err(error) = tls::acceptor(server, None, clock) {
        return report.fault("certificate", format!("{error:#}"));
    }
    let Some((file, setting)) = certificate::certificate_file(server, data) else {
        return;
    };
    let Some(validity) = certificate::validity(server, data) else {
        let text = format!(
            "{setting}: no certificate has been ordered yet, browsers refuse the site; the server \
             orders it when it runs"
        );
        return report.warning("certificate", text);
    };
    let (now, host) = (clock.now(), certificate::public_host(server));
    if !server.tls_acme
        && let Ok(leaf) = certificate::leaf(&file)
        && let Some(fault) = certificate::unfit(&leaf, &host, now)
        && fault.starts_with("it is for ")
    {
        let text = format!(
            "{setting}: {}: {fault}: browsers refuse the site",
            file.display()
        );
        return report.fault("certificate", text);
    }
    let file = file.display();
    let (from, until) = match validity {
        Ok(validity) => validity,
        Err(error) => return report.fault("certificate", format!("{error:#}")),
    };
    let days = (until.millis() - now.millis()).div_euclid(DAY_MS);
    if until < now {
        report.fault(
            "certificate",
            format!("{setting}: {file} has expired on {until}: browsers refuse the site"),
        );
    } else if from > now {
        let text = format!("{setting}: {file} is not valid before {from}");
        report.fault("certificate", text);
    } else if days < CERTIFICATE_DAYS {
        let text = format!("{setting}: {file} expires in {days} days, on {until}");
        report.fault("certificate", text);
    } else {
        let text = format!("{setting}: {file} is valid for {days} days");
        report.fine("certificate", text);
    }
}

/// Licenses of an unknown state, and missing, expired or expiring ones. `entered` says where they
/// are entered.
fn examine_licenses(
    company: &Company,
    entered: &str,
    now: Time,
    report: &mut Report,
) -> Result<()> {
    let (content, today) = (Content::bundled()?, company.today(now));
    for (state, license) in &company.licenses {
        let number = &license.number;
        if !content.states.iter().any(|known| known.code == *state) {
            let text = format!("{entered}: `{state}` is no state; write a code as in TX");
            report.fault("licenses", text);
        }
        let Some((expires, days)) = license.expires.zip(license.days_left(today)) else {
            continue;
        };
        let when = match days {
            ..0 => "has expired; its number and the claim to be licensed are off the state's page",
            0..=60 => "expires soon",
            _ => continue,
        };
        let text = format!("{entered}: {state} {number} {when} (last day {expires})");
        report.warning("licenses", text);
    }
    let missing = unfinished::states_without_license(company, &content);
    if !missing.is_empty() {
        let text = format!(
            "{entered}: no license for {}; several states require its number in advertising",
            missing.join(" ")
        );
        report.warning("licenses", text);
    }
    Ok(())
}

fn server_warnings(server: &Server) -> Vec<String> {
    let mut warnings = Vec::new();
    let Ok(url) = reqwest::Url::parse(&server.origin()) else {
        return warnings;
    };
    let host = url.host_str().unwrap_or_default();
    if is_loopback(host) {
        warnings.push(format!(
            "server.base_url: {url} works on this host only; links in emails and search results \
             need the site's public address"
        ));
    } else if url.scheme() == "http" {
        warnings.push(format!(
            "server.base_url: {url} is not encrypted; passwords and quotes would be sent in clear \
             text. Use an https address, with tls_cert and tls_key or a TLS proxy"
        ));
    }
    if unfinished::is_example(host) {
        warnings.push(format!(
            "server.base_url: {host} is a domain reserved for examples"
        ));
    }
    warnings
}

//! Checks the data folder for `guardpost check`: whether a server could start on it. Writes
//! nothing; a server may be running.

mod disk;
mod findings;
mod stored_files;

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use self::disk::{check_days_left, check_free_space, check_log, check_request_reserve};
use self::findings::Findings;
use self::stored_files::{check_contents, check_media};
use crate::cli::keys::key_files;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args;
use config::Config;
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, DAY_MS};
use inbound_mail::imap::mailbox_name;
use store::database::disk::file_permissions::{AccessError, quoted, require_private};
use store::database::health::inspection::{Inspection, inspect};
use store::database::key_files::KeyFile;
use store::on_call::status::gap_problems;

/// Checks the data folder. A missing one is a fault: its path may be mistyped.
pub(super) fn examine(config: &Config) -> Findings {
    let data = &config.data;
    let mut findings = Findings::default();
    let folder = data.dir.as_path();
    match fs::metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let what = "does not exist; `guardpost serve` creates it, --data DIR names another";
            findings.fault(folder, what);
            return findings;
        }
        Err(error) => {
            findings.fault(folder, format!("cannot be read: {error}"));
            return findings;
        }
        Ok(entry) if !entry.is_dir() => {
            findings.fault(folder, "is a file: --data and `data.dir` name a folder");
            return findings;
        }
        Ok(entry) => check_owners(folder, entry.uid(), &mut findings),
    }
    if let Err(error) = require_private(folder) {
        findings.faults.push(error.to_string());
    }
    for path in global_args::private_files(folder) {
        if let Err(error @ AccessError::Exposed { .. }) = require_private(&path) {
            let warning = format!("{error}, or start the server, which does the same");
            findings.warnings.push(warning);
        }
    }
    check_free_space(data, &mut findings);
    check_request_reserve(data, &mut findings);
    let mail = folder.join("mail");
    if let Err(error) = fs::read_dir(&mail)
        && error.kind() != ErrorKind::NotFound
    {
        findings.fault(&mail, format!("cannot be read: {error}"));
    }
    check_log(data, &mut findings);
    check_database(config, &mut findings);
    findings
}

/// A file with another owner than the folder's, e.g. created by `sudo guardpost …`, may not be
/// writable for the server.
fn check_owners(folder: &Path, owner: u32, findings: &mut Findings) {
    let keys = KeyFile::ALL.map(|file| folder.join(file.name()));
    for path in global_args::private_files(folder).into_iter().chain(keys) {
        if let Ok(entry) = fs::metadata(&path)
            && entry.uid() != owner
        {
            findings.fault(
                &path,
                format!(
                    "is owned by user {}, the data folder by user {owner}; run: chown \
                     --reference={} {}",
                    entry.uid(),
                    quoted(folder),
                    quoted(&path)
                ),
            );
        }
    }
}

fn check_database(config: &Config, findings: &mut Findings) {
    let folder = config.data.dir.as_path();
    let file = global_args::database(folder);
    match file.try_exists() {
        Ok(true) => {}
        Ok(false) => return check_missing_database(folder, &file, findings),
        Err(error) => return findings.fault(&file, format!("cannot be read: {error}")),
    }
    let Inspection {
        faults,
        keys,
        media: expected,
        runs,
        places,
        failed_emails,
        late_emails,
        held_emails,
        installation,
        is_older,
        unaddressed_emails,
        content,
        contents,
        daily_bytes,
        missed_test,
        alarm_problems,
        rota,
        unconfirmed_rates,
        mailboxes,
        set_aside,
    } = inspect(&file, || false);
    findings.installation = installation;
    findings.is_older = is_older;
    if is_older {
        findings.warnings.push(format!(
            "{}: an older program wrote it. Emails, alarms and backups are checked after the \
             server has migrated it at its next start",
            file.display()
        ));
    }
    findings.runs = runs;
    findings.places = places;
    findings.content = content;
    check_emails([failed_emails, late_emails, held_emails], findings);
    if unaddressed_emails > 0 {
        findings.faults.push(format!(
            "{} cannot be sent: an address of ours is invalid. Correct the email address in the \
             editor of the site, or `company.email`, `mail.from` and `mail.to`",
            count_noun(unaddressed_emails, "email")
        ));
    }
    let inbound = &config.mail.inbound;
    let ours = mailboxes
        .into_iter()
        .filter(|(name, _)| !inbound.host.is_empty() && *name == mailbox_name(inbound));
    let now = Clock::system().now();
    let problems = ours.flat_map(|(_, mailbox)| mailbox.problems(now));
    findings.warnings.extend(problems.chain(set_aside));
    if unconfirmed_rates {
        let text = "offers: conditions, consent to electronic signing and sales taxes began as \
                    samples, and no lawyer has confirmed those that are published. Enter who has \
                    in the dashboard, under Rates";
        findings.warnings.push(text.to_owned());
    }
    if let Some(at) = missed_test {
        findings.faults.push(format!(
            "nobody acknowledged the test alarm of {at}: an emergency may reach nobody. Check the \
             rota, phones and devices at /admin/on-call"
        ));
    }
    findings.warnings.extend(alarm_problems);
    if let Some(zone) = TimeZone::parse(&config.company.time_zone) {
        let (gap_ms, now) = (
            i64::from(config.alarms.gap_days) * DAY_MS,
            Clock::system().now(),
        );
        let gaps = gap_problems(&rota, &zone, gap_ms, now);
        findings.faults.extend(gaps);
    }
    if let Some(bytes) = daily_bytes {
        check_days_left(folder, bytes, findings);
    }
    for fault in faults {
        findings.fault(&file, fault);
    }
    for (file, known) in keys {
        if let Err(error) = key_files::verify(folder, file, &known) {
            findings.faults.push(error.to_string());
        }
    }
    check_media(&folder.join("media"), &expected, findings);
    match config.files.to.as_str() {
        "" => check_contents(config, contents, findings),
        // Another machine's: `bucket::examine` looks at it.
        _ => findings.contents = contents,
    }
}

fn check_emails([failed, late, held]: [u32; 3], findings: &mut Findings) {
    if late > 0 {
        findings.warnings.push(format!(
            "{} undelivered for over an hour: `guardpost outbox list` shows why",
            count_noun(late, "email")
        ));
    }
    if failed > 0 {
        findings.warnings.push(format!(
            "{} failed: `guardpost outbox list`, `guardpost outbox retry`",
            count_noun(failed, "email")
        ));
    }
    if held > 0 {
        findings.warnings.push(format!(
            "{} held since a restore: `guardpost outbox list --held`, `guardpost outbox release`",
            count_noun(held, "email")
        ));
    }
}

/// Key files without a database are a fault: the server would start with an empty database.
fn check_missing_database(folder: &Path, file: &Path, findings: &mut Findings) {
    if KeyFile::ALL
        .iter()
        .any(|key| folder.join(key.name()).exists())
    {
        findings.fault(
            file,
            "is missing, although its key files exist: a start would create an empty database",
        );
    }
}

//! Checks the data folder for `guardpost check`: whether a server could start on it. Writes
//! nothing; a server may be running.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::bucket::examine_files;
use super::disk::{check_days_left, check_free_space, check_log, check_request_reserve};
use super::report::Report;
use crate::cli::keys::key_files;
use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args;
use crate::cli::startup::global_args::explain_unusable;
use alarms::GAP_MS;
use config::Config;
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, DAY_MS, MAX_AHEAD_MS, Time};
use inbound_mail::imap::mailbox_name;
use store::database::disk::file_permissions::require_private;
use store::database::disk::leftovers;
use store::database::key_files::KeyFile;
use store::installation::inspection::{Inspection, inspect};
use store::on_call::status::gap_problems;

/// Checks the data folder, and returns what its database says. A missing folder is a fault: its
/// path may be mistyped.
pub(super) fn examine(config: &Config, report: &mut Report) -> Inspection {
    let data = &config.data;
    let folder = data.dir.as_path();
    match fs::metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let what = "does not exist; `guardpost serve` creates it, --data DIR names another";
            report.data_fault(folder, what);
            return Inspection::default();
        }
        Err(error) => {
            report.data_fault(folder, format!("cannot be read: {error}"));
            return Inspection::default();
        }
        Ok(entry) if !entry.is_dir() => {
            report.data_fault(folder, "is a file: --data and `data.dir` name a folder");
            return Inspection::default();
        }
        Ok(_) => {}
    }
    if let Err(error) = require_private(folder) {
        report.fault("data", error.to_string());
    }
    if let Some(why) = explain_unusable(folder) {
        report.fault("data", why);
    }
    check_copies(folder, report);
    check_free_space(data, report);
    check_request_reserve(data, report);
    let mail = folder.join("mail");
    if let Err(error) = fs::read_dir(&mail)
        && error.kind() != ErrorKind::NotFound
    {
        report.data_fault(&mail, format!("cannot be read: {error}"));
    }
    check_log(data, report);
    check_database(config, report)
}

/// Copies of the database, which have the rows of everybody.
fn check_copies(folder: &Path, report: &mut Report) {
    let now = Clock::system().machine().millis();
    for (path, changed_at) in leftovers::copies(folder).unwrap_or_default() {
        let days = (now - Time::from(changed_at).millis()) / DAY_MS;
        let text = format!(
            "{}: a copy of the database with all its rows, {} old",
            path.display(),
            count_noun(days, "day")
        );
        report.fine("data", text);
    }
}

fn check_database(config: &Config, report: &mut Report) -> Inspection {
    let folder = config.data.dir.as_path();
    let file = global_args::database(folder);
    match file.try_exists() {
        Ok(true) => {}
        Ok(false) => {
            check_missing_database(folder, &file, report);
            return Inspection::default();
        }
        Err(error) => {
            report.data_fault(&file, format!("cannot be read: {error}"));
            return Inspection::default();
        }
    }
    let mut found = inspect(&file, || false);
    if found.is_older {
        let text = format!(
            "{}: an older program wrote it. Emails, alarms and backups are checked after the \
             server has migrated it at its next start",
            file.display()
        );
        report.warning("data", text);
    }
    check_clock(found.newest_time, report);
    let (inbound, now) = (&config.mail.inbound, Clock::system().now());
    check_emails(&found, now, report);
    for (name, mailbox) in &found.mailboxes {
        if !inbound.host.is_empty() && *name == mailbox_name(inbound) {
            for problem in mailbox.problems(now) {
                report.warning("data", problem);
            }
        }
    }
    for problem in found.set_aside.iter().chain(&found.alarm_problems) {
        report.warning("data", problem);
    }
    if !found.differing_waits.is_empty() {
        let text = format!(
            "requests: what waits is not what the history says of {}: a call or a reply sets it \
             right",
            found.differing_waits.join(", ")
        );
        report.fault("data", text);
    }
    if found.unconfirmed_rates {
        let text = "offers: conditions, consent to electronic signing and sales taxes began as \
                    samples, and no lawyer has confirmed those that are published. Enter who has \
                    in the dashboard, under Rates";
        report.warning("data", text);
    }
    if let Some(at) = found.missed_test {
        let text = format!(
            "nobody acknowledged the test alarm of {at}: an emergency may reach nobody. Check the \
             rota, phones and devices at /admin/on-call"
        );
        report.fault("data", text);
    }
    if let Some(zone) = TimeZone::parse(&config.company.time_zone) {
        for gap in gap_problems(&found.rota, &zone, GAP_MS, now) {
            report.fault("data", gap);
        }
    }
    if let Some(bytes) = found.daily_bytes {
        check_days_left(folder, bytes, report);
    }
    for fault in &found.faults {
        report.data_fault(&file, fault);
    }
    for (file, known) in &found.keys {
        if let Err(error) = key_files::verify(folder, *file, known) {
            report.fault("data", error.to_string());
        }
    }
    // Those of a bucket are another machine's: `bucket::examine` looks at them.
    if config.files.to.is_empty() {
        examine_files(config, std::mem::take(&mut found.contents), false, report);
    }
    found
}

/// The clock goes on from the newest stored time: it may have been ahead when that was stored, or
/// be behind now.
fn check_clock(newest: Option<Time>, report: &mut Report) {
    let machine = Clock::system().machine();
    if let Some(newest) = newest
        && newest.millis() - machine.millis() > MAX_AHEAD_MS
    {
        let text = format!(
            "the machine's clock says {machine}, but something is stored of {newest}: the server \
             goes on from there. Synchronize the clock (timedatectl)"
        );
        report.warning("clock", text);
    }
}

/// The office does not hear of requests: a fault. What one customer did not get is a warning.
fn check_emails(found: &Inspection, now: Time, report: &mut Report) {
    if let Some(problem) = found.mail_outage.as_ref().and_then(|it| it.problem(now)) {
        report.fault(
            "data",
            format!("{problem} `guardpost outbox list` names them"),
        );
    }
    let counted = |emails: i64, what: &str| {
        (emails > 0).then(|| format!("{} {what}", count_noun(emails, "email")))
    };
    let late = "undelivered for over an hour: `guardpost outbox list` shows why";
    let failed = "given up: `guardpost outbox list`, `guardpost outbox retry`";
    let office = found.failed_office_emails;
    let faults = [
        counted(found.emails.late, late),
        counted(office, &format!("to the office {failed}")),
    ];
    for fault in faults.into_iter().flatten() {
        report.fault("data", fault);
    }
    let held = "held since a restore: `guardpost outbox list --held`, `guardpost outbox release`";
    let warnings = [
        counted(found.emails.failed - office, failed),
        counted(found.emails.held, held),
    ];
    for warning in warnings.into_iter().flatten() {
        report.warning("data", warning);
    }
    if found.emails.unaddressed > 0 {
        let text = format!(
            "{} cannot be sent: an address of ours is invalid. Correct the email address in the \
             editor of the site, or `company.email`, `mail.from` and `mail.to`",
            count_noun(found.emails.unaddressed, "email")
        );
        report.fault("data", text);
    }
}

/// Key files without a database are a fault: the server would start with an empty database.
fn check_missing_database(folder: &Path, file: &Path, report: &mut Report) {
    if KeyFile::ALL
        .iter()
        .any(|key| folder.join(key.name()).exists())
    {
        report.data_fault(
            file,
            "is missing, although its key files exist: a start would create an empty database",
        );
    }
}

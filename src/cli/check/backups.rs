//! Checks when backups, their proof and the retention last ran.

use std::path::Path;

use super::report::Report;
use crate::maintenance;
use backup::{Place, known_of, shares_disk};
use config::Config;
use domain::clock::{HOUR_MS, Time};
use store::database::maintenance::{Job, LastRun};
use store::installation::backup_places::BackupPlace;

/// Hours after which the daily jobs are late.
const DAILY_HOURS: i64 = 26;

/// Adds a line for each job, by its last run and by the places of backups.
pub(super) fn examine(
    config: &Config,
    runs: &[(Job, LastRun)],
    places: &[BackupPlace],
    now: Time,
    report: &mut Report,
) {
    let last = |job| {
        runs.iter()
            .find(|(found, _)| *found == job)
            .map(|(_, run)| run)
    };
    if let Some(run) = last(Job::Certificate).filter(|_| config.server.tls_acme) {
        examine_run("certificate", Job::Certificate, run, None, now, report);
    }
    if let Some(run) = last(Job::Files) {
        examine_run("files", Job::Files, run, Some(DAILY_HOURS), now, report);
    }
    examine_retention(config, last(Job::Retention), now, report);
    for known in places {
        if let Some(since) = known.behind_since {
            let place = &known.place;
            report.warning(
                "backup",
                format!(
                    "the backups in {place} lack the erasures since {since}: the running server \
                     completes their ledger within a day after the place is there again. If it is \
                     gone for good, run `guardpost backup --forget {place}`"
                ),
            );
        }
    }
    let to = &config.backup.to;
    if to.is_empty() {
        return warn_of_no_schedule(places, now, report);
    }
    if let Err(error) = maintenance::read_key(&config.backup) {
        let text = format!("backup.key_file: {error:#}: no backup can be made");
        report.fault("backup", text);
    }
    let Ok(to) = Place::open(Path::new(to), &config.s3) else {
        // Named with the buckets.
        return;
    };
    if shares_disk(&config.data.dir, &to) {
        report.warning(
            "backup",
            "backup.to: on the same disk as the data; both are lost with it",
        );
    }
    let known = known_of(places, &to.address());
    let every = i64::from(config.backup.every_hours);
    for (job, hours, done_at) in [
        (Job::Backup, 2 * every + 1, known.map(|known| known.made_at)),
        (
            Job::Proof,
            DAILY_HOURS,
            known.and_then(|known| known.proved_at),
        ),
    ] {
        match last(job) {
            Some(run) if run.ok && done_at.is_none() => report.warning(
                "backup",
                format!("{}: none yet of {to}; is the server running?", job.name()),
            ),
            run => examine_job(job, run, hours, now, report),
        }
    }
}

/// Without `backup.to`, the server makes no backups: those by hand do not make up for it.
fn warn_of_no_schedule(places: &[BackupPlace], now: Time, report: &mut Report) {
    let newest = places.iter().max_by_key(|known| known.made_at.millis());
    let by_hand = newest.map_or(String::new(), |known| {
        let hours = (now.millis() - known.made_at.millis()) / HOUR_MS;
        format!(
            ". The last one by hand was made {hours} hours ago: {}",
            known.backup
        )
    });
    report.warning(
        "backup",
        format!(
            "backup.to: not set; the server makes no backups, and if this machine is lost, so is \
             everything on it{by_hand}"
        ),
    );
}

/// `hours`: the age at which the last success is too old.
fn examine_job(job: Job, run: Option<&LastRun>, hours: i64, now: Time, report: &mut Report) {
    match run {
        Some(run) => examine_run("backup", job, run, Some(hours), now, report),
        None => report.warning(
            "backup",
            format!("{}: it has never run; is the server running?", job.name()),
        ),
    }
}

fn examine_run(
    topic: &'static str,
    job: Job,
    run: &LastRun,
    hours: Option<i64>,
    now: Time,
    report: &mut Report,
) {
    let name = job.name();
    let Some(succeeded_at) = run.succeeded_at.filter(|_| run.ok) else {
        let since = run
            .succeeded_at
            .map_or("never".to_owned(), |at| at.to_string());
        let text = format!(
            "{name}: failed at {}: {} (last success: {since})",
            run.ran_at, run.detail
        );
        return report.fault(topic, text);
    };
    let age = (now.millis() - succeeded_at.millis()) / HOUR_MS;
    if hours.is_some_and(|hours| age > hours) {
        let text = format!("{name}: the last success is {age} hours ago; is the server running?");
        return report.fault(topic, text);
    }
    report.fine(
        topic,
        format!(
            "{name}: {age} hours ago, in {:.1} s: {}",
            run.seconds, run.detail
        ),
    );
}

fn examine_retention(config: &Config, run: Option<&LastRun>, now: Time, report: &mut Report) {
    if config.retention.closed_days == 0 {
        return;
    }
    match run {
        Some(run) if run.ok && now.millis() - run.ran_at.millis() <= DAILY_HOURS * HOUR_MS => {
            report.fine(
                "retention",
                format!("retention: {} at {}", run.detail, run.ran_at),
            );
        }
        Some(run) if !run.ok => report.fault(
            "retention",
            format!("retention: failed at {}: {}", run.ran_at, run.detail),
        ),
        Some(run) => report.warning(
            "retention",
            format!(
                "retention: it last ran at {}; is the server running?",
                run.ran_at
            ),
        ),
        None => report.warning(
            "retention",
            "retention: it has never run; is the server running?",
        ),
    }
}

//! Checks when backups, their proof and the retention last ran.

use super::report::Report;
use crate::config::Config;
use crate::domain::clock::Time;
use crate::store::database::maintenance::{Job, LastRun};

const HOUR_MS: i64 = 60 * 60 * 1000;
/// Hours after which the daily jobs are late.
const DAILY_HOURS: i64 = 26;

/// Adds a line for each job, by its last run in `runs`.
pub(super) fn examine(config: &Config, runs: &[(Job, LastRun)], now: Time, report: &mut Report) {
    let last = |job| {
        runs.iter()
            .find(|(found, _)| *found == job)
            .map(|(_, run)| run)
    };
    if let Some(run) = last(Job::Certificate).filter(|_| config.server.tls_acme) {
        examine_run("certificate", Job::Certificate, run, None, now, report);
    }
    let is_set = !config.backup.to.is_empty();
    if !is_set && last(Job::Backup).is_none() {
        report.warning(
            "backup",
            "backup.to: not set; the server makes no backups, and if this machine is lost, so is \
             everything on it",
        );
        return examine_retention(config, last(Job::Retention), now, report);
    }
    let every = i64::from(config.backup.every_hours);
    let limits = [(Job::Backup, 2 * every + 1), (Job::Proof, DAILY_HOURS)];
    for (job, hours) in limits {
        examine_job(job, last(job), is_set.then_some(hours), now, report);
    }
    examine_retention(config, last(Job::Retention), now, report);
}

/// `hours`: the age at which the last success is too old, if the server runs the job on a schedule.
fn examine_job(
    job: Job,
    run: Option<&LastRun>,
    hours: Option<i64>,
    now: Time,
    report: &mut Report,
) {
    match run {
        Some(run) => examine_run("backup", job, run, hours, now, report),
        None if hours.is_some() => report.warning(
            "backup",
            format!("{}: it has never run; is the server running?", job.name()),
        ),
        None => {}
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

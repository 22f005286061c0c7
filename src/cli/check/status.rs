//! `guardpost status`: whether the server runs, and how mail, mailbox and backups are.

use std::fs;

use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value};

use crate::cli::output::count_noun::count_noun;
use crate::cli::startup::global_args::GlobalArgs;
use config::Config;
use domain::clock::{Clock, DAY_MS, HOUR_MS, MINUTE_MS, Time};
use domain::program;
use inbound_mail::imap::mailbox_name;
use store::Store;
use store::database::disk::leftovers::SERVER_LOCK;
use store::database::disk::{request_reserve, server_lock};
use store::database::maintenance::Job;

/// Show whether the server runs, since when, and how mail, mailbox and backups are.
///
/// Looks at the data folder only, in a moment; `check` reads everything. Ends with status 1 if no
/// server runs on the folder.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost status\n  \
    guardpost status --json | jq -r .backup")]
pub(in crate::cli) struct Status {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(in crate::cli) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let config = globals.settings()?;
        let pid = server_lock::running(&config.data.dir);
        let store = GlobalArgs::open_existing(&config)?;
        let lines = [
            ("version", program::build().text.to_owned()),
            ("server", server(&config, pid)),
            ("data", data(&config)),
            ("mail", mail(&config, &store).await?),
            ("mailbox", mailbox(&config, &store).await?),
            ("backup", last_run(&store, Job::Backup).await?),
            ("proof", last_run(&store, Job::Proof).await?),
        ];
        if self.json {
            let object = lines.map(|(name, text)| (name.to_owned(), Value::from(text)));
            say!("{:#}", Value::Object(Map::from_iter(object)));
        } else {
            for (name, text) in lines {
                say!("{name:<8} {text}");
            }
        }
        match pid {
            Some(_) => Ok(()),
            None => anyhow::bail!("no server runs on {}", config.data.dir.display()),
        }
    }
}

fn server(config: &Config, pid: Option<u32>) -> String {
    let Some(pid) = pid else {
        return "does not run".to_owned();
    };
    // Written when the server took the folder.
    let started = fs::metadata(config.data.dir.join(SERVER_LOCK)).and_then(|lock| lock.modified());
    let lasts = started.map(|at| Clock::system().machine().millis() - Time::from(at).millis());
    let origin = config.server.origin();
    match lasts {
        Ok(lasts) => format!("process {pid} for {}, {origin}/", long(lasts)),
        Err(_) => format!("process {pid}, {origin}/"),
    }
}

/// A duration in its largest unit.
fn long(millis: i64) -> String {
    let (unit, noun) = match millis {
        DAY_MS.. => (DAY_MS, "day"),
        HOUR_MS.. => (HOUR_MS, "hour"),
        _ => (MINUTE_MS, "minute"),
    };
    count_noun(millis / unit, noun)
}

fn ago(at: Time) -> String {
    long(Clock::system().now().millis() - at.millis()) + " ago"
}

fn data(config: &Config) -> String {
    let folder = &config.data.dir;
    let size = |name: &str| folder.join(name).metadata().map_or(0, |file| file.len());
    let database = (size("guardpost.db") + size("guardpost.db-wal")) >> 20;
    let free = request_reserve::free_bytes(folder);
    let free = free.map_or(String::new(), |free| format!(", {} MB free", free >> 20));
    format!("{}: database of {database} MB{free}", folder.display())
}

async fn mail(config: &Config, store: &Store) -> Result<String> {
    let now = Clock::system().now();
    let server = match config.mail.smtp_host.as_str() {
        "" => "written into mail/ in the data folder".to_owned(),
        host => format!("{host}:{}", config.mail.smtp_port),
    };
    let counts = store.outbox_counts(now).await?;
    let waiting = format!(
        "{} due, {} late, {} given up",
        counts.due, counts.late, counts.failed
    );
    Ok(match store.mail_outage().await? {
        None => format!("{server}: {waiting}"),
        Some(outage) => format!(
            "{server} FAILS since {}: {}; {waiting}",
            outage.since, outage.error
        ),
    })
}

async fn mailbox(config: &Config, store: &Store) -> Result<String> {
    let inbound = &config.mail.inbound;
    if inbound.host.is_empty() {
        return Ok("none is read".to_owned());
    }
    let state = store.mailbox_state(mailbox_name(inbound)).await?;
    let problems = state.problems(Clock::system().now());
    Ok(match problems.as_slice() {
        [] => format!("{}: read", inbound.host),
        problems => format!("{}: {}", inbound.host, problems.join(" ")),
    })
}

async fn last_run(store: &Store, job: Job) -> Result<String> {
    Ok(match store.last_run(job).await? {
        None => "none yet".to_owned(),
        Some(run) if run.ok => format!("{}: {}", ago(run.ran_at), run.detail),
        Some(run) => format!("FAILED {}: {}", ago(run.ran_at), run.detail),
    })
}

//! `guardpost certificate`: has the running server order its certificate.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use tokio::time::sleep;

use super::startup::global_args::GlobalArgs;
use domain::clock::Clock;
use store::Store;
use store::database::job_requests::JobRequest;
use store::database::maintenance::Job;

/// How long a running server may take to begin.
const TO_BEGIN: Duration = Duration::from_secs(20);
/// How long an order may take before the server aborts it.
const TO_END: Duration = Duration::from_secs(6 * 60);
const INTERVAL: Duration = Duration::from_millis(200);

/// The certificate that the server orders (`server.tls_acme`).
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost certificate order")]
pub(super) struct CertificateCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Order(Order),
}

/// Order a certificate now, and wait for it.
///
/// The running server orders it, since the authority requires the proof from that server. The old
/// certificate stays in service until the new one arrives. Authorities refuse further orders for
/// some time after a few failures.
#[derive(Args)]
#[command(after_help = "Example:\n  guardpost certificate order")]
struct Order {}

impl CertificateCommand {
    pub(super) async fn run(self, globals: &GlobalArgs) -> Result<()> {
        let Action::Order(_) = self.action;
        let config = globals.settings()?;
        globals.refuse_drill(&config, "it orders no certificates")?;
        if !config.server.tls_acme {
            bail!("the server orders no certificates: `server.tls_acme` is not set");
        }
        let store = GlobalArgs::open_existing(&config)?;
        let job = Job::Certificate;
        store.request_job(job, Clock::system().now()).await?;
        wait(&store, job).await?;
        match store.last_run(job).await? {
            Some(run) if run.ok => println!("{}", run.detail),
            Some(run) => bail!("the order failed: {}", run.detail),
            None => bail!("the order was not recorded"),
        }
        Ok(())
    }
}

/// Waits until the requested job has run.
async fn wait(store: &Store, job: Job) -> Result<()> {
    let started = Instant::now();
    loop {
        match store.job_request(job).await? {
            None => return Ok(()),
            Some(JobRequest::Waits) if started.elapsed() > TO_BEGIN => {
                bail!("no server has taken the order: is it running? It orders when it is started")
            }
            Some(_) if started.elapsed() > TO_END => {
                bail!("the order takes too long; the log of the server says more")
            }
            Some(_) => sleep(INTERVAL).await,
        }
    }
}

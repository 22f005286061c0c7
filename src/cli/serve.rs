//! `guardpost serve`: the only place where the parts are put together.

use std::io::{ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tracing_subscriber::EnvFilter;

use super::global_args::GlobalArgs;
use super::media;
use crate::auth::Auth;
use crate::config::{Config, Data};
use crate::domain::clock::Clock;
use crate::domain::form::Forms;
use crate::http::body_budget::BodyBudget;
use crate::http::client_address::ClientAddresses;
use crate::http::metrics::Metrics;
use crate::http::page_map::PageMap;
use crate::http::runtime_pool::RuntimePool;
use crate::http::{self, App};
use crate::outbox::email::EmailRenderer;
use crate::outbox::{DeliveryWorker, mailer};
use crate::store::Store;
use crate::store::access::require_private;
use crate::supervisor::Supervisor;

/// Serve the site, the API and the dashboard, and send the mails.
///
/// Everything the server writes lies in the data folder, which is made and brought up to date at start. SIGTERM and Ctrl-C end the
/// server gracefully: requests and the mail under way are finished, within `server.shutdown_seconds`.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost serve\n  \
    guardpost serve --listen 0.0.0.0:8080 --data /var/lib/guardpost --config /etc/guardpost.toml\n  \
    RUST_LOG=guardpost=debug guardpost serve")]
pub(super) struct Serve {
    /// Address and port to listen on; overrides `server.listen`. Port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
}

impl Serve {
    pub(super) fn run(self, place: &GlobalArgs) -> Result<()> {
        let mut config = place.settings()?;
        if let Some(listen) = self.listen {
            config.server.listen = listen;
        }
        start_log();
        choose_tls()?;
        // Connections have threads of their own (`http::runtime_pool`); here run the letters and what keeps the house in order.
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the runtime")?
            .block_on(serve(config))
    }
}

/// Two libraries bring a TLS provider each; the one named here is used for everything.
pub(super) fn choose_tls() -> Result<()> {
    aws_lc_rs::default_provider()
        .install_default()
        .map_err(|_| anyhow!("the TLS provider was chosen twice"))
}

async fn serve(mut config: Config) -> Result<()> {
    if config.data.dir.exists() {
        require_private(&config.data.dir)?;
    }
    let store = GlobalArgs::open(&config)?;
    let listener = TcpListener::bind(config.server.listen)
        .await
        .map_err(|error| refused(config.server.listen, &error))?;
    config.server.listen = listener.local_addr()?;
    let forms = Arc::new(Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?);
    let app = Arc::new(app(&config, store.clone(), forms).await?);
    let delivery_worker = delivery_worker(&config, &app)?;
    media::remember(&store, &config.data.dir.join("media")).await?;
    let rooms = RuntimePool::per_cpu().context("cannot start the threads that serve")?;
    let doors = http::server::open(listener, app.clone()).await?;
    print_banner(&config, app.auth.has_admin().await?);

    let (stop, stopped) = watch::channel(false);
    let asked = shutdown_signal()?;
    let delivery_worker = deliver(&app.tasks, delivery_worker, stopped.clone());
    let beside = maintain(&app);
    let web = doors.serve(rooms, async move {
        asked.await;
        stop.send_replace(true);
    });
    let patience = Duration::from_secs(config.server.shutdown_seconds.into());
    tokio::join!(web, finish_mail(delivery_worker, stopped, patience));
    beside.iter().for_each(JoinHandle::abort);
    // Connections are done and their threads have ended: the database is closed last.
    store.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Starts the delivery of emails, which ends in order once `stopped` turns true.
fn deliver(
    tasks: &Supervisor,
    delivery_worker: DeliveryWorker,
    stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    let delivery_worker = Arc::new(delivery_worker);
    tasks.spawn("email delivery", move || {
        delivery_worker.clone().run(stopped.clone())
    })
}

/// Starts the tasks that can be ended at any moment.
fn maintain(app: &App) -> [JoinHandle<()>; 4] {
    let (pages, auth) = (app.pages.clone(), app.auth.clone());
    let (store, checked) = (app.store.clone(), app.store.clone());
    [
        app.tasks
            .spawn("page compression", move || pages.clone().warm()),
        app.tasks
            .spawn("account cleanup", move || auth.clone().run_cleanup()),
        app.tasks
            .spawn("search index", move || store.clone().run_index_merge()),
        app.tasks.spawn("database check", move || {
            checked.clone().run_integrity_checks()
        }),
    ]
}

fn delivery_worker(config: &Config, app: &App) -> Result<DeliveryWorker> {
    let renderer = EmailRenderer::new(
        &config.company,
        &config.server.origin(),
        app.forms.clone(),
        &config.mail,
        app.auth.email_key(),
    )?;
    let mailer = mailer::for_settings(&config.mail, &config.data.dir.join("mail"))?;
    Ok(DeliveryWorker::new(
        app.store.clone(),
        Clock::system(),
        renderer,
        mailer,
        &config.mail,
    ))
}

async fn app(config: &Config, store: Store, forms: Arc<Forms>) -> Result<App> {
    let (clock, folder) = (Clock::system(), &config.data.dir);
    let auth = Auth::open(
        store.clone(),
        clock.clone(),
        config.auth.clone(),
        config.limits.clone(),
        &config.server.origin(),
        folder,
    )
    .await?;
    let pages = PageMap::open(
        &config.company,
        &config.server,
        &config.auth.sso,
        &folder.join("media"),
        &clock,
    )?;
    let addresses = ClientAddresses::open(&store, folder, &config.server.trusted_proxies).await?;
    Ok(App {
        auth,
        store,
        clock,
        forms,
        addresses,
        pages: Arc::new(pages),
        metrics: Metrics::default(),
        company: config.company.clone(),
        server: config.server.clone(),
        bodies: BodyBudget::new(&config.limits),
        limits: config.limits.clone(),
        tasks: Supervisor::default(),
    })
}

/// Once asked to stop, gives the letters under way as long as the requests under way get.
async fn finish_mail(
    mut delivery_worker: JoinHandle<()>,
    mut stopped: watch::Receiver<bool>,
    patience: Duration,
) {
    // The sender goes only when it has said that it is time to stop.
    let _ = stopped.wait_for(|stop| *stop).await;
    if timeout(patience, &mut delivery_worker).await.is_err() {
        tracing::warn!("a mail was still under way; it is sent again after the next start");
        delivery_worker.abort();
    }
}

/// Why an address cannot be listened on, and what helps.
fn refused(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let help = match error.kind() {
        ErrorKind::AddrInUse => {
            "; another program listens there, perhaps this one. Stop it, or choose another port with --listen or server.listen"
        }
        ErrorKind::AddrNotAvailable => {
            "; this host has no such address. 0.0.0.0 stands for all it has"
        }
        ErrorKind::PermissionDenied => {
            "; ports below 1024 need a right of their own (CAP_NET_BIND_SERVICE)"
        }
        _ => "",
    };
    anyhow!("cannot listen on {address}: {error}{help}")
}

/// Tells the operator where everything is, and how to get in. Nobody may be listening; that stops no server.
fn print_banner(config: &Config, has_admin: bool) {
    let origin = config.server.origin();
    let (name, data) = (&config.company.name, config.data.dir.display());
    let mut text = format!(
        "{name}\n  Site       {origin}/\n  Dashboard  {origin}/admin\n  API docs   {origin}/api/docs\n  Data       {data}\n"
    );
    if !has_admin {
        let program = std::env::args().next().unwrap_or_default();
        let folder = match config.data.dir == Data::default().dir {
            true => String::new(),
            false => format!(" --data {data}"),
        };
        text += &format!(
            "There is no admin yet. Make the first one with\n  {program} create-admin --email you@company.example{folder}\n"
        );
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Done when the process is asked to end.
fn shutdown_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("asked to stop; finishing what is under way");
    })
}

/// Logs go to standard error. What visitors wrote, their addresses and secrets are never logged, at any level.
fn start_log() {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,guardpost=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}

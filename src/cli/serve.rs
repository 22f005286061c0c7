//! `guardpost serve`: builds the application from the settings and runs it until a shutdown signal.

use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use listenfd::ListenFd;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::rustls::crypto::aws_lc_rs;

use super::global_args::GlobalArgs;
use super::notify::Notifier;
use super::{log_format, media};
use crate::app;
use crate::config::{Config, Data};
use crate::domain::clock::Clock;
use crate::http::runtime_pool::RuntimePool;
use crate::http::{self, App};
use crate::maintenance::Maintenance;
use crate::outbox::{DeliveryWorker, license_warnings, mailer};
use crate::store::access::require_private;
use crate::supervisor::Supervisor;

/// Serve the site, the API and the dashboard, and send emails.
///
/// All data is stored in the data folder, which is created and migrated at the start. SIGTERM and
/// Ctrl-C shut the server down gracefully: running requests and email deliveries get
/// `server.shutdown_seconds` to finish.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    guardpost serve\n  \
    guardpost serve --listen 0.0.0.0:8080 --data /var/lib/guardpost \
    --config /etc/guardpost.toml\n  \
    guardpost serve --hold-mail\n  \
    RUST_LOG=guardpost=debug guardpost serve")]
pub(super) struct Serve {
    /// Address and port to listen on; overrides `server.listen`. Port 0 selects a free port
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,
    /// Send no emails: they wait in the outbox until a start without this flag
    #[arg(long)]
    hold_mail: bool,
}

impl Serve {
    pub(super) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let mut config = globals.settings()?;
        if let Some(listen) = self.listen {
            config.server.listen = listen;
        }
        log_format::init(config.server.log_format);
        install_tls_provider()?;
        // Connections are served by threads of their own (`http::runtime_pool`); this runtime
        // accepts them, delivers emails and runs background tasks.
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the runtime")?
            .block_on(serve(config, self.hold_mail))
    }
}

/// Selects aws-lc-rs as the TLS provider of the process; rustls needs a choice, since the
/// dependencies bring two.
pub(super) fn install_tls_provider() -> Result<()> {
    aws_lc_rs::default_provider()
        .install_default()
        .map_err(|_| anyhow!("a TLS provider is installed already"))
}

async fn serve(mut config: Config, hold_mail: bool) -> Result<()> {
    if config.data.dir.exists() {
        require_private(&config.data.dir)?;
    }
    let store = GlobalArgs::open(&config)?;
    let (listener, redirects) = listen(&mut config).await?;
    let app = app::build(&config, store.clone(), Clock::system()).await?;
    let mailer = mailer::for_settings(&config.mail, &config.data.dir.join("mail"))?;
    let delivery_worker = app::delivery_worker(&config, &app, mailer)?;
    media::record_files(&store, &config.data.dir.join("media")).await?;
    let runtimes = RuntimePool::per_cpu().context("cannot start the worker threads")?;
    let server = http::server::open(listener, redirects, app.clone()).await?;
    print_banner(
        &config,
        &app.site().company.name,
        app.auth.has_admin().await?,
    );
    let notifier = Arc::new(Notifier::from_environment());
    notifier.send("READY=1");

    let (stop, stopped) = watch::channel(false);
    let signal = shutdown_signal()?;
    let delivery = if hold_mail {
        tracing::warn!("emails are held: none is sent until a start without --hold-mail");
        tokio::spawn(async {})
    } else {
        spawn_delivery(&app.tasks, delivery_worker, stopped.clone())
    };
    let mut maintenance = app::maintenance(&config, store.clone(), Clock::system())?;
    maintenance.certificates = app.certificates.clone();
    let tasks = spawn_background_tasks(&app, config.desk.held_days, maintenance);
    let watchdog = {
        let (notifier, store) = (notifier.clone(), store.clone());
        tokio::spawn(async move { notifier.run_watchdog(store).await })
    };
    let web = server.serve(runtimes, async move {
        signal.await;
        notifier.send("STOPPING=1");
        stop.send_replace(true);
    });
    let grace_period = Duration::from_secs(config.server.shutdown_seconds.into());
    tokio::join!(web, finish_delivery(delivery, stopped, grace_period));
    watchdog.abort();
    tasks.iter().for_each(JoinHandle::abort);
    // All connections and worker threads have ended; the database is closed last.
    store.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Listens on the addresses of the settings; or takes the sockets that systemd has opened before
/// the start: that of the site, then that of plain HTTP. Those stay open while a server is
/// replaced.
async fn listen(config: &mut Config) -> Result<(TcpListener, Option<TcpListener>)> {
    let mut passed = passed_sockets()?.into_iter();
    let server = &mut config.server;
    let listener = match passed.next() {
        Some(listener) => listener,
        None => TcpListener::bind(server.listen)
            .await
            .map_err(|error| explain_bind_error(server.listen, &error))?,
    };
    server.listen = listener.local_addr()?;
    let redirects = match passed.next() {
        Some(redirects) if server.speaks_tls() => Some(redirects),
        Some(_) => bail!(
            "systemd passes a second socket, for plain HTTP beside TLS, but the server does not \
             speak TLS: remove its ListenStream"
        ),
        None => http::redirect::listen(server).await?,
    };
    Ok((listener, redirects))
}

/// The listening sockets of sd_listen_fds(3).
fn passed_sockets() -> Result<Vec<TcpListener>> {
    let mut passed = ListenFd::from_env();
    let mut sockets = Vec::new();
    for at in 0..passed.len() {
        let socket = passed.take_tcp_listener(at);
        let socket = socket.with_context(|| format!("socket {} is no TCP listener", at + 1));
        if let Some(socket) = socket.context("the sockets of systemd")? {
            socket.set_nonblocking(true)?;
            sockets.push(TcpListener::from_std(socket)?);
        }
    }
    Ok(sockets)
}

/// Starts email delivery, which shuts down gracefully when `stopped` becomes true.
fn spawn_delivery(
    tasks: &Supervisor,
    delivery_worker: DeliveryWorker,
    stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    let delivery_worker = Arc::new(delivery_worker);
    tasks.spawn("email delivery", move || {
        delivery_worker.clone().run(stopped.clone())
    })
}

/// Starts the background tasks that can be aborted at any time.
fn spawn_background_tasks(
    app: &App,
    held_days: u32,
    maintenance: Maintenance,
) -> [JoinHandle<()>; 9] {
    let (pages, auth, files) = (app.pages.clone(), app.auth.clone(), app.files.clone());
    let (store, checked_store, licensed_store) =
        (app.store.clone(), app.store.clone(), app.store.clone());
    let (site, clock) = (app.publisher.current().clone(), app.clock.clone());
    let (held_store, held_clock) = (app.store.clone(), app.clock.clone());
    [
        app.tasks
            .spawn("pages", move || pages.clone().run_renewal()),
        app.tasks.spawn("license warnings", move || {
            license_warnings::run(licensed_store.clone(), site.clone(), clock.clone())
        }),
        app.tasks
            .spawn("account cleanup", move || auth.clone().run_cleanup()),
        app.tasks
            .spawn("file cleanup", move || files.clone().run_sweeps()),
        {
            let files = app.files.clone();
            app.tasks
                .spawn("virus scan", move || files.clone().run_scans())
        },
        app.tasks
            .spawn("search index", move || store.clone().run_index_merge()),
        app.tasks.spawn("database check", move || {
            checked_store.clone().run_integrity_checks()
        }),
        app.tasks
            .spawn("maintenance", move || maintenance.clone().run()),
        app.tasks.spawn("held requests", move || {
            held_store
                .clone()
                .run_held_purge(held_days, held_clock.clone())
        }),
    ]
}

/// After the shutdown signal, waits up to `grace_period` for running deliveries.
async fn finish_delivery(
    mut delivery: JoinHandle<()>,
    mut stopped: watch::Receiver<bool>,
    grace_period: Duration,
) {
    // Fails only if the sender is dropped, which happens after the signal.
    let _ = stopped.wait_for(|stop| *stop).await;
    if timeout(grace_period, &mut delivery).await.is_err() {
        tracing::warn!("a running email delivery was aborted; it is retried after the next start");
        delivery.abort();
    }
}

/// Describes why the address cannot be bound, and how to fix it.
fn explain_bind_error(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    let help = match error.kind() {
        ErrorKind::AddrInUse => {
            "; the port is in use, perhaps by another guardpost. Stop that program, or choose \
             another port with --listen or server.listen"
        }
        ErrorKind::AddrNotAvailable => {
            "; this host has no such address. Use 0.0.0.0 for all of its addresses"
        }
        ErrorKind::PermissionDenied => {
            "; ports below 1024 require the capability CAP_NET_BIND_SERVICE"
        }
        _ => "",
    };
    anyhow!("cannot listen on {address}: {error}{help}")
}

/// Prints the URLs, the data folder, and how to create the first admin. A closed standard output is
/// not an error.
fn print_banner(config: &Config, name: &str, has_admin: bool) {
    let origin = config.server.origin();
    let data = config.data.dir.display();
    let mut text = format!(
        "{name}\n  Site       {origin}/\n  Dashboard  {origin}/admin\n  \
         API docs   {origin}/api/docs\n  Data       {data}\n"
    );
    if !has_admin {
        let program = std::env::args().next().unwrap_or_default();
        let folder = match config.data.dir == Data::default().dir {
            true => String::new(),
            false => format!(" --data {data}"),
        };
        text += &format!(
            "There is no admin yet. Create the first one with\n  {program} create-admin \
             --email you@company.example{folder}\n"
        );
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Completes at SIGTERM or SIGINT.
fn shutdown_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("shutting down; waiting for running requests");
    })
}

//! `guardpost serve`: builds the application from the settings and runs it until a shutdown signal.

mod listen;
mod notify;
mod reload;
mod tasks;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use sd_notify::NotifyState;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::rustls::crypto::aws_lc_rs;

use self::listen::listen;
use self::reload::{Reload, hangups};
use self::tasks::{
    finish_delivery, spawn_alarms, spawn_background_tasks, spawn_delivery, spawn_inbound,
    warn_of_late_machine,
};
use super::startup::global_args::GlobalArgs;
use super::startup::log_format;
use crate::app;
use config::{Config, Data, LogFormat};
use domain::clock::Clock;
use http::server::runtime_pool::RuntimePool;
use outbox::mailer;
use s3::ownership::Role;
use store::database::disk::request_reserve;

/// Serve the site, the API and the dashboard, and send emails.
///
/// All data is stored in the data folder, which is created and migrated at the start. SIGTERM and
/// Ctrl-C shut the server down gracefully: running requests and email deliveries get
/// `server.shutdown_seconds` to finish. SIGHUP loads certificates, opens the access log anew and
/// reads how the mail server is reached.
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
    /// Change nothing outside of the data folder: no emails, no calls out, no backups, no
    /// certificates, nothing written into a bucket. A restored folder does so without this flag
    #[arg(long)]
    drill: bool,
}

impl Serve {
    pub(super) fn run(self, globals: &GlobalArgs) -> Result<()> {
        let (mut config, sources) = globals.settings_with_sources()?;
        if let Some(listen) = self.listen {
            config.server.listen = listen;
        }
        config.data.drill = self.drill;
        log_format::init(config.server.log_format);
        for setting in sources.gone {
            tracing::warn!(
                setting,
                "this is no setting any more and changes nothing: remove it"
            );
        }
        install_tls_provider()?;
        // Connections are served by separate threads (`http::server::runtime_pool`); this runtime
        // accepts them, delivers emails and runs background tasks.
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the runtime")?
            .block_on(serve(globals, config, self.hold_mail))
    }
}

/// Selects aws-lc-rs as the TLS provider of the process; rustls needs a choice, since the
/// dependencies bring two.
pub(in crate::cli) fn install_tls_provider() -> Result<()> {
    aws_lc_rs::default_provider()
        .install_default()
        .map_err(|_| anyhow!("a TLS provider is installed already"))
}

async fn serve(globals: &GlobalArgs, mut config: Config, hold_mail: bool) -> Result<()> {
    let hangups = hangups()?;
    let is_new = !config.data.dir.exists();
    let _lock = GlobalArgs::lock_folder(&config)?;
    let store = GlobalArgs::open(&config)?;
    store.release_interrupted().await?;
    store.keep_reserve(&config.data.dir, config.data.request_reserve_mb);
    let (listener, redirects) = listen(&mut config).await?;
    let app = app::build(&config, store.clone(), Clock::system()).await?;
    let mailer = mailer::for_settings(&config.mail, &config.data.dir.join("mail"))?;
    let delivery_worker = app::workers::delivery_worker(&config, &app, mailer)?;
    let delivery_worker = Arc::new(delivery_worker);
    let mailbox = app::workers::mailbox_reader(&config, &app.inbound)?;
    let runtimes = RuntimePool::per_cpu().context("cannot start the worker threads")?;
    let routes = api::router::open(app.clone());
    let server = http::server::open(listener, redirects, app.clone(), routes).await?;
    let reload = Reload::new(globals, server.reloader(), delivery_worker.clone())?;
    let reload = tokio::spawn(reload.run(hangups));
    // Before anything says that the server has started: it may be stopped at once.
    let signal = shutdown_signal()?;
    if is_new {
        let folder = config.data.dir.display();
        tracing::warn!(%folder, "created the data folder, which did not exist");
    }
    warn_of_late_machine(&app.clock);
    print_banner(
        &config,
        &app.publisher.site().company.name,
        app.auth.has_admin().await?,
    );
    notify::send(NotifyState::Ready);

    let (stop, stopped) = watch::channel(false);
    let delivery = if app.role.is_drill() {
        warn_of_drill(&app.role, &globals.line("promote"));
        tokio::spawn(async {})
    } else if hold_mail {
        tracing::warn!("emails are held: none is sent until a start without --hold-mail");
        tokio::spawn(async {})
    } else {
        spawn_delivery(&app.tasks, delivery_worker, stopped.clone())
    };
    let calling = match app.role.is_drill() {
        true => Vec::new(),
        false => spawn_alarms(&app, app::workers::webhook_worker(&app), &stopped),
    };
    let maintenance = app::workers::maintenance(&config, &app)?;
    let reports = app::workers::reports(&config, &app);
    let receiving = spawn_inbound(&app, mailbox, &stopped);
    let tasks = spawn_background_tasks(&app, maintenance, reports);
    let watchdog = tokio::spawn(notify::run_watchdog(store.clone()));
    let web = server.serve(runtimes, async move {
        signal.await;
        notify::send(NotifyState::Stopping);
        stop.send_replace(true);
    });
    let grace_period = Duration::from_secs(config.server.shutdown_seconds.into());
    tokio::join!(web, finish_delivery(delivery, stopped, grace_period));
    calling.iter().chain(&receiving).for_each(JoinHandle::abort);
    watchdog.abort();
    reload.abort();
    tasks.iter().for_each(JoinHandle::abort);
    app.page_views.flush(&store).await;
    if let Err(error) = store.stop_email_tries().await {
        tracing::warn!(%error, "an email that was being read counts as one that ended the server");
    }
    // All connections and worker threads have ended; the database is closed last.
    store.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Logs that the folder is a drill, and how that ends.
fn warn_of_drill(role: &Role, promote: &str) {
    let end = match role {
        Role::Drill(Some(since)) => {
            format!("It was restored at {since}; this makes it the production server: {promote}")
        }
        _ => "A start without --drill ends it.".to_owned(),
    };
    tracing::warn!(
        "this is a drill: no emails, calls, backups or certificates; nothing is written into a \
         bucket, uploads stay in the data folder. {end}"
    );
}

/// Prints the URLs, the data folder, and how to create the first admin; as one object if the log is
/// JSON. A closed standard output is not an error.
fn print_banner(config: &Config, name: &str, has_admin: bool) {
    let origin = config.server.origin();
    let data = config.data.dir.display();
    let reserve = request_reserve::size_in(&config.data.dir).unwrap_or(0) >> 20;
    if config.server.log_format == LogFormat::Json {
        let line = json!({
            "time": Clock::system().now().to_string(), "level": "INFO", "target": "guardpost",
            "message": "serving", "company": name, "version": domain::program::build().text,
            "site": format!("{origin}/"), "dashboard": format!("{origin}/admin"),
            "api_docs": format!("{origin}/api/docs"), "data": data.to_string(),
            "request_reserve_mb": reserve,
            "has_admin": has_admin,
        });
        let _ = writeln!(std::io::stdout(), "{line}");
        return;
    }
    let mut text = format!(
        "{name}\n  Site       {origin}/\n  Dashboard  {origin}/admin\n  \
         API docs   {origin}/api/docs\n  Data       {data}, with {reserve} MB kept for requests \
         when the disk is full\n"
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

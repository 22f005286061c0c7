//! The tasks beside the web server: email delivery and background tasks.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::app::reports::Reports;
use crate::maintenance::Maintenance;
use crate::maintenance::timers::Timers;
use alarms::webhooks::WebhookWorker;
use auth::Auth;
use config::HELD_DAYS;
use domain::clock::{Clock, MAX_AHEAD_MS};
use http::AppState;
use http::pages::Pages;
use http::supervisor::Supervisor;
use inbound_mail::imap::MailboxReader;
use outbox::DeliveryWorker;
use storage::Files;
use store::Store;

/// How long the background tasks wait at a start: each of them would take memory, connections to
/// the database and one of two cores from the first requests.
const START_PAUSE: Duration = Duration::from_secs(1);

/// Starts email delivery, which shuts down gracefully when `stopped` becomes true.
pub(super) fn spawn_delivery(
    tasks: &Supervisor,
    delivery_worker: Arc<DeliveryWorker>,
    stopped: watch::Receiver<bool>,
) -> JoinHandle<()> {
    tasks.spawn("email delivery", move || {
        delivery_worker.clone().run(stopped.clone())
    })
}

/// Starts the workers of alarms and webhooks. Attempts that a shutdown interrupts are made again
/// after the next start.
pub(super) fn spawn_alarms(
    app: &AppState,
    webhooks: WebhookWorker,
    stopped: &watch::Receiver<bool>,
) -> Vec<JoinHandle<()>> {
    let (alarms, webhooks) = (app.alarms.clone(), Arc::new(webhooks));
    let (alarms_stop, webhooks_stop) = (stopped.clone(), stopped.clone());
    vec![
        app.tasks
            .spawn("alarms", move || alarms.clone().run(alarms_stop.clone())),
        app.tasks.spawn("webhooks", move || {
            webhooks.clone().run(webhooks_stop.clone())
        }),
    ]
}

/// Starts the tasks that receive customers' emails; a drill has none. The work that a shutdown
/// interrupts is done after the next start.
pub(super) fn spawn_inbound(
    app: &AppState,
    mailbox: Option<MailboxReader>,
    stopped: &watch::Receiver<bool>,
) -> Vec<JoinHandle<()>> {
    if app.role.is_drill() {
        return Vec::new();
    }
    let inbound = (app.inbound.clone(), stopped.clone());
    let inbound = background(app, "received emails", &inbound, |(it, stop)| it.run(stop));
    let mailbox = mailbox.map(|mailbox| {
        let mailbox = (mailbox, stopped.clone());
        background(app, "mailbox", &mailbox, |(it, stop)| it.run(stop))
    });
    [inbound].into_iter().chain(mailbox).collect()
}

/// Starts the task `run` of `subject` after the pause.
fn background<S, T>(
    app: &AppState,
    name: &'static str,
    subject: &S,
    run: impl Fn(S) -> T + Send + 'static,
) -> JoinHandle<()>
where
    S: Clone + Send + 'static,
    T: Future<Output = ()> + Send,
{
    let subject = subject.clone();
    app.tasks
        .spawn_after(START_PAUSE, name, move || run(subject.clone()))
}

/// Starts the background tasks that can be aborted at any time. A drill runs those that concern
/// only its own folder, and deletes nothing.
pub(super) fn spawn_background_tasks(
    app: &AppState,
    maintenance: Maintenance,
    reports: Reports,
) -> Vec<JoinHandle<()>> {
    let (store, clock) = (&app.store, &app.clock);
    let timers = Timers {
        store: store.clone(),
        clock: clock.clone(),
        answer_times: app.answer_times,
    };
    let views = (app.page_views.clone(), store.clone());
    let mut running = vec![
        background(app, "database probes", store, Store::run_probes),
        background(app, "timers", &timers, Timers::run),
        background(app, "pages", &app.pages, Pages::run_renewal),
        background(app, "page views", &views, |(views, store)| views.run(store)),
        background(app, "account cleanup", &app.auth, Auth::run_cleanup),
        background(app, "virus scan", &app.files, Files::run_scans),
        background(app, "database check", store, Store::run_integrity_checks),
    ];
    if app.role.is_drill() {
        return running;
    }
    let held = (store.clone(), clock.clone());
    let purge = |(store, clock): (Store, Clock)| store.run_held_purge(HELD_DAYS, clock);
    running.extend([
        background(app, "file cleanup", &app.files, Files::run_sweeps),
        background(app, "maintenance", &maintenance, Maintenance::run),
        background(app, "reports", &reports, Reports::run),
        background(app, "held requests", &held, purge),
    ]);
    running
}

/// Logs that the machine's clock is far behind the time of this server.
pub(super) fn warn_of_late_machine(clock: &Clock) {
    if clock.ahead_ms() > MAX_AHEAD_MS {
        tracing::warn!(
            now = %clock.now(),
            machine = %clock.machine(),
            "the machine's clock is behind the newest stored time, from which this server goes on; \
             synchronize it"
        );
    }
}

/// After the shutdown signal, waits up to `grace_period` for running deliveries.
pub(super) async fn finish_delivery(
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

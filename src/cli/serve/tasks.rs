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
use domain::clock::{Clock, MAX_AHEAD_MS};
use http::AppState;
use http::supervisor::Supervisor;
use inbound_mail::imap::MailboxReader;
use outbox::DeliveryWorker;

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

/// Starts what receives emails of customers; nothing in a drill. What a shutdown interrupts is done
/// after the next start.
pub(super) fn spawn_inbound(
    app: &AppState,
    mailbox: Option<MailboxReader>,
    stopped: &watch::Receiver<bool>,
) -> Vec<JoinHandle<()>> {
    if app.role.is_drill() {
        return Vec::new();
    }
    let (inbound, stop) = (app.inbound.clone(), stopped.clone());
    let pending = move || inbound.clone().run(stop.clone());
    let mut tasks = vec![
        app.tasks
            .spawn_after(START_PAUSE, "received emails", pending),
    ];
    if let Some(mailbox) = mailbox {
        let stop = stopped.clone();
        let read = move || mailbox.clone().run(stop.clone());
        tasks.push(app.tasks.spawn_after(START_PAUSE, "mailbox", read));
    }
    tasks
}

/// Starts the background tasks that can be aborted at any time. A drill runs those that concern
/// only its own folder, and deletes nothing.
pub(super) fn spawn_background_tasks(
    app: &AppState,
    held_days: u32,
    maintenance: Maintenance,
    reports: Reports,
) -> Vec<JoinHandle<()>> {
    let (pages, auth, files) = (app.pages.clone(), app.auth.clone(), app.files.clone());
    let checked_store = app.store.clone();
    let (held_store, held_clock) = (app.store.clone(), app.clock.clone());
    let probed_store = app.store.clone();
    let (views, viewed_store) = (app.page_views.clone(), app.store.clone());
    let timers = Timers {
        store: app.store.clone(),
        clock: app.clock.clone(),
        answer_times: app.answer_times,
    };
    let tasks = &app.tasks;
    let mut running = vec![
        tasks.spawn_after(START_PAUSE, "database probes", move || {
            probed_store.clone().run_probes()
        }),
        tasks.spawn_after(START_PAUSE, "timers", move || timers.clone().run()),
        tasks.spawn_after(START_PAUSE, "pages", move || pages.clone().run_renewal()),
        tasks.spawn_after(START_PAUSE, "page views", move || {
            views.clone().run(viewed_store.clone())
        }),
        tasks.spawn_after(START_PAUSE, "account cleanup", move || {
            auth.clone().run_cleanup()
        }),
        {
            let files = app.files.clone();
            tasks.spawn_after(START_PAUSE, "virus scan", move || files.clone().run_scans())
        },
        tasks.spawn_after(START_PAUSE, "database check", move || {
            checked_store.clone().run_integrity_checks()
        }),
    ];
    if app.role.is_drill() {
        return running;
    }
    running.extend([
        tasks.spawn_after(START_PAUSE, "file cleanup", move || {
            files.clone().run_sweeps()
        }),
        tasks.spawn_after(START_PAUSE, "maintenance", move || {
            maintenance.clone().run()
        }),
        tasks.spawn_after(START_PAUSE, "reports", move || reports.clone().run()),
        tasks.spawn_after(START_PAUSE, "held requests", move || {
            held_store
                .clone()
                .run_held_purge(held_days, held_clock.clone())
        }),
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

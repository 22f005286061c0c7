//! `TestApp`: the whole application on a free port, with its own data folder, a manual clock and a
//! mailbox.

use std::fs::Permissions;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use alarms::Alarms;
use alarms::webhooks::WebhookWorker;
use auth::Auth;
use config::Config;
use domain::clock::{Clock, Time};
use guardpost::app;
use guardpost::app::reports::Reports;
use guardpost::maintenance::Maintenance;
use guardpost::maintenance::timers::Timers;
use http::pages::redirect;
use http::request::body_budget::BodyBudget;
use http::server::runtime_pool::RuntimePool;
use http::supervisor::Supervisor;
use http::{AppState, server};
use inbound_mail::InboundMail;
use outbox::DeliveryWorker;
use outbox::mailer::Mailer;
use storage::Files;
use storage::sweep::{Swept, Temporaries};
use store::Store;
use tokio::sync::oneshot;

use super::mail::{Mail, Memory};

/// The time at which every test starts.
pub const START: &str = "2026-11-21T12:00:00.000Z";

/// A running application.
pub struct TestApp {
    app: Arc<AppState>,
    pub address: SocketAddr,
    pub clock: Clock,
    pub store: Store,
    pub auth: Auth,
    pub files: Files,
    pub inbound: InboundMail,
    pub tasks: Supervisor,
    pub bodies: Arc<BodyBudget>,
    pub downloads: Arc<BodyBudget>,
    pub http: reqwest::Client,
    pub folder: Arc<tempfile::TempDir>,
    pub config: Config,
    mailbox: Arc<Memory>,
    stop: Option<oneshot::Sender<()>>,
}

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_guardpost");

impl TestApp {
    /// Starts with the shipped settings.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts with settings changed by `adjust`. The loopback address is a trusted proxy, so that
    /// `X-Forwarded-For` makes different clients.
    pub async fn with(adjust: impl FnOnce(&mut Config)) -> Self {
        Self::starting(START, adjust).await
    }

    /// The same at another time than `START`.
    pub async fn starting(start: &str, adjust: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::default();
        config.server.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        // Below the minimum of `Config::check`, so that a test with a hundred sign-ins is fast.
        config.auth.argon2_memory_kib = 8;
        config.auth.argon2_iterations = 1;
        // Tests about other emails count the mailbox.
        config.mail.acknowledge = false;
        adjust(&mut config);
        let clock = Clock::manual(Time::parse(start).unwrap());
        let mut folder = tempfile::Builder::new();
        let folder = folder.permissions(Permissions::from_mode(0o700)).tempdir();
        Self::run(config, clock, Arc::new(folder.unwrap())).await
    }

    /// Signals the server to stop, as SIGTERM does.
    pub fn stop(&mut self) {
        self.stop = None;
    }

    /// Stops and starts again on the same folder.
    pub async fn restart(&mut self) {
        *self = self.beside().await;
    }

    /// A second process on the same folder.
    pub async fn beside(&self) -> Self {
        Self::run(self.config.clone(), self.clock.clone(), self.folder.clone()).await
    }

    /// The same application on another data folder.
    pub async fn on(&self, folder: Arc<tempfile::TempDir>) -> Self {
        Self::run(self.config.clone(), self.clock.clone(), folder).await
    }

    async fn run(mut config: Config, clock: Clock, folder: Arc<tempfile::TempDir>) -> Self {
        config.data.dir = folder.path().to_owned();
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        // A test may have put a renderer of its own there.
        let renderer = folder.path().join("renderer");
        let program = match renderer.exists() {
            true => renderer,
            false => PROGRAM.into(),
        };
        let app = app::build_with(&config, store, clock.clone(), program)
            .await
            .unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let redirects = redirect::listen(&config.server).await.unwrap();
        let routes = api::router::open(app.clone());
        let server = server::open(listener, redirects, app.clone(), routes);
        let server = server.await.unwrap();
        tokio::spawn(server.serve(RuntimePool::current(), async {
            let _ = stopped.await;
        }));
        // No test calls its server by TLS with it: the system's certificates need not be read.
        let http = reqwest::Client::builder()
            .tls_certs_only([])
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            address,
            clock,
            store: app.store.clone(),
            auth: app.auth.clone(),
            files: app.files.clone(),
            inbound: app.inbound.clone(),
            tasks: app.tasks.clone(),
            bodies: app.bodies.budget.clone(),
            downloads: app.downloads.clone(),
            app,
            http,
            folder,
            config,
            mailbox: Arc::default(),
            stop: Some(stop),
        }
    }

    /// A delivery worker for this application's outbox with a mailer of the test's choice.
    pub fn delivery_worker(&self, mailer: Arc<dyn Mailer>) -> Arc<DeliveryWorker> {
        Arc::new(app::workers::delivery_worker(&self.config, &self.app, mailer).unwrap())
    }

    /// What notifies people of alarms.
    pub fn alarms(&self) -> Arc<Alarms> {
        self.app.alarms.clone()
    }

    /// The worker of webhooks.
    pub fn webhooks(&self) -> Arc<WebhookWorker> {
        Arc::new(app::workers::webhook_worker(&self.app))
    }

    /// A delivery worker that sends into the mailbox. It also brings back follow-ups and escalates.
    pub fn mailbox_worker(&self) -> Arc<DeliveryWorker> {
        self.delivery_worker(self.mailbox.clone())
    }

    /// Sends everything that is due into the mailbox.
    pub async fn run_outbox(&self) {
        let delivery_worker = self.mailbox_worker();
        while delivery_worker.deliver_due().await.unwrap() > 0 {}
    }

    /// Runs `work` until there is such a row, as in `outbox WHERE lease IS NOT NULL`, then ends it
    /// as a process that is killed, and starts again.
    pub async fn kill_during(&self, row: &str, work: impl Future<Output = ()> + Send + 'static) {
        let task = tokio::spawn(work);
        let begun = async {
            while self.rows(row).await == 0 {
                tokio::task::yield_now().await;
            }
        };
        let begun = tokio::time::timeout(Duration::from_secs(30), begun).await;
        begun.unwrap_or_else(|_| panic!("there was no row of {row}"));
        task.abort();
        let _ = task.await;
        self.store.release_interrupted().await.unwrap();
    }

    /// Every email sent by `run_outbox`, oldest first.
    pub fn mailbox(&self) -> Vec<Mail> {
        self.mailbox.emails()
    }

    /// Does what has come due by the time alone.
    pub async fn run_timers(&self) {
        let timers = Timers {
            store: self.store.clone(),
            clock: self.clock.clone(),
            answer_times: self.app.answer_times,
        };
        timers.run_due().await;
    }

    /// Ends the offers whose time is over, and nothing else that has come due.
    pub async fn advance_offers(&self) {
        self.store.advance_offers(self.clock.now()).await.unwrap();
    }

    /// The maintenance jobs of the server.
    pub fn maintenance(&self) -> Maintenance {
        app::workers::maintenance(&self.config, &self.app).unwrap()
    }

    /// Renews the pages if the day has changed; returns whether it did.
    pub async fn renew_pages(&self) -> bool {
        self.app.pages.clone().renew().await.unwrap()
    }

    /// What sends the reports of figures.
    pub fn reports(&self) -> Reports {
        app::workers::reports(&self.config, &self.app)
    }

    /// Stores the views of pages, as the server does every few seconds and at its end.
    pub async fn flush_views(&self) {
        self.app.page_views.flush(&self.store).await;
    }

    /// Publishes the scheduled drafts that are due; returns whether it did, or why it could not.
    pub async fn publish_due(&self) -> Result<bool, String> {
        let published = self.app.pages.clone().publish_due().await;
        published.map_err(|error| error.to_string())
    }

    /// Queues the license warnings that are due; returns their number.
    pub async fn warn_of_licenses(&self) -> usize {
        self.maintenance().warn_of_licenses().await.unwrap()
    }

    /// Deletes files that nothing needs, as the server does at its start.
    pub async fn sweep(&self) -> Swept {
        self.files.sweep(Temporaries::Ours).await.unwrap()
    }

    /// Sets the clock to the time of the operating system, which file systems use.
    pub fn advance_to_now(&self) {
        self.advance_to_before_now(0);
    }

    /// Moves the clock to so many milliseconds before the system's.
    pub fn advance_to_before_now(&self, millis: i64) {
        let now = Clock::system().now();
        let passed = now.millis() - self.clock.now().millis();
        self.clock.advance(passed - millis);
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

//! `TestApp`: the whole product on a free port with its own folder; people who call it; a clock to turn.

use std::net::SocketAddr;
use std::sync::Arc;

use guardpost::auth::Auth;
use guardpost::config::Config;
use guardpost::domain::clock::{Clock, Time};
use guardpost::domain::form::Forms;
use guardpost::http::body_budget::BodyBudget;
use guardpost::http::client_address::ClientAddresses;
use guardpost::http::metrics::Metrics;
use guardpost::http::page_map::PageMap;
use guardpost::http::runtime_pool::RuntimePool;
use guardpost::http::{self, App};
use guardpost::outbox::DeliveryWorker;
use guardpost::outbox::email::EmailRenderer;
use guardpost::outbox::mailer::{Mailer, Memory};
use guardpost::store::Store;
use guardpost::supervisor::Supervisor;
use tokio::sync::oneshot;

use crate::mail::Mail;

/// The moment at which every test begins.
pub const START: &str = "2026-11-21T12:00:00.000Z";

/// A running product.
pub struct TestApp {
    pub address: SocketAddr,
    pub clock: Clock,
    pub store: Store,
    pub auth: Auth,
    pub tasks: Supervisor,
    pub bodies: Arc<BodyBudget>,
    pub http: reqwest::Client,
    pub folder: Arc<tempfile::TempDir>,
    pub config: Config,
    mailbox: Arc<Memory>,
    stop: Option<oneshot::Sender<()>>,
}

impl TestApp {
    /// Starts with the shipped settings.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts with settings changed by `adjust`. The loopback address is a trusted proxy, so that `X-Forwarded-For` makes different visitors.
    pub async fn with(adjust: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::default();
        config.server.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        // Below the floor that `Config::check` holds: a test that signs in a hundred times should not wait for it.
        config.auth.argon2_memory_kib = 8;
        config.auth.argon2_iterations = 1;
        adjust(&mut config);
        let clock = Clock::manual(Time::parse(START).unwrap());
        Self::run(config, clock, Arc::new(tempfile::tempdir().unwrap())).await
    }

    /// Asks the server to stop, as SIGTERM does.
    pub fn stop(&mut self) {
        self.stop = None;
    }

    /// Ends this process's part and starts anew on the same folder.
    pub async fn restart(&mut self) {
        *self = self.beside().await;
    }

    /// A second process on the same folder.
    pub async fn beside(&self) -> Self {
        Self::run(self.config.clone(), self.clock.clone(), self.folder.clone()).await
    }

    async fn run(config: Config, clock: Clock, folder: Arc<tempfile::TempDir>) -> Self {
        let store = Store::open(&folder.path().join("guardpost.db")).unwrap();
        let auth = Auth::open(
            store.clone(),
            clock.clone(),
            config.auth.clone(),
            config.limits.clone(),
            &config.server.origin(),
            folder.path(),
        )
        .await
        .unwrap();
        let tasks = Supervisor::default();
        let bodies = BodyBudget::new(&config.limits);
        let app = App {
            auth: auth.clone(),
            store: store.clone(),
            clock: clock.clone(),
            forms: Arc::new(Forms::bundled().unwrap()),
            addresses: ClientAddresses::open(&store, folder.path(), &config.server.trusted_proxies)
                .await
                .unwrap(),
            pages: Arc::new(
                PageMap::open(
                    &config.company,
                    &config.server,
                    &config.auth.sso,
                    &folder.path().join("media"),
                    &clock,
                )
                .unwrap(),
            ),
            metrics: Metrics::default(),
            company: config.company.clone(),
            server: config.server.clone(),
            bodies: bodies.clone(),
            limits: config.limits.clone(),
            tasks: tasks.clone(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let doors = http::server::open(listener, Arc::new(app)).await.unwrap();
        tokio::spawn(doors.serve(RuntimePool::current(), async {
            let _ = stopped.await;
        }));
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            address,
            clock,
            store,
            auth,
            tasks,
            bodies,
            http,
            folder,
            config,
            mailbox: Arc::default(),
            stop: Some(stop),
        }
    }

    /// A postman for this product's outbox with a mailer of the test's choice.
    pub fn delivery_worker(&self, mailer: Arc<dyn Mailer>) -> Arc<DeliveryWorker> {
        let config = &self.config;
        let forms = Arc::new(Forms::bundled().unwrap());
        let renderer = EmailRenderer::new(
            &config.company,
            &config.server.origin(),
            forms,
            &config.mail,
            self.auth.email_key(),
        );
        Arc::new(DeliveryWorker::new(
            self.store.clone(),
            self.clock.clone(),
            renderer.unwrap(),
            mailer,
            &config.mail,
        ))
    }

    /// A postman who puts letters into the mailbox.
    pub fn mailbox_worker(&self) -> Arc<DeliveryWorker> {
        self.delivery_worker(self.mailbox.clone())
    }

    /// Sends everything that is due into the mailbox.
    pub async fn run_outbox(&self) {
        let delivery_worker = self.mailbox_worker();
        while delivery_worker.deliver_due().await.unwrap() > 0 {}
    }

    /// Every letter sent by `run_outbox`, oldest first.
    pub fn mailbox(&self) -> Vec<Mail> {
        self.mailbox
            .emails()
            .iter()
            .map(|raw| Mail::read(raw))
            .collect()
    }

    /// The full address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

//! Counters of requests and connections, in the OpenMetrics text format that Prometheus reads.

use std::time::Duration;

use poem::http::StatusCode;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

use store::database::schema::VERSION as SCHEMA_VERSION;

/// The media type of the text.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The group of routes of pages and files (`PageMap`).
pub(super) const PAGE: Label = ("route_group", "page");
/// That of the API, the authentication service and the forms' posts.
pub(super) const API: Label = ("route_group", "api");
/// The upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 8] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
/// Classes of statuses.
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

pub(super) type Label = (&'static str, &'static str);

/// The counters.
#[derive(Debug)]
pub struct Metrics {
    requests: Family<[Label; 2], Counter>,
    /// The times from the head of a request to its response.
    seconds: Family<[Label; 1], Histogram, fn() -> Histogram>,
    open: Gauge,
    dropped: Counter,
    refused: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let metrics = Self {
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            open: Gauge::default(),
            dropped: Counter::default(),
            refused: Counter::default(),
        };
        // The rates of the first ones count as well.
        for route_group in [PAGE, API] {
            drop(metrics.seconds.get_or_create(&[route_group]));
            for class in CLASSES {
                let labels = [route_group, ("status", class)];
                drop(metrics.requests.get_or_create(&labels));
            }
        }
        metrics
    }
}

/// A value that is read when it is asked for: its name, its help and itself, unless it cannot be
/// read.
pub type Reading = (&'static str, &'static str, Option<u64>);

impl Metrics {
    /// Counts a response that took so long.
    pub(super) fn record_response(&self, label: Label, status: StatusCode, took: Duration) {
        let seconds = self.seconds.get_or_create(&[label]);
        seconds.observe(took.as_secs_f64());
        let class = CLASSES[usize::from(status.as_u16() / 100).clamp(1, 5) - 1];
        let requests = self.requests.get_or_create(&[label, ("status", class)]);
        requests.inc();
    }

    /// Counts an open connection.
    pub fn connection_opened(&self) {
        self.open.inc();
    }

    /// Counts a connection rejected because its client has used its share.
    pub fn connection_rejected(&self) {
        self.refused.inc();
    }

    /// Counts a closed connection; `dropped` if it timed out.
    pub fn connection_closed(&self, dropped: bool) {
        self.open.dec();
        if dropped {
            self.dropped.inc();
        }
    }

    /// All metrics as text, `readings` and the `restarts` of background tasks included.
    pub fn text(&self, readings: Vec<Reading>, restarts: u64) -> String {
        let mut all = Registry::default();
        let program = domain::program::build();
        let build = Info::new([
            ("version", program.version.to_owned()),
            ("commit", program.commit.to_owned()),
            ("date", program.date.to_owned()),
            ("schema", SCHEMA_VERSION.to_string()),
        ]);
        let help = "The version of the program, its commit and the day of that, and the schema";
        all.register("guardpost_build", help, build);
        let help = "HTTP requests by route group and status class";
        all.register("guardpost_requests", help, self.requests.clone());
        let help = "Seconds from the head of a request to its response, by route group";
        all.register("guardpost_request_seconds", help, self.seconds.clone());
        let help = "Open connections";
        all.register("guardpost_connections", help, self.open.clone());
        for (name, help, counter) in [
            ("dropped", "Connections closed by a timeout", &self.dropped),
            (
                "refused",
                "Connections rejected because their client has used its share",
                &self.refused,
            ),
        ] {
            let name = format!("guardpost_connections_{name}");
            all.register(name, help, counter.clone());
        }
        let help = "Restarts of background tasks after a panic";
        let restarts = ConstCounter::new(restarts);
        all.register("guardpost_background_restarts", help, restarts);
        for (name, help, value) in readings {
            if let Some(value) = value {
                all.register(name, help, ConstGauge::new(value));
            }
        }
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &all);
        text
    }
}

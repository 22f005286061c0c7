//! Counters of requests and connections, in the OpenMetrics text format that Prometheus reads.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use poem::http::StatusCode;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use store::SCHEMA_VERSION;

/// The media type of the text.
pub const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The group of routes that responded.
#[derive(Clone, Copy, Debug)]
pub enum RouteGroup {
    /// Pages and files (`PageMap`).
    Page,
    /// The API, the authentication service and the forms' posts.
    Api,
}

/// Their names, in the same order.
const ROUTE_GROUPS: [&str; 2] = ["page", "api"];

/// The counters.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: [[AtomicU64; 5]; 2],
    /// The times from the head of a request to its response.
    durations: Durations,
    open: AtomicU64,
    accepted: AtomicU64,
    dropped: AtomicU64,
    connection_rejected: AtomicU64,
}

/// The upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 8] = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// A histogram of seconds for each route group.
#[derive(Clone, Debug)]
struct Durations([Histogram; 2]);

impl Default for Durations {
    fn default() -> Self {
        Self([Histogram::new(BOUNDS), Histogram::new(BOUNDS)])
    }
}

/// A metric without labels.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    name: &'static str,
    help: &'static str,
    is_counter: bool,
    value: u64,
}

impl Metric {
    /// A value that can fall.
    pub const fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self {
            name,
            help,
            is_counter: false,
            value,
        }
    }

    /// A number that only grows. The name ends in `_total`.
    pub const fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self {
            name,
            help,
            is_counter: true,
            value,
        }
    }
}

impl Metrics {
    /// Counts a response that took so long.
    pub fn record_response(&self, route_group: RouteGroup, status: StatusCode, took: Duration) {
        self.durations.0[route_group as usize].observe(took.as_secs_f64());
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.requests[route_group as usize][class].fetch_add(1, Relaxed);
    }

    /// Counts an accepted connection.
    pub fn connection_opened(&self) {
        self.accepted.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
    }

    /// Counts a connection rejected because its client has used its share.
    pub fn connection_rejected(&self) {
        self.connection_rejected.fetch_add(1, Relaxed);
    }

    /// Counts a closed connection; `dropped` if it timed out.
    pub fn connection_closed(&self, dropped: bool) {
        self.open.fetch_sub(1, Relaxed);
        if dropped {
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// All metrics as text, `others` included.
    pub fn text(&self, others: Vec<Metric>) -> String {
        let scrape = Scrape {
            requests: self
                .requests
                .each_ref()
                .map(|group| group.each_ref().map(load)),
            durations: self.durations.clone(),
            metrics: [self.connections(), others].concat(),
        };
        let mut registry = Registry::default();
        registry.register_collector(Box::new(scrape));
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = text::encode(&mut text, &registry);
        text
    }

    fn connections(&self) -> Vec<Metric> {
        vec![
            Metric::counter(
                "guardpost_connections_total",
                "Accepted connections.",
                load(&self.accepted),
            ),
            Metric::counter(
                "guardpost_connections_dropped_total",
                "Connections closed by a timeout.",
                load(&self.dropped),
            ),
            Metric::counter(
                "guardpost_connections_refused_total",
                "Connections rejected because their client has used its share.",
                load(&self.connection_rejected),
            ),
            Metric::gauge(
                "guardpost_connections",
                "Open connections.",
                load(&self.open),
            ),
        ]
    }
}

fn load(count: &AtomicU64) -> u64 {
    count.load(Relaxed)
}

/// The values of one scrape.
#[derive(Debug)]
struct Scrape {
    requests: [[u64; 5]; 2],
    durations: Durations,
    metrics: Vec<Metric>,
}

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let help = "The version of the program, its commit and the day of that, and the schema.";
        let mut build =
            encoder.encode_descriptor("guardpost_build", help, None, MetricType::Info)?;
        let program = domain::program::build();
        build.encode_info(&[
            ("version", program.version.to_owned()),
            ("commit", program.commit.to_owned()),
            ("date", program.date.to_owned()),
            ("schema", SCHEMA_VERSION.to_string()),
        ])?;
        let help = "HTTP requests by route group and status class.";
        let mut requests =
            encoder.encode_descriptor("guardpost_requests", help, None, MetricType::Counter)?;
        for (route_group, classes) in ROUTE_GROUPS.iter().zip(&self.requests) {
            for (class, count) in (1..).zip(classes) {
                let labels = [
                    ("route_group", (*route_group).to_owned()),
                    ("status", format!("{class}xx")),
                ];
                ConstCounter::new(*count).encode(requests.encode_family(&labels)?)?;
            }
        }
        let help = "Seconds from the head of a request to its response, by route group.";
        let kind = MetricType::Histogram;
        let mut durations =
            encoder.encode_descriptor("guardpost_request_seconds", help, None, kind)?;
        for (route_group, seconds) in ROUTE_GROUPS.iter().zip(&self.durations.0) {
            let labels = [("route_group", (*route_group).to_owned())];
            seconds.encode(durations.encode_family(&labels)?)?;
        }
        for metric in &self.metrics {
            // The encoder appends the suffix of counters.
            let name = metric.name.strip_suffix("_total").unwrap_or(metric.name);
            if metric.is_counter {
                let counter = ConstCounter::new(metric.value);
                let kind = MetricType::Counter;
                counter.encode(encoder.encode_descriptor(name, metric.help, None, kind)?)?;
            } else {
                let gauge = ConstGauge::new(metric.value);
                let kind = MetricType::Gauge;
                gauge.encode(encoder.encode_descriptor(name, metric.help, None, kind)?)?;
            }
        }
        Ok(())
    }
}

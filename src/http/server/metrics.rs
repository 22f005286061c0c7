//! Counters of requests and connections, in the OpenMetrics text format that Prometheus reads.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use poem::http::StatusCode;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

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

/// The counters.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: [[AtomicU64; 5]; 2],
    open: AtomicU64,
    accepted: AtomicU64,
    dropped: AtomicU64,
    connection_rejected: AtomicU64,
}

/// A metric from another module: name, help text, type (`gauge` or `counter`) and value.
pub type Metric = (&'static str, &'static str, &'static str, u64);

impl Metrics {
    /// Counts a response.
    pub fn record_response(&self, route_group: RouteGroup, status: StatusCode) {
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
            (
                "guardpost_connections_total",
                "Accepted connections.",
                "counter",
                load(&self.accepted),
            ),
            (
                "guardpost_connections_dropped_total",
                "Connections closed by a timeout.",
                "counter",
                load(&self.dropped),
            ),
            (
                "guardpost_connections_refused_total",
                "Connections rejected because their client has used its share.",
                "counter",
                load(&self.connection_rejected),
            ),
            (
                "guardpost_connections",
                "Open connections.",
                "gauge",
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
    metrics: Vec<Metric>,
}

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let help = "The version of the program.";
        let mut build =
            encoder.encode_descriptor("guardpost_build", help, None, MetricType::Info)?;
        build.encode_info(&[("version", env!("CARGO_PKG_VERSION"))])?;
        let help = "HTTP requests by route group and status class.";
        let mut requests =
            encoder.encode_descriptor("guardpost_requests", help, None, MetricType::Counter)?;
        for (route_group, classes) in ["page", "api"].iter().zip(&self.requests) {
            for (class, count) in (1..).zip(classes) {
                let labels = [
                    ("route_group", (*route_group).to_owned()),
                    ("status", format!("{class}xx")),
                ];
                ConstCounter::new(*count).encode(requests.encode_family(&labels)?)?;
            }
        }
        for (name, help, kind, value) in &self.metrics {
            // The encoder appends the suffix of counters.
            let name = name.strip_suffix("_total").unwrap_or(name);
            if *kind == "counter" {
                let counter = ConstCounter::new(*value);
                let kind = MetricType::Counter;
                counter.encode(encoder.encode_descriptor(name, help, None, kind)?)?;
            } else {
                let gauge = ConstGauge::new(*value);
                let kind = MetricType::Gauge;
                gauge.encode(encoder.encode_descriptor(name, help, None, kind)?)?;
            }
        }
        Ok(())
    }
}

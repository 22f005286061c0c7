//! Counters of requests and connections, in Prometheus' text format (0.0.4).

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use poem::http::StatusCode;

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

    /// Counts a connection that was rejected because its client has used its share.
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
    pub fn text(&self, others: &[Metric]) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# HELP guardpost_build_info The version of the program.\n\
             # TYPE guardpost_build_info gauge\nguardpost_build_info{{version=\"{}\"}} 1",
            env!("CARGO_PKG_VERSION")
        );
        text += "# HELP guardpost_requests_total HTTP requests by route group and status class.\n\
                 # TYPE guardpost_requests_total counter\n";
        for (route_group, classes) in ["page", "api"].iter().zip(&self.requests) {
            for (class, count) in (1..).zip(classes) {
                let count = count.load(Relaxed);
                let labels = format!("route_group=\"{route_group}\",status=\"{class}xx\"");
                let _ = writeln!(text, "guardpost_requests_total{{{labels}}} {count}");
            }
        }
        let connections = [
            (
                "guardpost_connections_total",
                "Accepted connections.",
                "counter",
                &self.accepted,
            ),
            (
                "guardpost_connections_dropped_total",
                "Connections closed by a timeout.",
                "counter",
                &self.dropped,
            ),
            (
                "guardpost_connections_refused_total",
                "Connections rejected because their client has used its share.",
                "counter",
                &self.connection_rejected,
            ),
            (
                "guardpost_connections",
                "Open connections.",
                "gauge",
                &self.open,
            ),
        ];
        for (name, help, kind, count) in connections {
            figure(&mut text, name, help, kind, count.load(Relaxed));
        }
        for (name, help, kind, count) in others {
            figure(&mut text, name, help, kind, *count);
        }
        text
    }
}

fn figure(text: &mut String, name: &str, help: &str, kind: &str, value: u64) {
    let _ = writeln!(
        text,
        "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}"
    );
}

//! What the operator can count: requests by door and status, connections. Plain atomics, printed in Prometheus' text format (0.0.4) on an address of its own.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use poem::http::StatusCode;

/// Which side of the house answered.
#[derive(Clone, Copy, Debug)]
pub enum RouteGroup {
    /// The map of pages.
    Page,
    /// The API, the authentication service and the forms' posts.
    Call,
}

/// The counters.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: [[AtomicU64; 5]; 2],
    open: AtomicU64,
    accepted: AtomicU64,
    dropped: AtomicU64,
    refused: AtomicU64,
}

/// A figure from elsewhere: name, help text, type (`gauge` or `counter`) and value.
pub type Figure = (&'static str, &'static str, &'static str, u64);

impl Metrics {
    /// A request was answered.
    pub fn answered(&self, door: RouteGroup, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.requests[door as usize][class].fetch_add(1, Relaxed);
    }

    /// A connection was taken.
    pub fn opened(&self) {
        self.accepted.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
    }

    /// A connection was not taken, because its client has its share.
    pub fn refused(&self) {
        self.refused.fetch_add(1, Relaxed);
    }

    /// A connection has ended; `dropped` when we lost patience with it.
    pub fn closed(&self, dropped: bool) {
        self.open.fetch_sub(1, Relaxed);
        if dropped {
            self.dropped.fetch_add(1, Relaxed);
        }
    }

    /// Everything as text, with `figures` from elsewhere.
    pub fn text(&self, figures: &[Figure]) -> String {
        let mut text = String::from(
            "# HELP guardpost_requests_total Requests answered, by side of the house and class of status.\n# TYPE guardpost_requests_total counter\n",
        );
        for (door, classes) in ["page", "call"].iter().zip(&self.requests) {
            for (class, count) in (1..).zip(classes) {
                let count = count.load(Relaxed);
                let _ = writeln!(
                    text,
                    "guardpost_requests_total{{door=\"{door}\",status=\"{class}xx\"}} {count}"
                );
            }
        }
        let connections = [
            (
                "guardpost_connections_total",
                "Connections taken.",
                "counter",
                &self.accepted,
            ),
            (
                "guardpost_connections_dropped_total",
                "Connections dropped for being slow or idle.",
                "counter",
                &self.dropped,
            ),
            (
                "guardpost_connections_refused_total",
                "Connections refused because their client has its share.",
                "counter",
                &self.refused,
            ),
            (
                "guardpost_connections",
                "Connections open.",
                "gauge",
                &self.open,
            ),
        ];
        for (name, help, kind, count) in connections {
            figure(&mut text, name, help, kind, count.load(Relaxed));
        }
        for (name, help, kind, count) in figures {
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

//! Memory, open files and start of this process, and the size of the database, under the names that
//! Prometheus gives them. They are read of /proc; what cannot be read is left out.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use rustix::process::{Resource, getrlimit};

use super::metrics::Metric;
use domain::clock::Clock;

/// Seconds since 1970.
static STARTED: LazyLock<u64> =
    LazyLock::new(|| (Clock::system().machine().millis() / 1000).unsigned_abs());

/// Remembers the time as the start of the process.
pub(super) fn remember_start() {
    LazyLock::force(&STARTED);
}

/// The metrics of the process whose data is in the folder `data`. Blocks.
pub(super) fn process_metrics(data: &Path) -> Vec<Metric> {
    let size = |name: &str| data.join(name).metadata().map_or(0, |file| file.len());
    let metrics = [
        (
            "process_resident_memory_bytes",
            "Memory of the server, without the processes that read emails and pictures.",
            resident_bytes(),
        ),
        (
            "process_open_fds",
            "Open files and connections.",
            fs::read_dir("/proc/self/fd")
                .ok()
                .map(|open| open.count() as u64),
        ),
        (
            "process_max_fds",
            "Files and connections that may be open.",
            getrlimit(Resource::Nofile).current,
        ),
        (
            "process_start_time_seconds",
            "When the server started, in seconds since 1970.",
            Some(*STARTED),
        ),
        (
            "guardpost_database_bytes",
            "The size of the database with its log.",
            Some(size("guardpost.db") + size("guardpost.db-wal")),
        ),
    ];
    let gauge = |(name, help, value)| Some(Metric::gauge(name, help, value?));
    metrics.into_iter().filter_map(gauge).collect()
}

fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}

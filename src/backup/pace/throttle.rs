//! Slows long work down while a server writes to the database, so that posts keep their rate.

use std::ops::ControlFlow;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::{Progress, Watch};
use store::database::copies::snapshot::log_written_at;

/// How long the work runs between checks for writes to the database.
const SLICE: Duration = Duration::from_millis(2);
/// The pause after a slice, as a multiple of it: the work runs at a fifth of its speed then.
/// Without pauses a backup costs posts a tenth of their rate and more, even at the lowest priority,
/// since it competes for caches and the disk.
const PAUSE_FACTOR: u32 = 4;
/// The longest pause. Time in which the thread had to wait does not count as work.
const MAX_PAUSE: Duration = Duration::from_millis(80);

/// `watch` with pauses: slows down the calling work while the database in `database` is written to.
pub(crate) fn throttled(
    database: &Path,
    watch: Watch<'_>,
) -> impl FnMut(Progress) -> ControlFlow<()> {
    let mut throttle = Throttle::new(database);
    move |progress| {
        throttle.pause();
        watch(progress)
    }
}

/// Pauses work beside the database in `database`.
struct Throttle<'a> {
    database: &'a Path,
    written_at: Option<SystemTime>,
    resumed_at: Instant,
}

impl<'a> Throttle<'a> {
    fn new(database: &'a Path) -> Self {
        Self {
            database,
            written_at: log_written_at(database),
            resumed_at: Instant::now(),
        }
    }

    /// To be called often by the work: sleeps after each slice if the database was written to
    /// during it, or during the pause before it.
    fn pause(&mut self) {
        let worked = self.resumed_at.elapsed();
        if worked >= SLICE {
            sleep(self.pause_after(worked));
            self.resumed_at = Instant::now();
        }
    }

    fn pause_after(&mut self, worked: Duration) -> Duration {
        let before = std::mem::replace(&mut self.written_at, log_written_at(self.database));
        match self.written_at == before {
            true => Duration::ZERO,
            false => (worked * PAUSE_FACTOR).min(MAX_PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn work_pauses_after_a_slice_in_which_the_log_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("guardpost.db");
        let mut throttle = Throttle::new(&database);
        assert_eq!(throttle.pause_after(SLICE), Duration::ZERO, "no log");

        let log = File::create(folder.path().join("guardpost.db-wal")).unwrap();
        assert_eq!(throttle.pause_after(SLICE), SLICE * PAUSE_FACTOR);
        assert_eq!(throttle.pause_after(SLICE), Duration::ZERO, "not written");

        log.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(throttle.pause_after(Duration::from_secs(1)), MAX_PAUSE);
    }
}

//! Restarts background tasks that panic, so that no task ends silently. `/readyz` and the metrics
//! report the state of the tasks.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// Starts background tasks and tracks their state. Clones share one list of tasks.
#[derive(Clone, Debug, Default)]
pub struct Supervisor {
    tasks: Arc<Mutex<Vec<Arc<Task>>>>,
    timing: Timing,
}

#[derive(Clone, Copy, Debug)]
struct Timing {
    /// The pause before the first restart; it doubles with each further panic.
    first: Duration,
    /// The longest pause.
    longest: Duration,
    /// A task that has run this long without a panic has recovered.
    recovered: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            recovered: Duration::from_secs(60),
        }
    }
}

impl Timing {
    fn after(self, pause: Duration) -> Duration {
        (pause * 2).min(self.longest)
    }
}

impl Supervisor {
    /// Spawns the future that `run` makes, and a new one after each panic. A future that returns is
    /// finished and is not restarted; aborting the handle stops the task.
    pub fn spawn<F, T>(&self, name: &'static str, run: F) -> JoinHandle<()>
    where
        F: FnMut() -> T + Send + 'static,
        T: Future<Output = ()> + Send,
    {
        self.spawn_after(Duration::ZERO, name, run)
    }

    /// As `spawn`, but the first future is made after `pause`.
    pub fn spawn_after<F, T>(&self, pause: Duration, name: &'static str, run: F) -> JoinHandle<()>
    where
        F: FnMut() -> T + Send + 'static,
        T: Future<Output = ()> + Send,
    {
        let task = Arc::new(Task {
            name,
            down: AtomicBool::new(false),
            restarts: AtomicU64::new(0),
        });
        self.tasks.lock().push(task.clone());
        let timing = self.timing;
        tokio::spawn(async move {
            if !pause.is_zero() {
                sleep(pause).await;
            }
            task.supervise(timing, run).await;
        })
    }

    /// The names of the tasks that have panicked and not yet recovered.
    pub fn down(&self) -> Vec<&'static str> {
        let tasks = self.tasks.lock();
        let down = tasks.iter().filter(|task| task.down.load(Relaxed));
        down.map(|task| task.name).collect()
    }

    /// The number of restarts since the process started.
    pub fn restarts(&self) -> u64 {
        let tasks = self.tasks.lock();
        tasks.iter().map(|task| task.restarts.load(Relaxed)).sum()
    }
}

#[derive(Debug)]
struct Task {
    name: &'static str,
    down: AtomicBool,
    restarts: AtomicU64,
}

impl Task {
    async fn supervise<F, T>(&self, timing: Timing, mut run: F)
    where
        F: FnMut() -> T,
        T: Future<Output = ()>,
    {
        let mut pause = timing.first;
        loop {
            let attempt = AssertUnwindSafe(async { run().await }).catch_unwind();
            tokio::pin!(attempt);
            let ended = match timeout(timing.recovered, &mut attempt).await {
                Ok(ended) => ended,
                Err(_) => {
                    self.down.store(false, Relaxed);
                    pause = timing.first;
                    attempt.await
                }
            };
            if ended.is_ok() {
                self.down.store(false, Relaxed);
                return;
            }
            self.down.store(true, Relaxed);
            // The panic hook has printed the message and the location.
            let (task, seconds) = (self.name, pause.as_secs());
            tracing::error!(task, seconds, "a background task panicked; it restarts");
            sleep(pause).await;
            self.restarts.fetch_add(1, Relaxed);
            pause = timing.after(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use tokio::sync::mpsc;
    use tokio::task::yield_now;
    use tokio::time::timeout;

    use super::{Supervisor, Timing};

    const BOUND: Duration = Duration::from_secs(10);

    fn supervisor(recovered: Duration) -> Supervisor {
        Supervisor {
            timing: Timing {
                first: Duration::from_millis(1),
                longest: Duration::from_millis(2),
                recovered,
            },
            ..Supervisor::default()
        }
    }

    #[tokio::test]
    async fn a_task_that_goes_on_running_after_a_panic_has_recovered() {
        let supervisor = supervisor(Duration::from_millis(5));
        let mut first = true;
        let task = supervisor.spawn("test", move || {
            let fails = std::mem::take(&mut first);
            async move {
                assert!(!fails, "expected by the test");
                pending::<()>().await;
            }
        });
        timeout(BOUND, async {
            while supervisor.restarts() == 0 || !supervisor.down().is_empty() {
                yield_now().await;
            }
        })
        .await
        .unwrap();
        task.abort();
    }

    #[tokio::test]
    async fn a_task_that_returns_is_done_and_one_that_panics_as_it_is_made_restarts() {
        let supervisor = supervisor(BOUND);
        supervisor.spawn("done", || async {}).await.unwrap();
        let mut first = true;
        let made = move || {
            assert!(!std::mem::take(&mut first), "expected by the test");
            async {}
        };
        supervisor.spawn("made", made).await.unwrap();
        assert_eq!((supervisor.down(), supervisor.restarts()), (vec![], 1));
    }

    #[tokio::test]
    async fn a_task_with_a_pause_begins_after_those_without() {
        let (supervisor, (began, mut order)) = (supervisor(BOUND), mpsc::unbounded_channel());
        let begin = |name| {
            let began = began.clone();
            move || {
                began.send(name).unwrap();
                async {}
            }
        };
        let later = supervisor.spawn_after(Duration::from_millis(20), "later", begin("later"));
        supervisor.spawn("now", begin("now")).await.unwrap();
        assert_eq!(order.recv().await, Some("now"));
        later.await.unwrap();
        assert_eq!(order.recv().await, Some("later"));
    }
}
